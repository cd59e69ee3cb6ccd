"""Import a database of claude-mem or one of its relatives: read by what it has, never by its version."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import apsw

from ...database.transaction import async_commit
from ...formats.common.report import ImportProgress, Report
from ...formats.common.second_process import working_ahead
from ...formats.common.upsert import Mapped, Upsert
from ...formats.sqlite.file import Address, connect, foreign_address, stamp
from ...formats.sqlite.table import count, own_tables, table, undefined
from ...platform.errors import SourceError
from ...platform.translation import N_, _
from ...search.index.bulk import Bulk, IndexTexts, bulk_hash_size
from ...store import Store
from ...tables import prompts
from ...tables.base import Values
from ...text.plural import count_noun
from .claude_mem import as_database
from .mapping import SESSIONS, Program, Target
from .programs import (
    PROGRAMS,
    UNREAD,
    ChildBatch,
    read_ahead,
    read_batches,
    read_children,
    recognize_program,
)
from .sessions import SessionResolver, Tombstones, source_of

UNREADABLE = _(
    "{path} is damaged where it says what it holds, so nothing of it can be read. Nothing was "
    "imported. Is there a backup of it?"
)

OBSERVER = "observer-sessions"

BOOKKEEPING = ("meta", "schema_versions")
"""Tables in which a program notes how its own file is."""

TOLD = {"observations": ("title", "narrative"), "summaries": ("request", "learned"), "prompts": ("text",)}
"""The columns by which a row is known that two files of a program hold under ids of their own."""

ELSEWHERE = N_("brought by another file of the program")

BATCH_ROWS = 4_000
"""The most rows of a batch, which is committed as a whole."""

MANY = 10_000
"""From so many rows on, the indexes gather more in memory, and a second process reads ahead."""


def import_database(
    store: Store, path: Path, progress: ImportProgress | None = None, *, program: str | None = None
) -> Report:
    """Import what a database of claude-mem or one of its relatives holds, and report what became of
    it.

    The file is not touched. Rows come in by the thousand, each batch whole: after a kill, doing it
    again goes on where it stopped, and again after that changes nothing. What is damaged is skipped
    and reported. `progress` is called with the rows done and the rows there are; `program` is the
    name that the file's program has to have. Raises SourceError for a file that none of these
    programs wrote, or of which nothing can be read.
    """
    with as_database(path) as place, foreign_address(place) as address, connect(*address) as db:
        before = stamp(path)
        _load_schema(db)
        read_as = _program(db, path, program)
        report = Report(source_of(store, db, path, read_as))
        _report_undefined(db, report)
        taking = DatabaseImport(store, db, read_as, report, progress, is_whole=place == path)
        with taking.reading(address, path) as batches:
            taking.run(batches)
        report.notes += _notes(db, path, report)
        report.notes += _tables_left_out(db, read_as)
    if stamp(path) != before:
        report.notes.append(_("{path} was written meanwhile. Import it again for what is new.", path=path))
    return report


def _program(db: apsw.Connection, path: Path, wanted: str | None) -> Program:
    """Return the program that wrote a database. Raises SourceError, naming what it is, where it
    can't be imported."""
    try:
        result = recognize_program(db)
        read_as = PROGRAMS.get(result) if result else None
        program = read_as(db, path) if read_as else None
        is_damaged = program is None and bool(undefined(db))
    except apsw.Error as error:
        raise SourceError(f"{UNREADABLE.format(path=path)} ({error})") from error
    if is_damaged:
        raise SourceError(UNREADABLE.format(path=path))
    if program is None:
        raise SourceError(UNREAD[result].format(path=path))
    if wanted not in (None, program.name):
        raise SourceError(
            "{path} was written by {name}, not by {wanted}. Import it as that.",
            path=path,
            name=program.name,
            wanted=wanted,
        )
    return program


def _load_schema(db: apsw.Connection) -> None:
    """Have SQLite read what can be read of the list of tables: where that is damaged, it fails
    once."""
    with suppress(apsw.Error):
        db.execute("SELECT count(*) FROM sqlite_schema").fetchall()


