"""MEMORY.md and NOTES.md, and the notes that they are: import them, keep both in step, and watch them."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import Any

from ...platform.clock import common_columns
from ...platform.translation import N_, _
from ...records.rows import Note
from ...store import Store
from ...tables.base import digest, insert, stable_uid, write_text
from ...tables.notes import INSERT
from ...tables.removal.purge import is_purged_key, note_tombstone
from ..common.report import Report
from ..common.upsert import PURGED, purged_native_ids
from .changes import Baseline, SyncedFiles, SyncedRecord, SyncReport, file_in
from .directory import NOTES
from .items import warn
from .lines import BOM, read_in, write_in

EDITED = N_("edited here since it was imported")


def import_note(store: Store, report: Report, directory: Path, file: str, project: str) -> list[int]:
    """Import a file as a note of a project ("" for all), or what is new in it; return the number of
    the note if it was made or changed."""
    raw = read_in(directory, file)
    path = directory / file
    text, is_odd = read_text(raw)
    if is_odd:
        warn(report, file, 1, _("is not valid UTF-8; what can't be read of it became U+FFFD"))
    scrubbed = write_text(text) or ""
    counts = report.of("notes")
    counts.read += 1
    mark = digest(scrubbed)
    with store.transaction():
        known = store.notes.where("source = ? AND native_id = ?", (report.source, file))
        if known:
            note = known[0]
            if note.fingerprint == mark:
                counts.unchanged += 1
                return []
            if digest(note.text) != note.fingerprint:
                counts.skip(EDITED)
                return []
            store.notes.upsert(note.path, scrubbed, project=note.project)
            remember(store, note.id, mark)
            counts.changed += 1
            return [note.id]
        if purged_native_ids(store.db, report.source, "notes", [file]):
            counts.skip(PURGED)
            return []
        where = _free_path(store, path, file, text, project)
        if is_purged_key(store.db, note_tombstone(project, where)):
            counts.skip(PURGED)
            return []
        same = store.notes.where("project = ? AND path = ?", (project, where))
        if same and same[0].text == scrubbed:
            counts.unchanged += 1
            return []
        values = common_columns(
            store.machine_id,
            at=round(path.stat().st_mtime * 1_000),
            source=report.source,
            native_id=file,
            fingerprint=mark,
        )
        uid = stable_uid(report.source, "notes", file)
        values |= {"uid": uid, "hlc": 0, "project": project, "path": where, "text": scrubbed}
        counts.new += 1
        return [insert(store.db, INSERT, values)]


def may_be_read(path: Path) -> bool:
    """Return whether a path is a regular file, and no link to one."""
    return stat.S_ISREG(path.lstat().st_mode)


def read_text(raw: bytes) -> tuple[str, bool]:
    """Return a file's text, and whether some of it was no UTF-8."""
    try:
        return raw.removeprefix(BOM).decode(), False
    except UnicodeDecodeError:
        return raw.removeprefix(BOM).decode(errors="replace"), True


def sole_project(store: Store, source: str) -> str:
    """Return the project of all sessions of a source, where they have one in common; else ""."""
    sql = "SELECT DISTINCT project FROM sessions WHERE source = ? AND project <> '' LIMIT 2"
    rows: list[Any] = store.db.execute(sql, (source,)).fetchall()
    return str(rows[0][0]) if len(rows) == 1 else ""


def _free_path(store: Store, path: Path, file: str, text: str, project: str) -> str:
    """Return the file's own name, or with its directory before it where another memory's note has
    that."""
    for name in (file, f"{path.parent.name}/{file}", str(path)):
        taken = store.notes.where("project = ? AND path = ?", (project, name))
        if not taken or (taken[0].source is None and taken[0].text == text):
            return name
    return str(path)


def remember(store: Store, number: int, mark: str) -> None:
    """Store that the note says what its file says: a later difference was made here."""
    store.db.execute("UPDATE notes SET fingerprint = ? WHERE id = ?", (mark, number))


