"""trae-mem: times in seconds, prompts among the observations, private rows, the editor's ids in a file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import apsw

from ...formats.common.report import Report
from ...formats.common.upsert import Mapped
from ...formats.sqlite.row import ForeignRow, read_rows
from ...platform.regular_file import read_regular
from ...tables.base import Values
from ...text import clean
from ...text.redaction import strip_private
from .mapping import (
    OBSERVATIONS,
    PROMPTS,
    SUMMARIES,
    ChildSource,
    Names,
    Program,
    Reading,
    SessionSource,
    always,
    created,
    one_of,
    record,
    session_values,
)

AGENT = "trae"
SESSION_MAP = "session_map.json"
"""A file beside the database: `PATH:ID` of each of the editor's sessions, and trae-mem's id of it.
"""

LEVELS = {"brief": "brief", "detailed": "detailed"}

SHORTEST = 6
"""Characters: a shorter private text says nothing by itself, and would be taken out of every text.
"""

CLIPPED = 16
"""Characters of the beginning of a private text by which it is known, where a summary cut it off.
"""

_MARKER = re.compile(r"^[-*•\s]*(?:[\w./-]{1,40}: )?")


FLAGGED = """
SELECT CAST(session_id AS BLOB), CAST(content AS BLOB) FROM observations
WHERE private IS NOT NULL AND private NOT IN (0, '0')
"""


def program(db: apsw.Connection, path: Path) -> Program:
    """Return how this file of trae-mem is read."""
    rows = _TraeMem(db, path)
    return Program(
        "trae-mem",
        AGENT,
        (SessionSource("sessions", rows.names, rows.session),),
        (
            ChildSource("observations", (PROMPTS, OBSERVATIONS), rows.reading, native=("session_id",)),
            ChildSource("summaries", (SUMMARIES,), always(SUMMARIES, rows.summary), native=("session_id",)),
        ),
    )


class _TraeMem:
    def __init__(self, db: apsw.Connection, path: Path) -> None:
        self.private = PrivateTexts(db)
        self.editor_ids = editor_ids(path.resolve().with_name(SESSION_MAP))

    def names(self, row: ForeignRow) -> Names:
        """Return its own id; only a side file may know the editor's."""
        return Names(row.native_id, None, AGENT)

    def session(self, row: ForeignRow, names: Names) -> Mapped:
        """Map a session: its project is the last part of its path."""
        started = created(row, row.epoch("started_at"))
        path, ended = row.text("project_path"), row.epoch("ended_at")
        values = session_values(names, started, ended) | {
            "project": re.split(r"[/\\]", (path or "").rstrip("/\\"))[-1],
            "project_path": path,
            "title": None,
            "status": "active" if ended is None else "completed",
        }
        if result := self.editor_ids.get(row.native_id):
            row.keep("ide_session_id", result)
        return record(row, values)

    def reading(self, row: ForeignRow) -> Reading:
        """Return prompts for what the user said, observations for all else."""
        if row.text("kind") == "user":
            return PROMPTS, self.prompt
        return OBSERVATIONS, self.observation

    def prompt(self, row: ForeignRow) -> Mapped:
        """Map a prompt. trae-mem doesn't number them."""
        values: Values = {
            "created_at": created(row, row.epoch("ts")),
            "private": int(is_private(row)),
            "prompt_number": 0,
            "text": self._shown(row) or "",
        }
        return record(row, values)

    def observation(self, row: ForeignRow) -> Mapped:
        """Map an observation: the first line of its text is its title."""
        text = self._shown(row)
        values: Values = {
            "created_at": created(row, row.epoch("ts")),
            "private": int(is_private(row)),
            "project": None,
            "type": row.text("kind") or "unknown",
            "title": text.strip().split("\n", 1)[0].strip() or None if text else None,
            "narrative": text,
            "tool_name": row.text("tool_name"),
        }
        return record(row, values)

    def summary(self, row: ForeignRow) -> Mapped:
        """Map a summary, brief or detailed, in one text."""
        values: Values = {
            "created_at": created(row, row.epoch("created_at")),
            "project": None,
            "level": one_of(row, "level", LEVELS, "detailed"),
            "text": self._shown(row),
        }
        return record(row, values)

    def _shown(self, row: ForeignRow) -> str | None:
        """Return a row's text; unless the row is private, without what private rows of its session
        say."""
        text = row.text("content")
        if text is None or is_private(row):
            return text
        return self.private.without_private(text, row.text("session_id") or "") or None


def editor_ids(path: Path) -> dict[str, str]:
    """Return the editor's own ids of sessions, by trae-mem's, from the side file; {} where that is
    missing or broken."""
    try:
        result = json.loads(read_regular(path).decode("utf-8", "replace"))
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(result, dict):
        return {}
    return {
        session: clean(str(key).rpartition(":")[2])
        for key, session in result.items()
        if isinstance(session, str)
    }


def is_private(row: ForeignRow) -> bool:
    """Return whether a row is flagged: by anything but zero or nothing."""
    return row.text("private") not in (None, "0", "0.0")


class PrivateTexts:
    """The texts of a file's private rows, by session; kept in a temporary file, however many."""

    def __init__(self, db: apsw.Connection) -> None:
        self.texts = apsw.Connection("")
        self.texts.execute("CREATE TABLE texts (session TEXT, text TEXT)")
        try:
            self._keep(db.execute(FLAGGED))
        except apsw.Error:
            self._keep(_found_around_damage(db))
        self.texts.execute("CREATE INDEX texts_by_session ON texts (session)")
        self.of_session = lru_cache(1_000)(self._of_session)

    def without_private(self, text: str, session: str) -> str:
        """Return a text without the passages that private rows of its session say, too."""
        for private in self.of_session(session):
            pattern = r"\s+".join(map(re.escape, private.split(" ")))
            text = re.sub(pattern, "", text)
            lines = text.split("\n")
            kept = [line for line in lines if not _begins(private, line)]
            if len(kept) < len(lines):
                text = "\n".join(kept)
        return text

    def _keep(self, rows: Iterable[Any]) -> None:
        for session, content in rows:
            text = " ".join(strip_private(clean(_decoded(content)))[0].split())
            if len(text) >= SHORTEST and text != "[PRIVATE]":
                self.texts.execute("INSERT INTO texts VALUES (?, ?)", (_decoded(session), text))

    def _of_session(self, session: str) -> list[str]:
        rows = self.texts.execute("SELECT text FROM texts WHERE session = ?", (session,))
        return [str(text) for (text,) in rows]


def _found_around_damage(db: apsw.Connection) -> Iterator[tuple[str | None, str | None]]:
    for row in read_rows(db, "observations", Report("")):
        if is_private(row):
            yield row.text("session_id"), row.text("content")


def _decoded(value: object) -> str:
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value or "")


def _begins(private: str, line: str) -> bool:
    """Return whether a line of a summary is the beginning of a private text."""
    said = " ".join(_MARKER.sub("", line).rstrip("…. ").split())
    return len(said) >= CLIPPED and private.startswith(said)
