"""What has arrived in a store, as it happened, since someone last looked into it with the browser.

Numbers of records grow as they are stored, whatever their time, and are never given twice. The uid of a
record tells when it was stored: what an import brings happened before, and is not new.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import apsw

from ...database.transaction import in_snapshot, try_write
from ...kinds import LETTERS, TABLES, VISIBLE
from ...records.dataclasses import dataclass

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
