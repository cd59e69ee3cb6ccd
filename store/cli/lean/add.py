"""`mem add` without typer: the plain cases, in little more time than Python takes to start.

Whatever is unusual (another flag, a private tag, a control character, a file that isn't ready)
gives None before anything is written, and `memtui.store.cli.commands.add` does it. A test holds the two
equal.
"""

from __future__ import annotations

import os

import apsw

from ...agents.shell import agent_shell
from ...database.connection import OLDEST_SQLITE, has_log
from ...platform.paths import OTHERS, default_path_text
from ...records.kinds import OBSERVATION_TYPES
from ...tables import lean, unembedded
from ...tables.lean import NewObservation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

TEXTS = {
    "--type": "type", "--subtitle": "subtitle", "--narrative": "narrative", "--tool": "tool_name",
    "--project": "project", "--session": "session", "--agent": "agent", "--event-id": "event_id",
    "--db": "db",
}  # fmt: skip
LISTS = {
    "--fact": "facts", "--concept": "concepts", "--read": "files_read",
    "--modified": "files_modified", "--tag": "tags",
}  # fmt: skip
NUMBERS = {"--prompt-number": "prompt_number", "--tokens": "discovery_tokens"}


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
        from .json_lines import read_observations

        read = read_observations(line.given)
        if read is None:
            return None
        given = read
    for observation in given:
        join_shell(observation, os.environ)
    path = line.given.texts.get("db") or default_path_text()
    try:
        if os.stat(path).st_mode & OTHERS or os.path.exists(f"{path}-spool/drafts"):
            return None
        if has_log(path):
            from ...database.files.leftovers import is_quiet

            if not is_quiet(path):
                return None
        db = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READWRITE)
    except (apsw.Error, OSError, UnicodeEncodeError):
        return None
    try:
        shell = agent_shell(os.environ)
        numbers = lean.add_observations(db, given, shell[0] if shell else None)
        is_embedded = numbers is not None and unembedded.are_kept(db)
    finally:
        # Without closing it, each start would have to read a log that grows.
        db.close()
    if is_embedded:
        _have_vectors_follow(path)
    return numbers


def _have_vectors_follow(path: str) -> None:
    from ...observe.jobs.spawn import spawn_job

    # The rows are stored, and whoever comes next has their vectors built.
    try:  # noqa: SIM105 - contextlib would have to be imported
        spawn_job(os.fsencode(os.path.realpath(path)))
    except OSError:
        pass


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
    from ...platform.translation import _

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
        if name in TEXTS or name in LISTS or name in NUMBERS:
            if not _set_option(line.given, name, value if equals else next(rest, "")):
                return None
        elif argument == "--private":
            line.given.private = True
        elif argument == "--stdin":
            line.is_stdin = True
        elif argument[:1] in ("", "-") or not argument.strip() or not lean.is_plain(argument):
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
    if value[:1] in ("", "-") or not lean.is_plain(value):
        return False
    if name in TEXTS:
        given.texts[TEXTS[name]] = value
    elif name in LISTS:
        given.lists[LISTS[name]].append(value)
    elif value.isascii() and value.isdigit() and len(value) < 16:
        given.numbers[NUMBERS[name]] = int(value)
    else:
        return False
    return True
