"""Watch MEMORY.md and NOTES.md of the known directories, and import what was changed in them."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from ...records.rows import Note
from ...store import Store
from ..common.report import Report
from .directory import NOTES
from .notes import NoteFiles
from .public import file_in
from .sync_state import Baseline, SyncedFiles, SyncReport

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