def _report_undefined(db: apsw.Connection, report: Report) -> None:
    """Report the tables whose definition can't be read."""
    try:
        for name in undefined(db):
            report.lose(name or _("the list of tables"), "", _("what this table holds is no longer told"))
    except apsw.Error as error:
        report.lose(_("the list of tables"), "", _("can't be read ({error})", error=error))


def _notes(db: apsw.Connection, path: Path, report: Report) -> Iterator[str]:
    """Yield sentences about what a reader of the report might wonder at."""
    if report.is_damaged:
        yield _(
            "{path} is damaged. What can be read of it came in; the warnings tell what can't.",
            path=path,
        )
    try:
        sql = "SELECT count(*) FROM observations WHERE project = ?"
        own = db.execute(sql, (OBSERVER,)).get
    except apsw.Error:
        return
    if own:
        yield _(
            "{number} observations are of {project}: claude-mem watching itself at work.",
            number=f"{own:,}",
            project=OBSERVER,
        )


def _tables_left_out(db: apsw.Connection, program: Program) -> Iterator[str]:
    """Yield the sentence that names the tables with rows of which nothing is read, if there are any."""
    read = {source.table.lower() for source in program.sessions}
    read |= {child_source.table.lower() for child_source in program.children}
    read |= {*program.joined}
    try:
        left = {
            name: rows
            for name in own_tables(db)
            if name.lower() not in (*read, *BOOKKEEPING) and (rows := count(db, name))
        }
    except apsw.Error:
        return
    if left:
        named = ", ".join(f"{name} ({count_noun(rows, 'rows')})" for name, rows in left.items())
        yield _("Left out, since memtui has nothing of their kind: {named}.", named=named)


