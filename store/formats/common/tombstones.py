"""Tombstones: records that were purged here, which no import brings back, and marks on records
whose rows their source no longer has.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

import apsw

from ...platform.translation import N_
from ...store import Store

PURGED = N_("purged here")
"""Why a row is skipped whose record was purged."""

_PURGED_IDS = """
SELECT native_id FROM purged
WHERE source = ? AND kind = ? AND native_id IN (SELECT value FROM json_each(?))
"""


def purged_native_ids(db: apsw.Connection, source: str, table: str, native_ids: Iterable[str]) -> set[str]:
    """Return those of a source's rows whose records in `table` were purged."""
    values = (source, table, json.dumps(list(native_ids)))
    return {str(native_id) for (native_id,) in db.execute(_PURGED_IDS, values)}


def is_purged(db: apsw.Connection, table: str, uid: str, source: str | None, native_id: str | None) -> bool:
    """Return whether the record of this uid, or of this row of a source in a table, was purged."""
    sql = "SELECT 1 FROM purged WHERE uid = ? OR (source = ? AND native_id = ? AND kind = ?)"
    return db.execute(sql, (uid, source, native_id, table)).get is not None


class PurgedRecords:
    """All records that were purged, by uid, and those of one source by native id."""

    def __init__(self, store: Store, source: str) -> None:
        rows = store.db.execute("SELECT uid, source, native_id FROM purged").fetchall()
        self._uids = {uid for uid, _, _ in rows}
        self._native_ids = {native_id for _, of, native_id in rows if of == source}

    def has(self, uid: object = None, native_id: str | None = None) -> bool:
        """Return whether the record of this uid, or of this row of the source, was purged."""
        return uid in self._uids or native_id in self._native_ids


def mark_vanished(db: apsw.Connection, table: str, record_id: int, at: int) -> bool:
    """Mark a record whose row its source lost, `at` ms since the epoch; False if it was marked."""
    db.execute(
        "INSERT INTO vanished (kind, record_id, at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
        (table, record_id, at),
    )
    return db.changes() > 0


def unmark_vanished(db: apsw.Connection, table: str, record_id: int) -> bool:
    """Take the mark away from a record whose row is back; False if it had none."""
    db.execute("DELETE FROM vanished WHERE kind = ? AND record_id = ?", (table, record_id))
    return db.changes() > 0
