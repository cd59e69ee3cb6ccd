"""Upsert rows of a foreign table into one of ours, each once however often its file is imported.

A record holds the row it came from (`source`, `native_id`) and, as its `fingerprint`, a hash of the
values that the row gave it. So an unchanged row costs one look-up, and a record whose own values have
another fingerprint was edited here: it is left alone, and the report lists the difference.

A row whose record was purged here is skipped; a record whose row its source has lost is marked.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from hashlib import blake2b
from typing import Any, NamedTuple

import apsw

from ...platform.clock import common_columns
from ...platform.translation import N_, _
from ...records.kinds import KIND_OF, TABLES, ref
from ...search.index.bulk import Bulk, IndexTexts
from ...store import Store
from ...tables.base import Values, read_object
from .report import Counts, Difference, Report

EDITED = N_("edited here since it was imported")
TWICE = N_("another row has the same id")
DAMAGED = N_("damaged in the source; what is here stays")

PURGED = N_("purged here")
"""Why a row is skipped whose record was purged."""

STAMPED = "updated_at = :updated_at, editor = :editor, hlc = max(:hlc, hlc + 1)"
UNSTAMPED = "updated_at = :updated_at"

VOLATILE = ("worker_port", "ide_session_id")
"""Keys of `extra` that make no difference to the fingerprint."""

_written = json.JSONEncoder(sort_keys=True).encode


class Mapped(NamedTuple):
    """A foreign row as values of our table.

    `values` follow the source; `initial` are set once and may change here; columns in neither have
    their defaults. A row that `is_damaged` never changes a record that is here already.
    """

    native_id: str
    values: Values
    initial: Values
    is_damaged: bool = False


class Upsert:
    """Upserts rows of one source into `table` by its INSERT statement. Records that were edited here go to
    `report`, if there is one. `bulk` inserts the rows, if there is one, and whoever made it finishes it."""

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
        """Insert the new rows and update the changed ones, in one transaction; return the values of those
        inserted. `records` and `texts` are those of all these rows, where they were made before."""
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


def label_source(store: Store, name: str, others: Sequence[str]) -> None:
    """Set the `source` of all records to `name`, except those that have one of the `others`.

    Their native ids are lost with it, so nothing more can be imported from there.
    """
    with store.transaction():
        for table in (*TABLES.values(), "pending_messages"):
            store.db.execute(
                f"UPDATE {table} SET source = ?1, native_id = uid "
                "WHERE source IS NULL OR source NOT IN (SELECT value FROM json_each(?2))",
                (name, json.dumps([*others])),
            )


def purged_native_ids(db: apsw.Connection, source: str, table: str, native_ids: Iterable[str]) -> set[str]:
    """Return those of a source's rows whose records in `table` were purged."""
    sql = (
        "SELECT native_id FROM purged "
        "WHERE source = ? AND kind = ? AND native_id IN (SELECT value FROM json_each(?))"
    )
    values = (source, table, json.dumps(list(native_ids)))
    return {str(native_id) for (native_id,) in db.execute(sql, values)}


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


class Column(NamedTuple):
    """A column: its type, whether it may be NULL, and its value where none is given."""

    name: str
    kind: str
    optional: bool
    default: Any


def columns_of(db: apsw.Connection, table: str) -> list[Column]:
    """Return the columns of a table of ours, in their order."""
    sql = 'SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_info(?)'
    rows: list[Any] = db.execute(sql, (table,)).fetchall()
    written = ", ".join("NULL" if default is None else default for _, _, _, default, _ in rows)
    defaults: Any = db.execute(f"SELECT {written}").fetchone()
    columns = []
    for (name, kind, needed, _declared, key), default in zip(rows, defaults, strict=True):
        # The number is the one key that SQLite gives by itself.
        is_number = bool(key) and name == "id" and kind == "INTEGER"
        columns.append(Column(name, kind, is_number or not (needed or key), default))
    return columns


def defaults_of(db: apsw.Connection, table: str) -> Values:
    """Return what each column of a table holds where nothing is given, None included."""
    return {column.name: column.default for column in columns_of(db, table)}
