"""Import a claude-mem database: read by what it has, never by its version."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import apsw

from .. import observations, pending, prompts, summaries
from ..store import Store
from . import claude_mem_records as records
from .claude_mem_file import check, count, notes, source_of
from .foreign import opened, stamp
from .foreign_row import ForeignRow, read
from .landing import Landing, Mapped
from .owners import Owners
from .report import Report

BATCH = 1_000

Progress = Callable[[int, int], None]


class Kind(NamedTuple):
    """One of claude-mem's tables, ours for it, and how a row of the one reads as one of the other."""

    name: str
    foreign: str
    table: str
    insert: str
    mapped: Callable[[ForeignRow, int], Mapped]


CHILDREN = (
    Kind("prompts", "user_prompts", "prompts", prompts.INSERT, records.prompt),
    Kind("observations", "observations", "observations", observations.INSERT, records.observation),
    Kind("summaries", "session_summaries", "summaries", summaries.INSERT, records.summary),
    Kind("pending", "pending_messages", "pending_messages", pending.INSERT, records.pending),
)


def import_database(store: Store, path: Path, progress: Progress | None = None) -> Report:
    """Bring in whatever a claude-mem database holds, and say what became of it.

    The file is not touched. Rows come in by the thousand, each batch whole: after a kill, doing it
    again goes on where it stopped, and again after that changes nothing. `progress` is told how
    many rows of how many are done. Raises SourceError for a file that claude-mem did not write,
    or that can't be read to its end.
    """
    with opened(path) as db:
        before = stamp(path)
        check(db, path)
        report = Report(source_of(db, path))
        with relaxed(store.db):
            Import(store, db, path, report, progress).run()
        report.notes += notes(db, path)
    if stamp(path) != before:
        report.notes.append(f"{path} was written meanwhile. Import it again for what is new.")
    return report


class Import:
    """One run over one file."""

    def __init__(
        self,
        store: Store,
        db: apsw.Connection,
        path: Path,
        report: Report,
        progress: Progress | None,
    ) -> None:
        self.store = store
        self.db = db
        self.path = path
        self.report = report
        self.progress = progress
        self.done = 0
        tables = ("sdk_sessions", *(kind.foreign for kind in CHILDREN))
        self.total = sum(count(db, table) for table in tables)

    def run(self) -> None:
        """Sessions first, then what belongs to them."""
        owners = Owners(self.store, self.report)
        for rows in self.batches("sessions", "sdk_sessions"):
            owners.take(rows)
        for kind in CHILDREN:
            counts = self.report.of(kind.name)
            landing = Landing(self.store, self.report.source, kind.table, kind.insert, counts)
            for rows in self.batches(kind.name, kind.foreign):
                with self.store.unit():
                    new = landing.put([kind.mapped(row, owners.of(row)) for row in rows])
                    if kind.table == "prompts":
                        self.store.db.executemany(prompts.FOLLOW, new)

    def batches(self, name: str, table: str) -> Iterator[list[ForeignRow]]:
        """The rows of a table by the thousand, counted as read."""
        rows = read(self.db, self.path, table, self.report)
        self.tell(0)
        while batch := list(islice(rows, BATCH)):
            yield batch
            self.report.of(name).read += len(batch)
            self.tell(len(batch))

    def tell(self, more: int) -> None:
        """Let whoever waits know that so many more rows are done."""
        self.done += more
        if self.progress:
            self.progress(self.done, max(self.done, self.total))


@contextmanager
def relaxed(db: apsw.Connection) -> Iterator[None]:
    """Let commits wait for no disk: after a power cut, an import can run again."""
    if db.in_transaction:
        yield
        return
    before = db.pragma("synchronous")
    db.pragma("synchronous", "NORMAL")
    try:
        yield
    finally:
        with suppress(apsw.ConnectionClosedError):
            db.pragma("synchronous", before)
