"""Upsert rows of a foreign table into one of ours, each once however often its file is imported.

A record holds the row it came from (`source`, `native_id`) and, as its `fingerprint`, a hash of the
values that the row gave it. So an unchanged row costs one look-up, and a record whose own values
have another fingerprint was edited here: it is left alone, and the report lists the difference.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from hashlib import blake2b
from typing import NamedTuple

from ...platform.clock import common_columns
from ...platform.translation import N_, _
from ...records.kinds import KIND_OF, ref
from ...search.index.bulk import Bulk, IndexTexts
from ...store import Store
from ...tables.base import Values, read_object
from .columns import defaults_of
from .report import Counts, Difference, Report
from .tombstones import PURGED, purged_native_ids

EDITED = N_("edited here since it was imported")
TWICE = N_("another row has the same id")
DAMAGED = N_("damaged in the source; what is here stays")

STAMPED = "updated_at = :updated_at, editor = :editor, hlc = max(:hlc, hlc + 1)"
UNSTAMPED = "updated_at = :updated_at"

_written = json.JSONEncoder(sort_keys=True).encode

VOLATILE = ("worker_port", "ide_session_id")
"""Keys of `extra` that make no difference to the fingerprint."""


class Upsert:
    """Upserts rows of one source into `table` by its INSERT statement. Records that were edited
    here go to `report`, if there is one. `bulk` inserts the rows, if there is one, and whoever made
    it finishes it."""

    def __init__(
        self,
        store: Store,
        source: str,
        table: str,
        insert: str,
        counts: Counts,
        report: Report | None = None,
        bulk: Bulk | None = None,
    ) -> None:
        self.store = store
        self.bulk = bulk
        self.source = source
        self.table = table
        self.insert = insert
        self.counts = counts
        self.report = report
        self.defaults = defaults_of(store.db, table)
        self.stamp = STAMPED if ":editor" in insert else UNSTAMPED
        self.touched: list[int] = []
        """The numbers of the records that the last `apply` made or changed."""

    def records(self, rows: Iterable[Mapped]) -> list[Values]:
        """Return what would be inserted of rows that are all new."""
        return [self._record(row) for row in rows]

    def apply(
        self,
        rows: Sequence[Mapped],
        records: Sequence[Values] | None = None,
        texts: IndexTexts | None = None,
    ) -> list[Values]:
        """Insert the new rows and update the changed ones, in one transaction; return the values of
        those inserted. `records` and `texts` are those of all these rows, where they were made
        before."""
        self.touched = []
        with self.store.transaction():
            ids = [row.native_id for row in rows]
            known = self.known(ids)
            purged: set[str] = set()
            if len(known) < len(ids):
                purged = purged_native_ids(self.store.db, self.source, self.table, ids)
            fresh: dict[str, Values] = {}
            for place, row in enumerate(rows):
                if row.native_id in known:
                    self._update(row, *known[row.native_id])
                elif row.native_id in purged:
                    self.counts.skip(PURGED)
                elif row.native_id in fresh:
                    self.counts.skip(TWICE)
                else:
                    fresh[row.native_id] = records[place] if records else self._record(row)
            inserted = list(fresh.values())
            with ExitStack() as stack:
                bulk = self.bulk or stack.enter_context(Bulk(self.store.db))
                is_whole = len(inserted) == len(rows)
                self.touched += bulk.insert(self.table, self.insert, inserted, texts if is_whole else None)
            self.counts.new += len(inserted)
        return inserted

    def known(self, native_ids: Iterable[str]) -> dict[str, tuple[int, str]]:
        """Return the number and fingerprint, by native id, of those of these rows that were
        imported before."""
        cursor = self.store.db.execute(
            f"SELECT native_id, id, fingerprint FROM {self.table} WHERE source = ? "
            "AND native_id IN (SELECT value FROM json_each(?))",
            (self.source, json.dumps(list(native_ids))),
        )
        return {native_id: (number, mark) for native_id, number, mark in cursor}

    def _record(self, row: Mapped) -> Values:
        values = common_columns(
            self.store.machine_id,
            at=row.values["created_at"],
            source=self.source,
            native_id=row.native_id,
            fingerprint=fingerprint(row.values),
        )
        return self.defaults | values | row.values | row.initial

    def _update(self, row: Mapped, number: int, mark: str) -> None:
        if row.is_damaged:
            self.counts.skip(DAMAGED)
            return
        wanted = fingerprint(row.values)
        if wanted == mark:
            self.counts.unchanged += 1
            return
        names = ", ".join(row.values)
        sql = f"SELECT {names} FROM {self.table} WHERE id = ?"
        results = self.store.db.execute(sql, (number,)).fetchall()[0]
        present = dict(zip(row.values, results, strict=True))
        if fingerprint(present) != mark:
            self._keep_edited(row, number, present)
            return
        changes = ", ".join(f"{name} = :{name}" for name in row.values)
        self.store.db.execute(
            f"UPDATE {self.table} SET {changes}, fingerprint = :fingerprint, {self.stamp} WHERE id = :id",
            self._record(row) | {"id": number},
        )
        self.counts.changed += 1
        self.touched.append(number)

    def _keep_edited(self, row: Mapped, number: int, present: Values) -> None:
        """Leave a record that was edited here; but hide it if its source hides it now, which is a change
        of the journal, as it is one of what people wrote."""
        differing = tuple(name for name in row.values if row.values[name] != present[name])
        if not differing:
            self.counts.unchanged += 1
            return
        self.counts.skip(EDITED)
        if self.report:
            self.report.differ(Difference(self.table, number, row.native_id, differing))
        if row.values.get("private") and not present["private"]:
            kind = KIND_OF[self.table]
            sql = f"UPDATE {self.table} SET private = 1, {self.stamp} WHERE id = :id"
            with self.store.journal.recording(
                _(
                    "{kind} {ref} hidden, as it is where it was imported from",
                    kind=_(kind),
                    ref=ref(kind, number),
                )
            ):
                self.store.db.execute(sql, self._record(row) | {"id": number})


def fingerprint(values: Values) -> str:
    """Return a hash of 16 digits of a row's values, whatever their order."""
    extra = values.get("extra")
    if extra and any(name in extra for name in VOLATILE):
        kept = {key: item for key, item in read_object(extra).items() if key not in VOLATILE}
        lasting = json.dumps(kept, ensure_ascii=False, sort_keys=True) if kept else None
        values = values | {"extra": lasting}
    return blake2b(_written(values).encode(), digest_size=8).hexdigest()


class Mapped(NamedTuple):
    """A foreign row as values of our table.

    `values` follow the source; `initial` are set once and may change here; columns in neither have
    their defaults. A row that `is_damaged`
    never changes a record that is here already.
    """

    native_id: str
    values: Values
    initial: Values
    is_damaged: bool = False
