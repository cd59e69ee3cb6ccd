"""Picking a memory: what `mem pick` is asked for, and the ways that it goes: the browser's picker, a popup
of tmux, or, in an agent's shell, which has no terminal, the hits.

The lean path comes here too, so typer isn't imported, and no more of the store than there is need for.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from ..database.files import temporary
from ..platform.system import posix
from ..platform.translation import _
from .output.console import print_search, tell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


FORMATS = ("reference", "id", "text", "markdown", "json")
FIELDS = (
    "id", "uid", "kind", "type", "title", "project", "agent", "session", "date", "text", "reference"
)  # fmt: skip
"""What a template can name."""
IN_BRACES = r"\{(\w*)\}"
LEAST_LINES = 3
"""The query, a memory, and the keys."""

LONGEST_QUERY = 500
NO_MATCH, CANCELLED = 1, 130
"""Exit statuses, fzf's."""
TERMINAL = "/dev/tty"


class PickRequest:
    """What is to be picked, and as what it is given.

    `database` is its path, None for the user's own. `height` is in lines (`15`) or a part of the
    terminal's (`40%`), `` for all of it. `format` is `` where none is named, which gives a reference.
    `template` takes the place of `format` where it isn't ``.
    `quote_after` is the part of a shell's line that stands before what is printed, which is quoted
    accordingly; None where no shell reads it.
    """

    # No dataclass: what makes them, or `re`, takes longer to import than all else before the picker starts.
    def __init__(
        self,
        query: str = "",
        database: str | None = None,
        format: str = "",
        template: str = "",
        height: str = "",
        clipboard: bool = False,
        quote_after: str | None = None,
    ) -> None:
        self.query = query
        self.database = database
        self.format = format
        self.template = template
        self.height = height
        self.clipboard = clipboard
        self.quote_after = quote_after

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PickRequest) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"PickRequest({vars(self)})"

    def wrong(self) -> str:
        """Return in a sentence what can't be done so, `` where all can."""
        if self.format and self.format not in FORMATS:
            return _(
                "There is no format {format!r}. Give {names}.",
                format=self.format,
                names=_(", ").join(FORMATS),
            )
        if odd := self._unknown_fields():
            named = _(", ").join(FIELDS)
            return _(
                "A template can't name {{{field}}}. It can name: {named}.",
                field=odd[0],
                named=named,
            )
        if self.height and (height := _height(self.height)) is None:
            return _(
                "{height!r} is not a height. Give lines, such as 15, or a part, such as 40%.",
                height=self.height,
            )
        if self.height and height is not None and not height[1] and height[0] < LEAST_LINES:
            return _("A picker needs {lines} lines at least.", lines=LEAST_LINES)
        return ""

    def lines(self, terminal: int) -> int:
        """Return how many lines it takes of a terminal that has so many."""
        number, is_part = _height(self.height) or (100, True)
        height = terminal * number // 100 if is_part else number
        return max(LEAST_LINES, min(height, terminal))

    def _unknown_fields(self) -> list[str]:
        if not self.template:
            return []
        import re

        return [name for name in re.findall(IN_BRACES, self.template) if name not in FIELDS]

    def arguments(self) -> list[str]:
        """Return it as arguments of a process; `of` reads them."""
        import json

        return [json.dumps(vars(self), ensure_ascii=True)]

    @classmethod
    def of(cls, arguments: list[str]) -> PickRequest:
        """Return what the arguments of a process ask for."""
        import json

        return cls(**json.loads(arguments[0]))


def run(arguments: list[str]) -> int | None:
    """Pick what a command line asks for, without typer, which takes as long to import as the picker's first
    paint; return the exit status.

    None where the line is unusual (help, a flag that isn't known here, a value that is wrong):
    `memtui.store.cli.commands.pick` reads it. A test holds the two equal.
    """
    given = parse(arguments)
    if given is None or given[0].wrong():
        return None
    request, switches = given
    if "--from-stdin" in switches:
        request.query = f"{request.query} {query_of_stdin()}".strip()
    return pick(request, in_popup="--tmux" in switches)


