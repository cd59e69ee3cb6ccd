"""Import a scheme C directory: daily/*.jsonl, facts.jsonl, sessions.jsonl, MEMORY.md and NOTES.md.
Records whose lines a directory has no more are marked, and unmarked when they are back."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from ...database.transaction import async_commit
from ...platform.clock import now_ms
from ...platform.translation import N_, _
from ...store import Store
from ...tables.base import stable_uid
from ..common.report import ImportProgress, Report
from ..common.upsert import PURGED, Mapped, PurgedRecords, mark_vanished, unmark_vanished
from . import rendering as parts
from . import sessions as records
from .changes import Baseline
from .directory import FACTS, SESSIONS, Directory, find_files, other_files, source_of
from .facts import Cited, FactUpsert, fact_digest
from .items import DirectoryReader, LineItem
from .lines import BadLine, ObjectLine
from .notes import import_note
from .own_lines import OwnLines
from .sessions import SessionCollector, project

BATCH = 1_000

MOST_NAMED = 20
"""So many of the files that are not read are named."""

Read = tuple[ObjectLine | BadLine, LineItem | None]


def import_directory(store: Store, path: Path, progress: ImportProgress | None = None) -> Report:
    """Import what a directory of scheme C holds, and report what became of it, line by line.

    Nothing in it is touched. Doing it again imports what is new and changes nothing else;
    `progress` is called with the lines done and the lines there are. Raises SourceError where it is
    no such directory.
    """
    directory = find_files(path)
    with async_commit(store.db):
        report = DirectoryImport(store, directory, source_of(store, directory), progress).run()
    report.notes += not_read("scheme C", other_files(path))
    return report


def not_read(program: str, files: Sequence[str]) -> list[str]:
    """Return the note that these files were left out, since none of a program's are called so; none for no
    files."""
    if not files:
        return []
    named = ", ".join(files[:MOST_NAMED]) + (" …" if len(files) > MOST_NAMED else "")
    return [_("Not read, since {program} has no such files: {named}.", program=program, named=named)]


class DirectoryImport:
    """One run over one directory. `only` names the .jsonl files that have changed; then only these
    are read, and no notes. None: all."""

    def __init__(
        self,
        store: Store,
        directory: Directory,
        source: str,
        progress: ImportProgress | None = None,
        only: Collection[str] | None = None,
    ) -> None:
        self.store = store
        self.directory = directory
        self.report = Report(source)
        self.progress = progress
        self.only = only
        self.done = self.total = 0
        self.reading = DirectoryReader(directory, self.report)
        self.baseline = Baseline(store, source)
        self.purged = PurgedRecords(store, source)
        self.vanished = VanishedLines(store, self.report)
        self.own = OwnLines(store, self.report, self.purged)
        self.sessions = SessionCollector(store, self.report)
        self.facts = FactUpsert(store, self.report)
        self.observation = records.observation

    def run(self) -> Report:
        """Import the sessions, then the notes, then the lines."""
        self.report.notes += self.directory.remarks
        self.baseline.lies_in(self.directory.path)
        own_sessions = self._scan(self._cited())
        with self.store.transaction():
            for line in own_sessions:
                self._own(line)
            self.sessions.store_all()
        self.facts.project = self.sessions.only_project
        for file in self.directory.notes:
            self.vanished.see(file)
            if self.only is None:
                with self.reading.reporting_errors(file), self.store.transaction():
                    place = self.directory.path
                    self.baseline.record(
                        "notes",
                        import_note(self.store, self.report, place, file, self.facts.project),
                    )
        for file in self.reading.files:
            if self.only is None or file in self.only:
                self._file(file)
        self.baseline.record("sessions", self.sessions.touched)
        self.vanished.close((*self.reading.files, *self.directory.notes))
        return self.report

    def _cited(self) -> set[str]:
        """Return the ids that facts cite: only of those it is remembered what they became."""
        results: set[str] = set()
        if FACTS in self.reading.files:
            for line in self.reading.lines(FACTS):
                evidence = line.values.get("evidence") if isinstance(line, ObjectLine) else None
                if isinstance(evidence, list):
                    results.update(item for item in evidence if isinstance(item, str))
        return results

    def _scan(self, cited: set[str]) -> list[ObjectLine]:
        """Read all lines once, for their sessions and for those that facts cite; return the lines
        in which a store wrote its own sessions."""
        own: list[ObjectLine] = []
        for file in self.reading.files:
            # What is odd about a line is reported when it is imported.
            for line, item in self.reading.items(file, Report("")):
                self.total += 1
                if isinstance(line, ObjectLine) and _kind(line) == "session":
                    own.append(line)
                if item is None:
                    continue
                if file != FACTS:
                    self.sessions.add(item, item.moment("timestamp", "created_at"))
                if item.id in cited:
                    self.facts.cited.setdefault(item.id, []).append(self._citation(item))
        return own

    def _citation(self, item: LineItem) -> Cited:
        source, name = self.report.source, item.native_id
        if item.file == SESSIONS:
            return Cited(name, stable_uid(source, "summaries", name), item.session, None)
        if item.type not in records.FACTS:
            return Cited(name, stable_uid(source, "observations", name), item.session, None)
        digest = fact_digest(self.facts.kind_of(item, Report("")), item.content() or "")
        return Cited(name, stable_uid(source, "facts", name), item.session, digest)

    def _file(self, file: str) -> None:
        """Import the lines of a file."""
        read = self.reading.items(file, self.report)
        while batch := list(islice(read, BATCH)):
            with self.store.transaction():
                self._batch(batch)
            self.done += len(batch)
            if self.progress:
                self.progress(self.done, max(self.done, self.total))
        self.vanished.close_file(file)

    def _batch(self, batch: list[Read]) -> None:
        """Import other programs' lines, then ours, which may change what those say."""
        rows: dict[str, list[Mapped]] = {"observations": [], "summaries": []}
        counter = self.report.of("lines")
        for line, item in batch:
            counter.read += 1
            if isinstance(line, BadLine):
                counter.skip(N_("blank") if line.is_blank else line.skipped)
                if not line.is_blank:
                    self.report.lose(f"{line.file}:{line.number}", "", line.reason)
            elif line.oddity:
                self.report.warn(f"{line.file}:{line.number}", "", line.oddity)
            if item is not None:
                self._take(item, rows)
        for table, results in rows.items():
            if results:
                self.baseline.record(table, records.upsert_records(self.store, self.report, table, results))
        self.baseline.record("facts", self.facts.new, only_new=True)
        self.facts.new.clear()
        for line, _row in batch:
            if isinstance(line, ObjectLine) and parts.KEY in line.values and _kind(line) != "session":
                self._own(line)

    def _take(self, item: LineItem, rows: dict[str, list[Mapped]]) -> None:
        if self.purged.has(native_id=item.native_id):
            self.report.of("lines").skip(PURGED)
            return
        self.vanished.see(item.native_id)
        if item.file == FACTS or (item.file != SESSIONS and item.type in records.FACTS):
            self.facts.apply(item)
            return
        if item.type in (records.START, records.END):
            return
        table = "summaries" if item.file == SESSIONS else "observations"
        mapped = records.summary if item.file == SESSIONS else self.observation
        session_id, its_project = self.sessions.of(item.session)
        own_project = project(item.text("project", "workspace"))
        row = mapped(item, self.report.source, session_id, own_project or its_project)
        self.report.of(table).read += 1
        if row is None:
            item.warn(_("says nothing; left out"))
            self.report.of(table).skip(N_("no content"))
        else:
            rows[table].append(row)

    def _own(self, line: ObjectLine) -> None:
        if (landed := self.own.apply(line)) is not None:
            self.baseline.put(landed)


def _kind(line: ObjectLine) -> object:
    result = line.values.get(parts.KEY)
    return result.get("kind") if isinstance(result, dict) else None


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
        self._compare(f"{file}#", f"{file}$", (*_TABLES, "fact_sources"))
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
                        self._compare(name, f"{name}$", (table,))

    def _compare(self, first: str, last: str, tables: tuple[str, ...]) -> None:
        """Mark the records of lines that are named from `first` to `last`, and were not seen."""
        with self.store.transaction():
            for table in tables:
                marked = (
                    "vanished_at IS NOT NULL"
                    if table == "fact_sources"
                    else f"EXISTS (SELECT 1 FROM vanished WHERE kind = '{table}' AND record_id = t.id)"
                )
                rows: list[Any] = self.store.db.execute(
                    f"SELECT id, native_id, {marked} FROM {table} t "
                    "WHERE source = ? AND native_id BETWEEN ? AND ?",
                    (self.source, first, last),
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
            table, many = "facts", db.changes()
        elif is_gone:
            many = mark_vanished(db, table, number, self.now)
        else:
            many = unmark_vanished(db, table, number)
        if many and is_gone:
            self.report.of(table).vanished += many
        elif many:
            self.report.of(table).returned += many
