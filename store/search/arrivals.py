"""What has arrived in a store: as it happened, since someone last looked into it with the browser; and
what is stored from now on, memories that match a query, sessions that start and notes that are written.

Numbers of records grow as they are stored, whatever their time, and are never given twice. The uid of a
record tells when it was stored: what an import brings happened before, and is not new.

Numbers of records grow as they are committed, so those above the last one seen are new, each once, whoever
wrote them and whatever their own time. A row that only changes, or is shown again, is not stored anew.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from heapq import merge
from typing import Any

import apsw

from ..database.transaction import in_snapshot, try_write
from ..platform.clock import horizon_ms
from ..records.dataclasses import dataclass, replace
from ..records.kinds import LETTERS, TABLES, VISIBLE
from ..records.rows import Hit, Note, Session
from ..tables.base import columns, to_record
from .listing import rows as listing
from .matching import Matcher
from .page import search
from .query.language import Query

KEY = "arrivals_seen"
PATIENCE_SECONDS = 0.1
"""How long a lock is waited for: nobody should wait for that."""
KINDS = ("observation", "prompt", "summary", "fact", "session")
REMEMBER = """
INSERT INTO meta VALUES (?, ?)
ON CONFLICT (key) DO UPDATE SET value = excluded.value WHERE value <> excluded.value
"""
MOST = 5_000
"""So many arrivals of a kind are told apart; of more only the newest are new."""
LATEST_MS = 3_600_000
"""A record that was stored later than this after it happened was imported."""
IS_LIVE = (
    f"substr(uid, 15, 1) = '7' AND uid < printf('%08x-%04x', (created_at + {LATEST_MS}) >> 16, "
    f"(created_at + {LATEST_MS}) & 0xFFFF)"
)


@dataclass(frozen=True, slots=True)
class Seen:
    """What was seen: of each kind everything up to a number, and beyond that these numbers."""

    highest: Mapping[str, int]
    others: Mapping[str, frozenset[int]]


class Arrivals:
    """One row of `meta`, which is no change of the journal."""

    def __init__(self, db: apsw.Connection) -> None:
        self.db = db

    @in_snapshot
    def seen(self) -> Seen:
        """Return what was seen when the browser was left last; on the first visit, all there is."""
        return self._stored() or Seen(self._highest(), {})

    @in_snapshot
    def unseen(self, seen: Seen) -> dict[str, frozenset[int]]:
        """Return the numbers of the visible records of each kind that weren't seen, `MOST` of each."""
        return {kind: self._after(kind, seen) for kind in KINDS}

    def keep(self, seen: Seen) -> None:
        """Remember what was seen, with what others have kept meanwhile; left undone where it can't be
        done soon."""
        try_write(self.db, lambda: self._write(seen), PATIENCE_SECONDS)

    def _write(self, seen: Seen) -> None:
        stored = self._stored() or Seen({}, {})
        last = self._highest()
        highest, others = {}, {}
        for kind in KINDS:
            known = max(seen.highest.get(kind, 0), stored.highest.get(kind, 0))
            known = max(known, last.get(kind, 0) - MOST)
            one_by_one = seen.others.get(kind, frozenset()) | stored.others.get(kind, frozenset())
            missing = self._after(kind, Seen({kind: known}, {kind: one_by_one}))
            highest[kind] = min(missing) - 1 if missing else max(known, last.get(kind, 0))
            others[kind] = sorted(number for number in one_by_one if number > highest[kind])
        # Where nothing else was seen than before, nothing is written.
        self.db.execute(REMEMBER, (KEY, json.dumps({"highest": highest, "others": others})))

    def _stored(self) -> Seen | None:
        text: Any = self.db.execute("SELECT value FROM meta WHERE key = ?", (KEY,)).get
        try:
            result = json.loads(text)
            return Seen(
                {kind: int(result["highest"].get(kind, 0)) for kind in KINDS},
                {kind: frozenset(map(int, result["others"].get(kind, ()))) for kind in KINDS},
            )
        except (TypeError, ValueError, KeyError, AttributeError):
            return None

    def _highest(self) -> dict[str, int]:
        """The highest number that a record of each kind ever had."""
        rows: Any = self.db.execute("SELECT name, seq FROM sqlite_sequence").fetchall()
        numbers = {str(name): int(number) for name, number in rows}
        return {kind: numbers.get(TABLES[kind], 0) for kind in KINDS}

    def _after(self, kind: str, seen: Seen) -> frozenset[int]:
        values = {"after": seen.highest.get(kind, 0), "most": MOST, "kind": LETTERS.get(kind)}
        is_listed = VISIBLE
        if kind in LETTERS:
            is_listed = "EXISTS (SELECT 1 FROM documents WHERE kind = :kind AND record_id = t.id)"
        sql = (
            f"SELECT id FROM {TABLES[kind]} t WHERE id > :after AND {IS_LIVE} AND {is_listed} "
            "ORDER BY id DESC LIMIT :most"
        )
        rows: Any = self.db.execute(sql, values).fetchall()
        others = seen.others.get(kind, frozenset())
        return frozenset(number for (number,) in rows if number not in others)


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
        hits, horizon = search(self.db, self.query, limit=number).hits, horizon_ms()
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
        return sorted(matches, key=lambda item: (_stored_at(item) <= horizon, _stored_at(item)))[-number:]

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


def _stored_at(item: Stored) -> int:
    """Return when a memory is of, in ms since the epoch, UTC."""
    return item.row.created_at if isinstance(item, Hit) else item.created_at


def _clock(item: Stored) -> int:
    return item.record.hlc if isinstance(item, Hit) else item.hlc
