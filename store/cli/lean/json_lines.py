"""`mem add --stdin` without typer and json: a few plain lines, parsed by SQLite.

What isn't plain, or is more than a few lines, is left to the store. So that it can read them too,
`sys.stdin` then gives every byte again.
"""

from __future__ import annotations

import io
import os
import sys

import apsw

from ...tables.lean import LISTS, NewObservation, is_plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

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
