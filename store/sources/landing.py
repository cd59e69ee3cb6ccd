"""Put rows of one foreign table into one of ours, each once however often its file is imported.

A record knows the row it came from (`source`, `native_id`) and, in its `fingerprint`, the values
that the row gave it. So an unchanged row costs one look, and a record whose own values have another
fingerprint was edited here: it is left alone.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import blake2b
from typing import NamedTuple

from ..rows import Values, common
from ..store import Store
from .report import Counts

EDITED = "edited here since it was imported"

STAMPED = "updated_at = :updated_at, editor = :editor, hlc = max(:hlc, hlc + 1)"
UNSTAMPED = "updated_at = :updated_at"


class Mapped(NamedTuple):
    """A foreign row as one of our tables holds it.

    `values` follow the source; `initial` are set once and may go their own way.
    """

    native_id: str
    values: Values
    initial: Values


class Landing:
    """Where the rows of one kind come down: a table, by its INSERT, for one source."""

    def __init__(self, store: Store, source: str, table: str, insert: str, counts: Counts) -> None:
        self.store = store
        self.source = source
        self.table = table
        self.insert = insert
        self.counts = counts
        self.stamp = STAMPED if ":editor" in insert else UNSTAMPED

    def put(self, rows: Sequence[Mapped]) -> list[Values]:
        """Insert the new rows, update the changed ones; one unit of work. Gives what was inserted."""
        with self.store.unit():
            known = self.known([row.native_id for row in rows])
            fresh = [self._record(row) for row in rows if row.native_id not in known]
            self.store.db.executemany(self.insert, fresh).fetchall()
            self.counts.new += len(fresh)
            for row in rows:
                if row.native_id in known:
                    self._follow(row, *known[row.native_id])
        return fresh

    def known(self, native_ids: Sequence[str]) -> dict[str, tuple[int, str]]:
        """Our id and the fingerprint of each of these rows that was imported before."""
        found = self.store.db.execute(
            f"SELECT native_id, id, fingerprint FROM {self.table} WHERE source = ? "
            "AND native_id IN (SELECT value FROM json_each(?))",
            (self.source, json.dumps(native_ids)),
        )
        return {native_id: (number, mark) for native_id, number, mark in found}

    def _record(self, row: Mapped) -> Values:
        values = common(
            self.store.machine_id,
            at=row.values["created_at"],
            source=self.source,
            native_id=row.native_id,
            fingerprint=fingerprint(row.values),
        )
        return values | row.values | row.initial

    def _follow(self, row: Mapped, number: int, mark: str) -> None:
        wanted = fingerprint(row.values)
        if wanted == mark:
            self.counts.unchanged += 1
            return
        names = ", ".join(row.values)
        sql = f"SELECT {names} FROM {self.table} WHERE id = ?"
        present = self.store.db.execute(sql, (number,)).fetchall()[0]
        if fingerprint(dict(zip(row.values, present, strict=True))) != mark:
            self.counts.skip(EDITED)
            return
        changes = ", ".join(f"{name} = :{name}" for name in row.values)
        self.store.db.execute(
            f"UPDATE {self.table} SET {changes}, fingerprint = :fingerprint, {self.stamp} "
            "WHERE id = :id",
            self._record(row) | {"id": number},
        )
        self.counts.changed += 1


def fingerprint(values: Values) -> str:
    """A short hash of what a row says, whatever the order in which it says it."""
    return blake2b(json.dumps(values, sort_keys=True).encode(), digest_size=8).hexdigest()