class NoteFiles:
    """The notes of one directory that are files of their own.

    What both said last is kept as the hash of a record `text:FILE`.
    """

    def __init__(
        self, store: Store, path: Path, files: SyncedFiles, baseline: Baseline, report: SyncReport
    ) -> None:
        self.store = store
        self.path = path
        self.files = files
        self.baseline = baseline
        self.report = report

    def sync(self) -> None:
        """Import each file, or write it, whichever side was changed."""
        for file in NOTES:
            self._one(file)

    def import_changes(self, file: str) -> None:
        """Import what was changed in a file, unless that is a conflict; write nothing."""
        self._one(file, may_write=False)

    def _one(self, file: str, *, may_write: bool = True) -> None:
        if os.path.lexists(self.path / file) and not may_be_read(self.path / file):
            return
        raw = read_in(self.path, file) if (self.path / file).exists() else None
        note = self._note(file, raw)
        if note is None:
            if raw is not None and may_write:
                self._bring_in(file)
            return
        if not note.is_visible:
            return
        known = self._known(file, note)
        if raw is None:
            if not known and may_write:
                self._write(file, note)
            elif known:
                self.report.notes.append(
                    _("{file} is gone from {path}; its note stays here.", file=file, path=self.path)
                )
            return
        text = write_text(read_text(raw)[0]) or ""
        is_edited_there = digest(text) != known
        is_edited_here = digest(note.text) != known
        if text == note.text:
            if known != digest(text):
                self._know(file, text)
        elif is_edited_there and is_edited_here:
            self.report.conflicts.append(
                _(
                    "{file} was changed in {path} and here (note n{id}); both stay as they are. "
                    "Make them equal, by hand or with `mem note put {file}`.",
                    file=file,
                    path=self.path,
                    id=note.id,
                )
            )
        elif is_edited_there:
            self._take(file, note, text)
        elif text != read_text(raw)[0]:
            self.report.conflicts.append(
                _(
                    "{file} holds private passages, which this store doesn't keep, so the change "
                    "of note n{id} was not written there. Make it by hand.",
                    file=file,
                    id=note.id,
                )
            )
        elif may_write:
            self._write(file, note)

    def _note(self, file: str, raw: bytes | None) -> Note | None:
        """Return the note that a file is; one that was here before only where both say the same."""
        directory = self.baseline.directory
        notes = self.store.notes.where(
            "source = ? AND native_id = ?", (directory, file)
        ) or self.store.notes.where("project = '' AND path = ?", (file,))
        if not notes or file_in(notes[0], directory) is None:
            return None
        known = f"text:{file}" in self.baseline.known("text")
        is_met = notes[0].source == directory or known or raw is None
        same = raw is not None and (write_text(read_text(raw)[0]) or "") == notes[0].text
        return notes[0] if is_met or same else None

    def _bring_in(self, file: str) -> None:
        with self.store.transaction():
            report = self.report.read
            project = sole_project(self.store, report.source)
            numbers = import_note(self.store, report, self.path, file, project)
            self.baseline.record("notes", numbers)
            for number in numbers:
                self._know(file, self.store.notes.get(number).text)

    def _take(self, file: str, note: Note, text: str) -> None:
        with self.store.transaction():
            self.store.notes.upsert(note.path, text, project=note.project)
            if note.source == self.baseline.directory:
                remember(self.store, note.id, digest(text))
            counts = self.report.read.of("notes")
            counts.read += 1
            counts.changed += 1
            self._know(file, text)

    def _write(self, file: str, note: Note) -> None:
        self.report.wrote("note", file)
        if self.report.is_dry_run:
            return
        data = note.text.encode(errors="replace")
        write_in(self.path, file, data)
        self.files.keep_own(file, data)
        self._know(file, note.text)

    def _known(self, file: str, note: Note) -> str:
        """Return the hash of what the file and its note said last; "" where they never met."""
        met = self.baseline.known("text").get(f"text:{file}")
        if met is None and note.source == self.baseline.directory:
            # It was imported, and its fingerprint says what the file said then.
            return note.fingerprint or ""
        return met[1] if met else ""

    def _know(self, file: str, text: str) -> None:
        with self.store.transaction():
            self.baseline.put(SyncedRecord(f"text:{file}", "text", file, digest(text)))


Stamp = tuple[int, int]


def file_of_note(store: Store, note: Note) -> Path | None:
    """Return the path of the file that a note is; None for a note that is no file."""
    for directory, path in directories(store):
        file = file_in(note, directory)
        if file is None or not (Path(path) / file).is_file():
            continue
        if note.source == directory or f"text:{file}" in Baseline(store, directory).known("text"):
            return Path(path) / file
    return None


def directories(store: Store) -> list[tuple[str, str]]:
    """Return every directory that was imported or synced: its source, and where it was last."""
    return list(store.db.execute("SELECT directory, path FROM directories ORDER BY directory"))


class NoteWatch:
    """Looks whether note files were changed, and imports the changes. It remembers when each was
    written last, so that looking again costs next to nothing."""

    def __init__(self) -> None:
        self._stamps: dict[Path, Stamp] = {}

    def look(self, store: Store) -> bool:
        """Import what was changed since the last look; return whether anything was."""
        result = False
        for directory, path in directories(store):
            changed = [file for file in NOTES if self._is_news(Path(path) / file)]
            if changed:
                report = SyncReport(directory, Report(directory))
                files = SyncedFiles(store, Path(path), directory)
                notes = NoteFiles(store, Path(path), files, Baseline(store, directory), report)
                for file in changed:
                    # One that is gone, or can't be read just now, is looked at again.
                    with suppress(OSError):
                        notes.import_changes(file)
                result = result or report.read.changes > 0
        return result

    def _is_news(self, path: Path) -> bool:
        try:
            status = path.stat()
        except OSError:
            return False
        stamp = (status.st_mtime_ns, status.st_size)
        is_news = self._stamps.get(path) != stamp
        self._stamps[path] = stamp
        return is_news