def pick(request: PickRequest, *, in_popup: bool) -> int:
    """Let the user pick, and return the exit status; where the browser's picker does it, this process
    becomes it, and nothing returns."""
    if in_popup:
        return _popup(_picker_command(request))
    if not _can_ask():
        return _without_terminal(request)
    return _become(_picker_command(request))


VALUED = {
    "--db": "database",
    "--format": "format",
    "--template": "template",
    "--height": "height",
    "--quote-after": "quote_after",
}
BEFORE = ("--db", "--json")
"""What may stand before the command."""


def parse(arguments: list[str]) -> tuple[PickRequest, set[str]] | None:
    """Return what is asked for, and the switches; None where typer has to look at it."""
    values: dict[str, str] = {}
    words: list[str] = []
    switches: set[str] = set()
    is_named = False
    rest = iter(arguments)
    for argument in rest:
        name, equals, value = argument.partition("=")
        if not is_named and argument != "pick" and name not in BEFORE:
            return None
        if name in VALUED:
            result = value if equals else next(rest, None)
            if result is None or (not result and name != "--quote-after"):
                return None
            values[VALUED[name]] = result
        elif argument == "--json":
            switches.add(argument)
        elif argument in ("-c", "--clipboard", "--tmux", "--from-stdin"):
            switches.add("-c" if argument == "--clipboard" else argument)
        elif argument == "pick" and not is_named:
            is_named = True
        elif argument.startswith("--"):
            return None
        else:
            words.append(argument)
    if not is_named:
        return None
    if "--json" in switches:
        values.setdefault("format", "json")
    request = PickRequest(" ".join(words), clipboard="-c" in switches, **values)
    return request, switches


def terminal_path() -> str | None:
    """Return the path of the terminal, None where there is none: that of the session, or else, since
    editors run commands in a session of their own, the one that a standard stream is."""
    named = (os.ttyname(number) for number in range(3) if os.isatty(number))
    for path in (TERMINAL, *named):
        try:
            os.close(posix.open(path, posix.O_RDWR | posix.O_NOCTTY))
        except OSError:
            continue
        return path
    return None


def query_of_stdin() -> str:
    """Return the first line of standard input that says anything, as a query."""
    text = sys.stdin.buffer.read(1 << 16).decode("utf-8", "replace")
    lines = (line.strip() for line in text.splitlines())
    return next(filter(None, lines), "")[:LONGEST_QUERY]


HITS = 10
"""So many are printed in an agent's shell."""
NO_TERMINAL = _("There is no terminal to pick in; `mem search --for-agent WORDS` lists what is found.")

START = (
    "import sys; sys.path.insert(0, sys.argv.pop(1)); from memtui.tui.leaves.picker.program import main; "
    "sys.exit(main(sys.argv[1:]))"
)
ROOT = __file__.rpartition("/memtui/store/cli/")[0]


def _height(text: str) -> tuple[int, bool] | None:
    """A height as its number, and whether that is a part in per cent; None where it is none."""
    digits = text.removesuffix("%")
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= 4):
        return None
    number, is_part = int(digits), digits != text
    return None if is_part and not 0 < number <= 100 else (number, is_part)


def _become(command: list[str]) -> NoReturn:
    if os.environ.get("TERM") == "dumb":
        # Vim says so to whatever it runs, in any terminal.
        os.environ["TERM"] = "xterm-256color"
    sys.stdout.flush()
    sys.stderr.flush()
    os.execv(command[0], command)


def _picker_command(request: PickRequest) -> list[str]:
    """Return the command of the process that picks."""
    # -P: the directory that it is called in is no place to import from.
    return [sys.executable, "-P", "-c", START, ROOT, *request.arguments()]


def _can_ask() -> bool:
    """Return whether there is a terminal to draw on and to read keys from.

    An agent that runs a command keeps its own terminal: where none of the streams is one, it isn't
    the command's to draw on.
    """
    if terminal_path() is None:
        return False
    if os.environ.get("TERM", "dumb") == "dumb" and "VIMRUNTIME" not in os.environ:
        return False
    if any(map(os.isatty, range(3))):
        return True
    from ..agents.shell import agent_shell

    return agent_shell(os.environ) is None


