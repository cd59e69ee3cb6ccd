"""Mark the records whose lines a directory has no more, and unmark those whose lines are back."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from ...clock import now_ms
from ...store import Store
from ..common.report import Report
from ..common.tombstones import mark_vanished, unmark_vanished

_TABLES = ("observations", "summaries", "notes")


class VanishedLines:
    """Compares, file by file, the lines that are there with those that were."""

    def __init__(self, store: Store, report: Report) -> None:
        self.store = store
        self.report = report
        self.source = report.source
        self.now = now_ms()
        self._seen: set[str] = set()

    def see(self, native_id: str) -> None:
        """Note that a line is there."""
        self._seen.add(native_id)

    def close_file(self, file: str) -> None:
        """Mark what a file has lost, all of whose lines were seen."""
        # "$" comes next after "#", which stands behind the file in every line's name.
        self._compare("BETWEEN ? AND ?", (f"{file}#", f"{file}$"))
        self._seen.clear()

    def close(self, files: Collection[str]) -> None:
        """Mark what other files held; `files` are those that are there."""
        with self.store.transaction():
            for table in (*_TABLES, "fact_sources"):
                names: list[Any] = self.store.db.execute(
                    f"SELECT DISTINCT iif(instr(native_id, '#'), "
                    f"substr(native_id, 1, instr(native_id, '#') - 1), native_id) "
                    f"FROM {table} WHERE source = ?",
                    (self.source,),
                ).fetchall()
                for (name,) in names:
                    if name in files:
                        self._seen.add(name)
                    if table == "notes" or name not in files:
                        self._compare("BETWEEN ? AND ?", (name, f"{name}$"), (table,))

    def _compare(
        self,
        condition: str,
        values: tuple[str, str],
        tables: tuple[str, ...] = (*_TABLES, "fact_sources"),
    ) -> None:
        with self.store.transaction():
            for table in tables:
                marked = (
                    "vanished_at IS NOT NULL"
                    if table == "fact_sources"
                    else f"EXISTS (SELECT 1 FROM vanished WHERE kind = '{table}' AND record_id = t.id)"
                )
                rows: list[Any] = self.store.db.execute(
                    f"SELECT id, native_id, {marked} FROM {table} t "
                    f"WHERE source = ? AND native_id {condition}",
                    (self.source, *values),
                ).fetchall()
                for number, native_id, is_marked in rows:
                    if bool(is_marked) != (native_id not in self._seen):
                        self._mark(table, number, is_gone=not is_marked)

    def _mark(self, table: str, number: int, *, is_gone: bool) -> None:
        db = self.store.db
        if table == "fact_sources":
            db.execute(
                "UPDATE fact_sources SET vanished_at = ? WHERE id = ?",
                (self.now if is_gone else None, number),
            )
            self._count("facts", is_gone, db.changes())
        elif is_gone:
            self._count(table, is_gone, mark_vanished(db, table, number, self.now))
        else:
            self._count(table, is_gone, unmark_vanished(db, table, number))

    def _count(self, table: str, is_gone: bool, many: int) -> None:
        if many and is_gone:
            self.report.of(table).vanished += many
        elif many:
            self.report.of(table).returned += many
