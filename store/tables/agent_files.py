"""Agents' files that were edited here or seen in more than one version: what each is, and its versions."""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..config import HistorySettings, history_settings
from ..database.files.replacing import FileState, put, read_state
from ..database.files.versions import VersionFolder, sha256
from ..database.journal.file_reversal import keep_version
from ..platform.clock import DAY_MS, now_ms, uuid7
from ..platform.errors import ConfigurationError, NotFoundError
from ..records.dataclasses import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..database.journal import Journal

MOST_VERSIONS = 50
"""So many versions of a file are kept."""

ADD = "INSERT INTO agent_files (uid, path) VALUES (?, ?) ON CONFLICT DO NOTHING"
SET = "UPDATE agent_files SET sha256 = ?, mode = ?, mtime_ns = ? WHERE path = ?"
STATE = "SELECT sha256, mode, mtime_ns FROM agent_files WHERE path = ?"
ID = "SELECT id FROM agent_files WHERE path = ?"
VERSIONS = """
SELECT v.seen_at, v.sha256, v.size FROM agent_file_versions v
JOIN agent_files f ON f.id = v.file_id WHERE f.path = ? ORDER BY v.seen_at DESC
"""
CHANGES = """
SELECT r.change_id FROM changed_rows r JOIN agent_files f ON f.id = r.record_id
WHERE r.kind = 'agent_files' AND f.path = ? ORDER BY r.change_id DESC
"""
TOO_MANY = """
DELETE FROM agent_file_versions WHERE (file_id, seen_at, sha256) IN (
    SELECT file_id, seen_at, sha256 FROM (
        SELECT *, row_number() OVER (PARTITION BY file_id ORDER BY seen_at DESC) AS place,
            sum(size) OVER (ORDER BY seen_at DESC, file_id) AS bytes
        FROM agent_file_versions
    ) WHERE place > 1 AND (place > :most OR seen_at < :oldest OR bytes > :bytes)
)
"""


@dataclass(frozen=True, slots=True)
class FileVersion:
    """A version of a file that is kept: when it was seen first (ms), its SHA-256, its size in bytes."""

    seen_at: int
    sha256: str
    size: int


class AgentFiles:
    """The tables agent_files and agent_file_versions, and the files that they are about."""

    def __init__(self, journal: Journal) -> None:
        self.db = journal.db
        self.journal = journal
        self.versions = VersionFolder(Path(str(self.db.filename)))

    def see(self, path: Path, state: FileState, content: bytes | None, *, durable: bool = False) -> None:
        """Note what a file is now, and keep the version; `durable` waits until it is on the disk. It is no
        change of the journal."""
        with self.journal.transaction, self._unrecorded():
            name = os.fsencode(path)
            self.db.execute(ADD, (uuid7(now_ms()), name))
            self.db.execute(SET, (state.sha256, state.mode, state.mtime_ns, name))
            self._keep(path, content, durable=durable)

    def keep(self, path: Path, content: bytes) -> None:
        """Keep a text that a file doesn't hold, such as another machine's, as a version of it."""
        if any(version.sha256 == sha256(content) for version in self.versions_of(path)):
            return
        self.see(path, *read_state(path))
        with self.journal.transaction, self._unrecorded():
            self._keep(path, content)

    def put(
        self, path: Path, before: bytes | None, content: bytes | None, state: FileState, what: str
    ) -> bytes | None:
        """Give a file that holds `before` new content, as a change of the journal called `what`, and return
        what it holds then: see `memtui.store.database.files.replacing.put`."""
        # In a transaction of its own, where it is in no other: who is killed over the file finds what it
        # was among its versions.
        self.see(path, *read_state(path), durable=True)
        with self.journal.keeping_displaced(), self.journal.recording(what):
            self._keep(path, before)
            self._keep(path, content)
            result = put(path, before, content, state)
            after, _ = read_state(path)
            if result is None or after.sha256 != (hash := sha256(result)):
                after = FileState() if result is None else FileState(hash, after.mode, after.mtime_ns)
            values = (after.sha256, after.mode, after.mtime_ns, os.fsencode(path))
            self.db.execute(SET, values)
            self._keep(path, result)
            self.prune()
            return result

    def put_untraced(self, path: Path, before: bytes, content: bytes, what: str) -> None:
        """Give a file new content, and keep none of its former versions: it can't be undone."""
        with self.journal.transaction:
            put(path, before, content, FileState())
            self.db.execute("DELETE FROM agent_files WHERE path = ?", (os.fsencode(path),))
            self.journal.note(what)
            self._drop_unused()

    def state_of(self, path: Path) -> FileState | None:
        """Return what a file was left as, or seen last; None where it never was."""
        row: Any = self.db.execute(STATE, (os.fsencode(path),)).fetchone()
        return None if row is None else FileState(*row)

    def versions_of(self, path: Path) -> list[FileVersion]:
        """Return the versions of a file that are kept, the newest first."""
        return [FileVersion(*row) for row in self.db.execute(VERSIONS, (os.fsencode(path),))]

    def numbered_versions(self, path: Path) -> list[tuple[int, FileVersion]]:
        """Return the versions of a file that are kept, the newest first, with their numbers, from 1 on."""
        versions = self.versions_of(path)
        return [(len(versions) - place, version) for place, version in enumerate(versions)]

    def content(self, version: FileVersion) -> bytes:
        """Return the bytes of a version; NotFoundError."""
        content = self.versions.read(version.sha256)
        if content is None:
            day = datetime.fromtimestamp(version.seen_at / 1000, UTC).date().isoformat()
            raise NotFoundError("The version of {day} is no longer kept.", day=day)
        return content

    def changes_of(self, path: Path) -> list[int]:
        """Return the ids of the journal's changes of a file, the newest first."""
        return [int(number) for (number,) in self.db.execute(CHANGES, (os.fsencode(path),))]

    def _keep(self, path: Path, content: bytes | None, *, durable: bool = True) -> None:
        if content is None:
            return
        number: Any = self.db.execute(ID, (os.fsencode(path),)).get
        keep_version(self.db, self.versions, number, content, durable=durable)

    def prune(self) -> None:
        """Keep as much of the versions as `[history]` of the configuration keeps of changes; inside a
        transaction."""
        settings = HistorySettings()
        with suppress(ConfigurationError):
            settings = history_settings()
        values = {
            "most": MOST_VERSIONS,
            "oldest": now_ms() - settings.days * DAY_MS,
            "bytes": settings.megabytes * 1_000_000,
        }
        before = self.db.total_changes()
        self.db.execute(TOO_MANY, values)
        if self.db.total_changes() != before:
            self._drop_unused()

    def _drop_unused(self) -> None:
        rows = self.db.execute("SELECT DISTINCT sha256 FROM agent_file_versions")
        self.versions.drop_all_but({str(name) for (name,) in rows})

    @contextmanager
    def _unrecorded(self) -> Iterator[None]:
        """Have the journal not note what the block changes."""
        recorder = self.journal.transaction.recorder
        if recorder is None:
            yield
            return
        recorder.session.enabled = False
        try:
            yield
        finally:
            recorder.session.enabled = True
