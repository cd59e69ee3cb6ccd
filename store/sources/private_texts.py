"""What private rows of trae-mem say: it stands in its summaries too, if they were flagged later."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

import apsw

from ..privacy import clean, strip_private
from .foreign_row import ForeignRow, read
from .foreign_table import table
from .report import Report

SHORTEST = 6
"""Characters: what is shorter says nothing by itself, and would be taken out of every text."""

CLIPPED = 16
"""Characters of the beginning of a private text that tell it, where a summary cut it off."""

_MARKER = re.compile(r"^[-*•\s]*(?:[\w./-]{1,40}: )?")


FLAGGED = """
SELECT CAST(session_id AS BLOB), CAST(content AS BLOB) FROM observations
WHERE private IS NOT NULL AND private NOT IN (0, '0')
"""


def is_private(row: ForeignRow) -> bool:
    """Whether a row is flagged: by anything but zero or nothing."""
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

    def taken_out(self, text: str, session: str) -> str:
        """A text without the passages that a private row of its session says, too."""
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
    found = table(db, "observations")
    for row in read(db, found, Report("")) if found else ():
        if is_private(row):
            yield row.text("session_id"), row.text("content")


def _decoded(value: object) -> str:
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value or "")


def _begins(private: str, line: str) -> bool:
    """Whether a line of a summary is the beginning of a private text."""
    said = " ".join(_MARKER.sub("", line).rstrip("…. ").split())
    return len(said) >= CLIPPED and private.startswith(said)
