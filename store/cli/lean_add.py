"""`mem add` without typer: the plain cases, in little more time than Python takes to start.

Whatever is unusual (another flag, a private tag, a control character, a file that isn't ready)
gives None before anything is written, and `memtui.store.cli.commands.add` does it. A test holds the two
equal.
"""

from __future__ import annotations

import io
import os
import sys

import apsw

from ..agents.shell import agent_shell
from ..database.connection import OLDEST_SQLITE, has_log
from ..platform.paths import OTHERS, default_path_text
from ..platform.translation import _
from ..records.kinds import OBSERVATION_TYPES
from ..tables.lean import LISTS, NewObservation, add_observations, is_plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


TEXT_OPTIONS = {
    "--type": "type", "--subtitle": "subtitle", "--narrative": "narrative", "--tool": "tool_name",
    "--project": "project", "--session": "session", "--agent": "agent", "--event-id": "event_id",
    "--db": "db",
}  # fmt: skip
LIST_OPTIONS = {
    "--fact": "facts", "--concept": "concepts", "--read": "files_read",
    "--modified": "files_modified", "--tag": "tags",
}  # fmt: skip
NUMBER_OPTIONS = {"--prompt-number": "prompt_number", "--tokens": "discovery_tokens"}


class Arguments:
    """What a plain command line says: an observation, or the defaults of those on standard input."""

    def __init__(self) -> None:
        self.given = NewObservation()
        self.is_stdin = False


def add(arguments: list[str]) -> list[int] | None:
    """Store the observations of a command line and return their ids; None if it isn't plain."""
    line = parse_arguments(arguments)
    if line is None or apsw.SQLITE_VERSION_NUMBER < OLDEST_SQLITE:
        return None
    given = [line.given]
    if line.is_stdin:
        read = read_observations(line.given)
        if read is None:
            return None
        given = read
    for observation in given:
        join_shell(observation, os.environ)
    path = line.given.texts.get("db") or default_path_text()
    shell = agent_shell(os.environ)
    if shell is not None:
        from ..config import reviews_agents

        if reviews_agents():
            return None
    try:
        if os.stat(path).st_mode & OTHERS or os.path.exists(f"{path}-spool/drafts"):
            return None
        if has_log(path):
            from ..database.files.leftovers import is_quiet

            if not is_quiet(path):
                return None
        db = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READWRITE)
    except (apsw.Error, OSError, UnicodeEncodeError):
        return None
    try:
        return add_observations(db, given, shell[0] if shell else None)
    finally:
        # Without closing it, each start would have to read a log that grows.
        db.close()


def join_shell(given: NewObservation, environment: Mapping[str, str]) -> None:
    """Let an observation that names no session belong to that of the agent in whose shell this runs."""
    shell = None if "session" in given.texts else agent_shell(environment)
    if shell is None or given.texts.get("agent", shell[0]) != shell[0]:
        return
    agent, session = shell
    if session:
        given.texts |= {"agent": agent, "session": session}
    else:
        given.live_agent = agent


def leave(numbers: list[int]) -> None:
    """Print ids (or what was added, on a terminal) and end the process at once: taking the interpreter
    down costs a millisecond."""
    try:  # noqa: SIM105 - contextlib would have to be imported
        os.write(
            1,
            outcome(numbers) if os.isatty(1) else b"".join(b"%d\n" % number for number in numbers),
        )
    except OSError:
        # Whoever should have read it is gone; the rows are stored.
        pass
    os._exit(0)


def outcome(numbers: list[int]) -> bytes:
    """Return what was added as a terminal is told it, as `print_changed` does."""
    text = (
        _("Observation {number} added. `mem undo` takes it back.", number=numbers[0])
        if len(numbers) == 1
        else _("{number} observations added. `mem undo` takes it back.", number=len(numbers))
    )
    return f"{text}\n".encode()


def parse_arguments(arguments: list[str]) -> Arguments | None:
    """Return the flags, and the title or --stdin; None where typer has to look at them."""
    line = Arguments()
    words: list[str] = []
    rest = iter(arguments)
    for argument in rest:
        name, equals, value = argument.partition("=")
        if name in TEXT_OPTIONS or name in LIST_OPTIONS or name in NUMBER_OPTIONS:
            if not _set_option(line.given, name, value if equals else next(rest, "")):
                return None
        elif argument == "--private":
            line.given.private = True
        elif argument == "--stdin":
            line.is_stdin = True
        elif argument[:1] in ("", "-") or not argument.strip() or not is_plain(argument):
            return None
        else:
            words.append(argument)
        if words[:1] != ["add"] and name != "--db":
            return None
    if len(words) != (1 if line.is_stdin else 2):
        return None
    if not line.is_stdin:
        line.given.texts["title"] = words[1]
    # Whether another one is mistyped, the command finds out.
    return line if line.given.texts.get("type", "note") in OBSERVATION_TYPES else None


