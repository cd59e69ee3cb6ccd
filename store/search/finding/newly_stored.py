"""What is stored from now on, in the order in which it is: memories that match a query, and with them
the sessions that start and the notes that are written.

Numbers of records grow as they are committed, so those above the last one seen are new, each once,
whoever wrote them and whatever their own time. A row that only changes, or is shown again, is not
stored anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import merge
from typing import Any

import apsw

from ...clock import horizon_ms
from ...database.transaction import in_snapshot
from ...kinds import LETTERS, TABLES, VISIBLE
from ...records import Hit, Note, Session
from ...records.dataclasses import replace
from ...tables.base import columns, to_record
from .. import results
from ..listing import rows as listing
from ..matching.matcher import Matcher
from ..query.language import Query

Stored = Hit | Session | Note
"""A memory as a search gives it, a session that started, or a note."""

AT_ONCE = 1_000
"""So many numbers of a kind are looked at in one go."""
OF_ALL = frozenset(("project", "agent"))
"""The filters that say something of sessions too; of notes only the first does."""

RANGE = """
SELECT d.id FROM (
    SELECT * FROM {source} WHERE kind = ? AND record_id > ? AND record_id <= ? LIMIT -1
) d WHERE {condition} ORDER BY d.record_id
"""


class NewlyStored:
    """What is stored in one memory from a moment on. Nothing is kept open between two looks."""

    def __init__(
        self,
        db: apsw.Connection,
        query: Query,
        *,
        marks: dict[str, int] | None = None,
        since: int | None = None,
    ) -> None:
        """`marks` are those of an earlier look into the same memory; `since` is a moment (ms), what was
        written from then on is new. With neither, what is committed from now on is."""
        self.db = db
        self.query = replace(query, sort="recent")
        self.has_more = False
        """Whether the last look left something for the next one."""
        self.marks: dict[str, int] = {}
        """Of each kind the number up to which all was seen."""
        if marks is not None:
            self.marks = dict(marks)
        else:
            self.marks = self._highest() if since is None else self._written_before(since)

    @in_snapshot
    def last(self, number: int) -> list[Stored]:
        """Return the newest that match, the oldest of them first; what comes later is new."""
        self.marks = self._highest()
        if not number:
            return []
        hits, horizon = results.search(self.db, self.query, limit=number).hits, horizon_ms()
        others = [
            *self._others(
                Session,
                "ORDER BY created_at > ?, created_at DESC, id DESC LIMIT ?",
                horizon,
                number,
            ),
            *self._others(Note, "ORDER BY updated_at DESC, id DESC LIMIT ?", number),
        ]
        matches: list[Stored] = [*hits, *others]
        # What is dated ahead by a clock that was wrong is no news.
        return sorted(matches, key=lambda item: (stored_at(item) <= horizon, stored_at(item)))[-number:]

    @in_snapshot
    def new(self) -> list[Stored]:
        """Return what was committed since the last look, `AT_ONCE` of a kind at most."""
        self.has_more = False
        matches: list[list[Stored]] = []
        for kind in TABLES:
            low = self.marks[kind]
            high = self._up_to(kind, low)
            if high > low:
                matches.append(self._between(kind, low, high))
                self.marks[kind] = high
        # Within a kind by number; between kinds by the clock that each row has from being written.
        return list(merge(*matches, key=_clock))

    @in_snapshot
    def is_of_before(self) -> bool:
        """Whether an earlier state took this memory's place, which counts from lower numbers."""
        highest = self._highest()
        return any(number < self.marks[kind] for kind, number in highest.items())

    def _up_to(self, kind: str, low: int) -> int:
        sql = (
            "SELECT count(*), max(id) FROM "
            f"(SELECT id FROM {TABLES[kind]} WHERE id > ? ORDER BY id LIMIT {AT_ONCE})"
        )
        row: Any = self.db.execute(sql, (low,)).fetchall()[0]
        many, high = row
        self.has_more = self.has_more or many == AT_ONCE
        return int(high or low)

    def _between(self, kind: str, low: int, high: int) -> list[Stored]:
        if kind == "session":
            return [*self._others(Session, "AND id > ? AND id <= ? ORDER BY id", low, high)]
        if kind == "note":
            return [*self._others(Note, "AND id > ? AND id <= ? ORDER BY id", low, high)]
        matcher = Matcher(self.db, self.query)
        sql = RANGE.format(source=matcher.where.source, condition=matcher.where.sql)
        values = (LETTERS[kind], low, high, *matcher.where.values)
        ids: list[int] = [number for (number,) in self.db.execute(sql, values)]
        if self.query.clauses or self.query.excluded:
            ids = [document.id for document in matcher.verified(ids, AT_ONCE)]
        return [*listing.describe(self.db, self.query, ((value, 0.0) for value in ids), {})]

    def _others(
        self, record: type[Session] | type[Note], more: str, *values: int
    ) -> Iterator[Session | Note]:
        """Yield sessions or notes that the query's filters say nothing against; its words, and filters
        of what these don't have, match none."""
        query = self.query
        allowed = OF_ALL if record is Session else OF_ALL - {"agent"}
        if query.clauses or query.excluded or query.flags:
            return
        if any(item.name not in allowed for item in query.filters):
            return
        conditions, bound = [VISIBLE], list[object]()
        for entry in query.filters:
            marks = ", ".join("?" * len(entry.values))
            denied = "NOT " if entry.negated else ""
            conditions.append(f"{entry.name} COLLATE NOCASE {denied}IN ({marks})")
            bound += entry.values
        for sign, moment in ((">=", query.since), ("<", query.until)):
            if moment is not None:
                conditions.append(f"created_at {sign} ?")
                bound.append(moment)
        sql = (
            f"SELECT {columns(record)} FROM {TABLES[record.__name__.lower()]} "
            f"WHERE {' AND '.join(conditions)} {more}"
        )
        for row in self.db.execute(sql, (*bound, *values)).fetchall():
            yield to_record(record, row)

    def _highest(self) -> dict[str, int]:
        """Return the highest number that a record of each kind ever had."""
        rows: Any = self.db.execute("SELECT name, seq FROM sqlite_sequence").fetchall()
        numbers = {str(name): int(number) for name, number in rows}
        return {kind: numbers.get(table, 0) for kind, table in TABLES.items()}

    def _written_before(self, since: int) -> dict[str, int]:
        """Return the highest number of each kind that was written before a moment (ms)."""
        sql = "SELECT coalesce(max(id), 0) FROM {} WHERE updated_at < ?"
        return {
            kind: int(self.db.execute(sql.format(table), (since,)).get) for kind, table in TABLES.items()
        }


def stored_at(item: Stored) -> int:
    """Return when a memory is of, in ms since the epoch, UTC."""
    return item.row.created_at if isinstance(item, Hit) else item.created_at


def _clock(item: Stored) -> int:
    return item.record.hlc if isinstance(item, Hit) else item.hlc
