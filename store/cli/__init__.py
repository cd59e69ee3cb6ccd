"""The command `mem`: which reader a command line is for. Importing this imports next to nothing: hooks
start it all day.

`READERS` names what reads the lines that agents and shells wait for, each by a way of its own. All other
lines, and those that such a reader leaves, are for `plain`, which leaves what isn't plain to typer.
"""

from __future__ import annotations

import gc
import os
import sys

MANY_OBJECTS = 200_000
"""Before the garbage collector looks at them first: what is imported would be walked again and again."""


def main() -> int:
    """Run one command line and end the process with its exit code, which is returned where something
    is left for the interpreter to do."""
    gc.set_threshold(MANY_OBJECTS)
    try:
        status = _run(sys.argv[1:])
    except Exception as error:
        from ..platform.leaves import MissingLeafError

        if not isinstance(error, MissingLeafError):
            raise
        # A command that is not there can't be declared, and says so before there is a call of it.
        print(error, file=sys.stderr)
        status = 1
    _leave(status)
    return status


def _run(arguments: list[str]) -> int:
    read = READERS.get(first_word(arguments))
    status = read(arguments) if read is not None else None
    if status is None:
        from . import plain

        status = plain.run(arguments)
    return status


def _leave(status: int) -> None:
    """End the process at once, unless threads run or output can't be written: taking down the
    interpreter with all its modules takes as long as a search."""
    threading = sys.modules.get("threading")
    if threading is not None and threading.active_count() > 1:
        return
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError, AttributeError):
        return
    os._exit(status)


def first_word(arguments: list[str]) -> str:
    """Return the word behind the options that every command takes: what names the command, or another
    option; "" where there is none."""
    rest = iter(arguments)
    for word in rest:
        if word == "--db":
            next(rest, None)
        elif word != "--json" and not word.startswith("--db="):
            return word
    return ""


def after_hook(arguments: list[str]) -> list[str] | None:
    """What `mem hook AGENT` is given, a `--db PATH` before it included; None for any other command."""
    words: list[str] = []
    for word in arguments:
        words += ["--db", word[5:]] if word.startswith("--db=") else [word]
    place = 2 if words[:1] == ["--db"] else 0
    if words[place : place + 1] != ["hook"]:
        return None
    from .commands import UNDER

    if words[place + 1 : place + 2] and words[place + 1] in UNDER["hook"]:
        return None
    return [*words[:place], *words[place + 1 :]]


def shell_script(shell: str) -> str:
    """Return the lines that a shell evaluates: the key that picks, and completion."""
    folder = f"{os.path.dirname(__file__)}/shell"  # noqa: PTH120 - pathlib is slow
    parts = []
    for place in (folder, f"{folder}/completion"):
        with open(f"{place}/mem.{shell}", encoding="utf-8") as file:  # noqa: PTH123
            parts.append(file.read())
    return "\n".join(parts)


def _read_version(arguments: list[str]) -> int | None:
    if arguments != ["--version"]:
        return None
    from ..platform.version import own_version

    print(f"memtui {own_version()}")
    return 0


def _read_hook(arguments: list[str]) -> None:
    """Take an agent's event, and end the process."""
    event = after_hook(arguments)
    if event is not None and "--help" not in event:
        from ..capture.hook_process.main import run

        run(event)


def _read_add(arguments: list[str]) -> None:
    """Store observations and end the process, where the line is plain."""
    from ..database import load_apsw

    load_apsw()
    from . import lean_add

    numbers = lean_add.add(arguments)
    if numbers is not None:
        lean_add.leave(numbers)


def _read_mcp(arguments: list[str]) -> int | None:
    """Serve on standard input and output until that ends, where the line says no more than `mem mcp` and
    where the store lies: typer takes longer to import than the server."""
    rest, path = [*arguments], ""
    if "--db" in rest[:-1]:
        place = rest.index("--db")
        path, rest = rest[place + 1], rest[:place] + rest[place + 2 :]
    if rest != ["mcp"] or path.startswith("-"):
        return None
    from pathlib import Path

    from ..mcp.memory import Memory
    from ..mcp.stdio import serve
    from ..platform.paths import default_path_text

    serve(Memory(Path(path or default_path_text())))
    return 0


def _read_pick(arguments: list[str]) -> int | None:
    from . import picking

    return picking.run(arguments)


def _read_shell_init(arguments: list[str]) -> int | None:
    """Print what a shell reads at each of its starts."""
    if arguments[:1] != ["shell-init"] or arguments[1:] not in (["zsh"], ["bash"], ["fish"]):
        return None
    sys.stdout.write(shell_script(arguments[1]))
    return 0


READERS = {
    "--version": _read_version,
    "hook": _read_hook,
    "add": _read_add,
    "mcp": _read_mcp,
    "pick": _read_pick,
    "shell-init": _read_shell_init,
}
"""By the first word of a command line what reads it, and gives the exit code, or None where the line isn't
plain and nothing was done."""