def _set_option(given: NewObservation, name: str, value: str) -> bool:
    """Set a flag's value and return whether it is plain.

    Each value is looked at by itself: side by side, words make secrets of each other.
    """
    if value[:1] in ("", "-") or not is_plain(value):
        return False
    if name in TEXT_OPTIONS:
        given.texts[TEXT_OPTIONS[name]] = value
    elif name in LIST_OPTIONS:
        given.lists[LIST_OPTIONS[name]].append(value)
    elif value.isascii() and value.isdigit() and len(value) < 16:
        given.numbers[NUMBER_OPTIONS[name]] = int(value)
    else:
        return False
    return True


MAXIMUM_BYTES = 65_536
MAXIMUM_LINES = 500
"""More of them are stored by the store, so many at a time."""

TEXTS = frozenset("title type subtitle narrative tool_name project session agent event_id".split())
NUMBERS = frozenset(("prompt_number", "discovery_tokens"))

PARSE = "SELECT key, type, atom, id, parent FROM json_tree(?)"


class Resumed(io.RawIOBase):
    """Standard input from its beginning: what was read of it, then the rest."""

    def __init__(self, begin: bytes) -> None:
        self.begin = begin

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
        result = self.begin[: len(buffer)] or os.read(0, len(buffer))
        self.begin = self.begin[len(result) :]
        buffer[: len(result)] = result
        return len(result)


def read_observations(defaults: NewObservation) -> list[NewObservation] | None:
    """Return the observations on standard input, with `defaults` for what a line leaves out.

    None where a line isn't plain, where there are too many, and on a terminal.
    """
    if os.isatty(0):
        return None
    begin = b""
    is_whole = False
    try:
        while not is_whole and len(begin) <= MAXIMUM_BYTES and begin.count(b"\n") <= MAXIMUM_LINES:
            more = os.read(0, MAXIMUM_BYTES)
            is_whole = not more
            begin += more
    except OSError:
        # The store says what is wrong with it.
        pass
    sys.stdin = io.TextIOWrapper(io.BufferedReader(Resumed(begin)), "utf-8")
    return parse_lines(begin, defaults) if is_whole else None


def parse_lines(text: bytes, defaults: NewObservation) -> list[NewObservation] | None:
    """Return the observations that these lines describe; None where one isn't plain."""
    db = apsw.Connection(":memory:")
    observations: list[NewObservation] = []
    for line in text.split(b"\n"):
        if line.strip():
            observation = _parse_line(db, line, defaults)
            if observation is None:
                return None
            observations.append(observation)
    return observations


def _parse_line(db: apsw.Connection, line: bytes, defaults: NewObservation) -> NewObservation | None:
    try:
        text = line.decode()
        if "\\u" in text or "\0" in text or not db.execute("SELECT json_valid(?)", (text,)).get:
            return None
        rows: list[Any] = db.execute(PARSE, (text,)).fetchall()
    except (UnicodeDecodeError, apsw.Error):
        return None
    given = defaults.copy()
    lists: dict[int, list[str]] = {}
    top = None
    known: set[object] = set()
    for key, kind, value, number, parent in rows:
        if parent is None:
            if kind != "object":
                return None
            top = number
        elif parent in lists:
            if kind != "text" or not value or not is_plain(value):
                return None
            lists[parent].append(value)
        elif parent != top or key in known or not _set_value(given, key, kind, value):
            return None
        else:
            known.add(key)
            if kind == "array":
                lists[number] = given.lists[key] = []
    return given if given.texts.get("title", "").strip() else None


def _set_value(given: NewObservation, key: str, kind: str, value: object) -> bool:
    """Set what one key says and return whether it is plain. Arrays are filled by their items."""
    if key in TEXTS:
        if kind != "text" or not isinstance(value, str) or not value or not is_plain(value):
            return False
        given.texts[key] = value
    elif key in LISTS:
        return kind == "array"
    elif key in NUMBERS:
        if kind != "integer" or not isinstance(value, int) or not 0 <= value < 1 << 53:
            return False
        given.numbers[key] = value
    elif key == "private":
        given.private |= kind == "true"
        return kind in ("true", "false")
    else:
        return False
    return True
