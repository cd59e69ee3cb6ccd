"""The command `mem`. Importing this imports next to nothing: hooks start it all day."""

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


def _run(arguments: list[str]) -> int:
    if arguments == ["--version"]:
        from ..platform.version import own_version

        print(f"memtui {own_version()}")
        return 0
    hook = after_hook(arguments)
    if hook is not None and "--help" not in hook:
        from ..capture.hook_process.main import run

        run(hook)
    if "add" in arguments:
        from ..database import load_apsw

        load_apsw()
        from .lean import add

        numbers = add.add(arguments)
        if numbers is not None:
            add.leave(numbers)
    if "mcp" in arguments:
        from .lean.mcp import mcp

        if mcp(arguments):
            return 0
    if "shell-init" in arguments:
        from .lean import shell_init

        if shell_init.run(arguments):
            return 0
    if "pick" in arguments:
        from .lean import pick

        picked = pick.run(arguments)
        if picked is not None:
            return picked
    if arguments and "--help" not in arguments:
        from . import plain

        status = plain.run(arguments)
        if status is not None:
            return status
    from .app import run as run_by_typer

    return run_by_typer(arguments)


def after_hook(arguments: list[str]) -> list[str] | None:
    """What `mem hook AGENT` is given, a `--db PATH` before it included; None for any other command."""
    words = [part for word in arguments for part in split(word)]
    place = 2 if words[:1] == ["--db"] else 0
    if words[place : place + 1] != ["hook"]:
        return None
    from .commands import UNDER

    if words[place + 1 : place + 2] and words[place + 1] in UNDER["hook"]:
        return None
    return [*words[:place], *words[place + 1 :]]


def split(word: str) -> list[str]:
    """`--db=PATH` as the two words that the hook knows; any other word as it is."""
    return ["--db", word[5:]] if word.startswith("--db=") else [word]