class DatabaseImport:
    """The import of one file, read as its program's; of one that isn't whole nothing is held to be lost."""

    def __init__(
        self,
        store: Store,
        db: apsw.Connection,
        program: Program,
        report: Report,
        progress: ImportProgress | None,
        *,
        is_whole: bool,
    ) -> None:
        self.store = store
        self.db = db
        self.program = program
        self.report = report
        self.progress = progress
        self.done = 0
        self.bulk = Bulk(store.db)
        self.batch = ExitStack()
        names = [source.table for source in program.sessions]
        names += [child_source.table for child_source in program.children]
        self.total = sum(count(db, name) for name in names)
        self.kinds = dict.fromkeys(kind for child in program.children for kind in child.kinds)
        self.tombstones = Tombstones() if is_whole and self._was_here() else None

    @contextmanager
    def reading(self, address: Address, path: Path) -> Iterator[Iterator[ChildBatch]]:
        """Give what belongs to sessions; of a large file, a second process reads it ahead."""
        if self.total < MANY or self.report.is_damaged:
            yield self._read_here()
            return
        # Most of what is read again is here, and nothing more is made of it.
        is_new = self.tombstones is None
        arguments = (address, path, self.program.name, self.report.source, BATCH_ROWS, is_new)
        with working_ahead(self._read_here, read_ahead, *arguments) as batches:
            yield batches

    def _read_here(self) -> Iterator[ChildBatch]:
        report = Report(self.report.source, is_damaged=self.report.is_damaged)
        return read_children(self.db, self.program, report, BATCH_ROWS)

    def run(self, batches: Iterator[ChildBatch]) -> None:
        """Import the sessions, then what belongs to them, then mark what the file has lost."""
        self._report_progress(0)
        with ExitStack() as stack:
            stack.enter_context(async_commit(self.store.db))
            if self.total >= MANY:
                stack.enter_context(bulk_hash_size(self.store.db))
            stack.enter_context(self.batch)
            stack.enter_context(self.bulk)
            resolver = SessionResolver(self.store, self.report, self.program, self._finish_batch)
            for sessions in self.program.sessions:
                for rows in read_batches(self.db, sessions.table, self.report, BATCH_ROWS):
                    self.report.of("sessions").read += len(rows)
                    resolver.add_sessions(sessions, rows)
                    self._note_seen("sessions", [row.native_id for row in rows])
                    self._report_progress(len(rows))
            upserts = {kind: self._upsert_of(kind) for kind in self.kinds}
            # Of a damaged file all that is left is looked for, which a process ahead doesn't know.
            for batch in self._read_here() if self.report.is_damaged else batches:
                self.report.take_over(batch.report)
                children = self.program.children[batch.place]
                results: dict[Target, list[Mapped]] = {}
                is_whole = True
                for kind, mapped, named in batch.rows:
                    owner = resolver.resolve(children, mapped, named)
                    mapped.values["session_id"] = owner.id
                    if owner.is_joined and self._stands(kind, mapped):
                        self.report.of(kind.name).skip(ELSEWHERE)
                        is_whole = False
                        continue
                    if mapped.values.get("project", "") is None:
                        mapped.values["project"] = owner.project
                    results.setdefault(kind, []).append(mapped)
                made = {
                    kind: None if self.tombstones else upserts[kind].records(ours)
                    for kind, ours in results.items()
                }
                # Until here the process has made something of these rows while SQLite wrote the last.
                self._finish_batch()
                self.batch.enter_context(self.store.transaction())
                for kind, ours in results.items():
                    texts = batch.texts.get(kind.table) if is_whole else None
                    self._put(upserts[kind], kind, ours, made[kind], texts)
                self._report_progress(len(batch.rows))
            self._finish_batch()
            self._mark_vanished()

    def _stands(self, kind: Target, row: Mapped) -> bool:
        """Return whether another file of the program has brought what a row says, at its time, into the
        same session."""
        told = TOLD.get(kind.table)
        if told is None:
            return False
        sql = (
            f"SELECT EXISTS (SELECT 1 FROM {kind.table} WHERE session_id = ? AND created_at = ? "
            f"AND source LIKE ? AND source <> ?{''.join(f' AND {column} IS ?' for column in told)})"
        )
        at, names = row.values["created_at"], f"{self.program.name}:%"
        values = (row.values["session_id"], at, names, self.report.source, *map(row.values.get, told))
        return bool(self.store.db.execute(sql, values).get)

    def _put(
        self,
        upsert: Upsert,
        kind: Target,
        rows: list[Mapped],
        records: list[Values] | None,
        texts: IndexTexts | None,
    ) -> None:
        self.bulk.finish()
        self.report.of(kind.name).read += len(rows)
        new = upsert.apply(rows, records, texts)
        if kind.table == "prompts":
            self.bulk.finish()
            self.store.db.executemany(prompts.FOLLOW, new)
        self._note_seen(kind.table, [row.native_id for row in rows])

    def _finish_batch(self) -> None:
        """Commit the batch at hand. Until then the next one can be read, but not written."""
        self.bulk.finish()
        self.batch.close()

    def _upsert_of(self, kind: Target) -> Upsert:
        counts = self.report.of(kind.name)
        source = self.report.source
        return Upsert(self.store, source, kind.table, kind.insert, counts, self.report, self.bulk)

    def _was_here(self) -> bool:
        """Return whether anything of this source was imported before."""
        tables = ("sessions", *(kind.table for kind in self.kinds))
        sql = " UNION ALL ".join(f"SELECT 1 FROM {name} WHERE source = :source" for name in tables)
        cursor = self.store.db.execute(f"SELECT EXISTS ({sql})", {"source": self.report.source})
        return bool(cursor.get)

    def _note_seen(self, name: str, native_ids: list[str]) -> None:
        if self.tombstones:
            self.tombstones.see(name, native_ids)

    def _mark_vanished(self) -> None:
        """Mark the records whose rows are gone; none if the file is damaged."""
        if self.tombstones is None or self.report.is_damaged:
            return
        there = {source.prefix: self._has(source.table) for source in self.program.sessions}
        self.tombstones.mark(self.store, SESSIONS, self.report, there)
        for kind in self.kinds:
            tables = [child_source for child_source in self.program.children if kind in child_source.kinds]
            there = {item.prefix: self._has(item.table) for item in tables}
            self.tombstones.mark(self.store, kind, self.report, there)

    def _has(self, name: str) -> bool:
        return table(self.db, name) is not None

    def _report_progress(self, more: int) -> None:
        """Add rows to those done, and tell whoever waits."""
        self.done += more
        if self.progress:
            self.progress(self.done, max(self.done, self.total))
