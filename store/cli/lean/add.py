"""`mem add` without typer: the plain cases, in little more time than Python takes to start.

Whatever is unusual (another flag, a private tag, a control character, a file that isn't ready)
gives None before anything is written, and `store.cli.add` does it. A test holds the two equal.
"""

from __future__ import annotations

import os

import apsw

from ...database.connection import OLDEST_SQLITE
from ...paths import default_path_text
from ...tables import lean
from ...tables.lean import NewObservation

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


def add(arguments: list[str]) -> int | None:
    """Store the observation a command line describes and give its id; None if it isn't plain."""
    given = understood(arguments)
    if given is None or apsw.SQLITE_VERSION_NUMBER < OLDEST_SQLITE:
        return None
    path = given.texts.get("db") or default_path_text()
    try:
        db = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READWRITE)
    except (apsw.Error, UnicodeEncodeError):
        return None
    try:
        return lean.add_observation(db, given)
    finally:
        # Without closing it, each start would have to read a log that grows.
        db.close()


def leave(number: int) -> None:
    """Print an id and end the process at once: taking the interpreter down costs a millisecond."""
    try:  # noqa: SIM105 - contextlib would have to be imported
        os.write(1, b"%d\n" % number)
    except OSError:
        # Whoever should have read it is gone; the row is stored.
        pass
    os._exit(0)


def understood(arguments: list[str]) -> NewObservation | None:
    """The flags and the title, or None where typer has to look at them."""
    given = NewObservation()
    words: list[str] = []
    rest = iter(arguments)
    for argument in rest:
        name, equals, value = argument.partition("=")
        if name in TEXTS or name in LISTS or name in NUMBERS:
            if not take(given, name, value if equals else next(rest, "")):
                return None
        elif argument == "--private":
            given.private = True
        elif argument[:1] in ("", "-"):
            return None
        else:
            words.append(argument)
        if words[:1] != ["add"] and name != "--db":
            return None
    if len(words) != 2 or not lean.is_plain("".join(arguments)):
        return None
    given.texts["title"] = words[1]
    return given


def take(given: NewObservation, name: str, value: str) -> bool:
    """Note a flag's value; False for one that isn't plain."""
    if value[:1] in ("", "-"):
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