def _without_terminal(request: PickRequest) -> int:
    """Return the exit status where nobody can be asked: what stands in `$(mem pick)` must not be taken for
    picked. An agent reads what it runs, so it is told what the query finds, unless it wanted a form."""
    from ..agents.shell import agent_shell

    shaped = request.format or request.template or request.clipboard
    if request.query and not shaped and agent_shell(os.environ) is not None:
        return _print_hits_for_agent(request)
    tell(NO_TERMINAL)
    return NO_MATCH


def _print_hits_for_agent(request: PickRequest) -> int:
    """Print what the query finds as `mem search --for-agent` does, and return the exit status."""
    from ..capture.ingest.catch_up import open_caught_up
    from ..platform.errors import StoreError

    try:
        with open_caught_up(request.database) as store:
            sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]
            print_search(store, request.query, limit=HITS, cursor=None, exact=False, as_json=False)
            sys.stdout.flush()
            is_none = not store.find(request.query).page(limit=1).hits
    except BrokenPipeError:
        # The reader has seen enough; what is still buffered goes nowhere.
        os.dup2(posix.open(os.devnull, posix.O_WRONLY), sys.stdout.fileno())
        return 0
    except StoreError as error:
        tell(str(error))
        return NO_MATCH
    return NO_MATCH if is_none else 0


SIZE = ("-w", "90%", "-h", "75%")
FAILED, CLOSED = 1, 130
KEPT = re.compile(
    r"(?:HOME|PATH|TZ|LANG|LC_|XDG_|MEMTUI_|PYTHON|TEXTUAL_|NO_COLOR|COLORFGBG|VISUAL|EDITOR|TMPDIR)"
)
"""How the names of variables begin that hold in the popup too: tmux gives it those of its server."""


def _popup(command: Sequence[str]) -> int:
    """Run a command in a popup, print what it printed, and return its exit status; 130 where the popup
    was closed before it ended."""
    if not os.environ.get("TMUX"):
        tell(
            "--tmux draws in a popup of tmux, and this is not a session of tmux. Leave --tmux out, or"
            " start tmux first."
        )
        return FAILED
    if (tmux := shutil.which("tmux")) is None:
        tell("--tmux needs the program tmux, which isn't on your PATH. Leave --tmux out.")
        return FAILED
    with temporary.directory("memtui-pick-") as directory:
        script = directory / "run"
        script.write_text(_script(command, directory), "utf-8", "surrogateescape")
        # The path of the script alone: which shell tmux hands it to is the user's choice.
        shown = subprocess.run(
            [tmux, "display-popup", "-E", *SIZE, f"sh {shlex.quote(str(script))}"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
        )
        if (status := _read(directory / "status")) is None:
            if shown.returncode and shown.stderr:
                tell(
                    "tmux could not open a popup ({reason}). It needs tmux 3.2.",
                    reason=shown.stderr.strip(),
                )
                return FAILED
            return CLOSED
        if errors := _read(directory / "said"):
            tell(errors.decode("utf-8", "replace").rstrip("\n"))
        sys.stdout.buffer.write(_read(directory / "answer") or b"")
        sys.stdout.flush()
        return int(status)


def _script(command: Sequence[str], directory: Path) -> str:
    """The lines that run the command as here, and leave its output and its status in files."""
    answer, errors, status = (shlex.quote(str(directory / name)) for name in ("answer", "said", "status"))
    exports = [
        f"export {name}={shlex.quote(value)}"
        for name, value in os.environ.items()
        if KEPT.match(name) and name.isidentifier()
    ]
    return "\n".join(
        (
            *exports,
            f"cd {shlex.quote(str(Path.cwd()))}",
            f"{shlex.join(command)} >{answer} 2>{errors}",
            f"echo $? >{status}",
            "",
        )
    )


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
