"""One import of a foreign database: its rows by the thousand, the next read while one lot is written."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import apsw

from .. import prompts
from ..bulk import Bulk, roomy
from ..store import Store
from .foreign_row import ForeignRow, read
from .foreign_table import count, table
from .landing import Landing
from .mapping import SESSIONS, Kind, Mapped, Program
from .owners import Owners
from .relaxed import relaxed
from .report import Report
from .seen import Seen

BATCH_ROWS = 4_000
BATCH_SIZE = 4 << 20
"""Rows and characters that come in as one: all of them, or after a kill none."""

MANY = 10_000
"""Rows of a file from which on the indexes may gather more in memory."""

Progress = Callable[[int, int], None]
"""Told how many rows of how many are done."""


class Import:
    """One import: a file, read as its program's."""

    def __init__(
        self,
        store: Store,
        db: apsw.Connection,
        program: Program,
        report: Report,
        progress: Progress | None,
    ) -> None:
        self.store = store
        self.db = db
        self.program = program
        self.report = report
        self.progress = progress
        self.done = 0
        self.bulk = Bulk(store.db)
        self.batch = ExitStack()
        names = [one.table for one in program.sessions]
        names += [one.table for one in program.children]
        self.total = sum(count(db, name) for name in names)
        self.kinds = dict.fromkeys(kind for child in program.children for kind in child.kinds)
        self.seen = Seen() if self._was_here() else None

    def run(self) -> None:
        """Sessions first, then what belongs to them."""
        self._tell(0)
        with ExitStack() as stack:
            stack.enter_context(relaxed(self.store.db))
            if self.total >= MANY:
                stack.enter_context(roomy(self.store.db))
            stack.enter_context(self.batch)
            stack.enter_context(self.bulk)
            owners = Owners(self.store, self.report, self.program, self._finish_batch)
            for sessions in self.program.sessions:
                for rows in self._batches(sessions.table):
                    self.report.of("sessions").read += len(rows)
                    owners.take(sessions, rows)
                    self._see("sessions", [row.native_id for row in rows])
                    self._tell(len(rows))
            landings = {kind: self._landing(kind) for kind in self.kinds}
            for children in self.program.children:
                for rows in self._batches(children.table):
                    found: dict[Kind, list[Mapped]] = {}
                    for row in rows:
                        kind, mapped = children.reading(row)
                        owner = owners.of(children, row)
                        row.native_id = children.prefix + row.native_id
                        found.setdefault(kind, []).append(mapped(row, owner))
                    self._finish_batch()
                    self.batch.enter_context(self.store.unit())
                    for kind, ours in found.items():
                        self._put(landings[kind], kind, ours)
                    self._tell(len(rows))
            self._finish_batch()
            self._settle()

    def _put(self, landing: Landing, kind: Kind, rows: list[Mapped]) -> None:
        self.bulk.finish()
        self.report.of(kind.name).read += len(rows)
        new = landing.put(rows)
        if kind.table == "prompts":
            self.bulk.finish()
            self.store.db.executemany(prompts.FOLLOW, new)
        self._see(kind.table, [row.native_id for row in rows])

    def _finish_batch(self) -> None:
        """Commit the batch that is under way. Until then the next one can be read, but not written."""
        self.bulk.finish()
        self.batch.close()

    def _landing(self, kind: Kind) -> Landing:
        counts = self.report.of(kind.name)
        source = self.report.source
        return Landing(self.store, source, kind.table, kind.insert, counts, self.report, self.bulk)

    def _batches(self, name: str) -> Iterator[list[ForeignRow]]:
        """The rows of a table by the thousand."""
        found = table(self.db, name)
        if found is None:
            return
        batch: list[ForeignRow] = []
        size = 0
        for row in read(self.db, found, self.report):
            batch.append(row)
            size += row.size
            if len(batch) >= BATCH_ROWS or size >= BATCH_SIZE:
                yield batch
                batch, size = [], 0
        if batch:
            yield batch

    def _was_here(self) -> bool:
        """Whether any of this source was imported before."""
        tables = ("sessions", *(kind.table for kind in self.kinds))
        sql = " UNION ALL ".join(f"SELECT 1 FROM {name} WHERE source = :source" for name in tables)
        found = self.store.db.execute(f"SELECT EXISTS ({sql})", {"source": self.report.source})
        return bool(found.get)

    def _see(self, name: str, native_ids: list[str]) -> None:
        if self.seen:
            self.seen.add(name, native_ids)

    def _settle(self) -> None:
        """Mark the records whose rows are gone; of a damaged file nothing is known to be."""
        if self.seen is None or self.report.is_damaged:
            return
        there = {one.prefix: self._has(one.table) for one in self.program.sessions}
        self.seen.settle(self.store, SESSIONS, self.report, there)
        for kind in self.kinds:
            tables = [one for one in self.program.children if kind in one.kinds]
            there = {one.prefix: self._has(one.table) for one in tables}
            self.seen.settle(self.store, kind, self.report, there)

    def _has(self, name: str) -> bool:
        return table(self.db, name) is not None

    def _tell(self, more: int) -> None:
        """Let whoever waits know that so many more rows are done."""
        self.done += more
        if self.progress:
            self.progress(self.done, max(self.done, self.total))
