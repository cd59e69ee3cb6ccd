"""Export as a database of claude-mem 9: what its shape can hold, and a list of what it can't."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import apsw

from ...database.transaction import snapshot
from ...store import Store
from ...text.times import iso
from ..common.drafts import ExportError
from ..common.progress import FormatResult, Progress, ProgressCounter
from ..common.scope import Scope
from .export_rows import VISIBLE, kinds, losses
from .export_schema import INDEXES, SEARCHED, TABLES, VERSIONS, search_index, triggers


def export_claude_mem(
    store: Store, path: Path, scope: Scope = VISIBLE, progress: Progress | None = None
) -> FormatResult:
    """Fill an empty file with all that claude-mem 9 can hold of a memory, as of one moment.

    Rows keep their numbers, and the full-text indexes are built, so that claude-mem finds them at
    once. Private and deleted rows are left out: the shape has no mark for them. Raises ExportError.
    """
    made = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
    with closing(made):
        # It is a draft, and gone where it is not finished.
        made.pragma("journal_mode", "off")
        made.pragma("synchronous", "off")
        with snapshot(store.db):
            return _Export(store.db, made, scope, progress).run()


class _Export:
    """One run."""

    def __init__(
        self,
        db: apsw.Connection,
        made: apsw.Connection,
        scope: Scope,
        progress: Progress | None,
    ) -> None:
        self.db = db
        self.made = made
        self.scope = scope
        total = sum(int(db.execute(f"SELECT count(*) FROM {kind.ours}").get) for kind in kinds(scope))
        self.counter = ProgressCounter(total, progress)

    def run(self) -> FormatResult:
        self._write(TABLES)
        first: Any = self.db.execute("SELECT min(applied_at) FROM schema_versions").get
        # By it a file is told from others when it is imported; so it is always this memory's own.
        versions = [(number, iso(first)) for number in VERSIONS]
        self._write("BEGIN")
        self._many("INSERT INTO schema_versions (version, applied_at) VALUES (?, ?)", versions)
        for kind in kinds(self.scope):
            condition = self.scope.condition(kind.ours)
            cursor = self.db.execute(f"{kind.select} FROM {kind.ours} t WHERE {condition} ORDER BY t.id")
            # What breaks a rule of its tables is left out, and keeps no other row from it.
            insert = kind.insert.replace("INSERT INTO", "INSERT OR IGNORE INTO", 1)
            self._many(insert, self.counter.counted(kind.table, cursor))
        self._write(INDEXES)
        for table in SEARCHED:
            self._write(search_index(table))
            self._write(triggers(table))
        self._write("COMMIT")
        return FormatResult(self.counter.counts, tuple(losses(self.db, self.scope)))

    def _write(self, sql: str) -> None:
        with translate_errors():
            self.made.execute(sql)

    def _many(self, sql: str, rows: Iterable[tuple[Any, ...]]) -> None:
        with translate_errors():
            self.made.executemany(sql, rows)


@contextmanager
def translate_errors() -> Iterator[None]:
    """Raise what SQLite refuses of the file in the making as an ExportError."""
    try:
        yield
    except apsw.Error as error:
        raise ExportError("The export can't be written ({error}). Check the disk.", error=error) from error
