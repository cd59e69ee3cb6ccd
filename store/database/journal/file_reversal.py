"""Taking back changes of agents' files: planned with the rows, written once all else is settled."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import apsw

from ...platform.clock import now_ms
from ...platform.errors import FileConflictError, ReadOnlyError
from ...platform.translation import _
from ...records.dataclasses import dataclass
from ...text.three_way import merged
from ..files.replacing import FileState, put, read_state
from ..files.versions import VersionFolder
from .row_change import RowChange

STATE = ("sha256", "mode", "mtime_ns")
"""The columns that say what a file is."""

FILES_OF = """
SELECT DISTINCT f.id, f.path FROM changed_rows r JOIN agent_files f ON f.id = r.record_id
WHERE r.kind = 'agent_files' AND r.change_id IN (SELECT value FROM json_each(?))
"""
NOTE_VERSION = """
INSERT INTO agent_file_versions
SELECT ?1, max(?2, coalesce(max(seen_at) + 1, 0)), ?3, ?4 FROM agent_file_versions
WHERE file_id = ?1 HAVING ?3 IS NOT (
    SELECT sha256 FROM agent_file_versions WHERE file_id = ?1 ORDER BY seen_at DESC LIMIT 1
)
"""
"""The clock may go back, the order of versions doesn't."""
SET_STATE = "UPDATE agent_files SET sha256 = ?, mode = ?, mtime_ns = ? WHERE id = ?"


@dataclass(frozen=True, slots=True)
class _Write:
    """What a file is to hold, and what it holds (None: no file); `id` is that of its row."""

    id: int
    path: Path
    before: bytes | None
    content: bytes | None
    state: FileState


class FileReversal:
    """Takes files back to what they were before changes; what others wrote to them since stays, merged.

    It is made, inside the transaction, before anything is recorded of what it takes back: each file's row
    then says what the file is now.
    """

    def __init__(self, db: apsw.Connection, changes: Iterable[int]) -> None:
        self.db = db
        self.versions = VersionFolder(Path(str(db.filename)))
        self.writes: list[_Write] = []
        self.unreadable: dict[int, str] = {}
        rows: list[Any] = db.execute(FILES_OF, (json.dumps([*changes]),)).fetchall()
        for number, path in rows:
            try:
                state, content = read_state(Path(os.fsdecode(path)))
            except OSError as error:
                self.unreadable[number] = str(error.strerror)
                continue
            if content is not None:
                self._keep(number, content)
            db.execute(SET_STATE, (state.sha256, state.mode, state.mtime_ns, number))

    def plan(self, change: RowChange, row: dict[str, Any]) -> str | None:
        """Plan to take a file back, and have the `values` of the change be what its row is to say then.
        Returns a sentence on why it can't be taken back; None where it can."""
        path = os.fsdecode(row["path"])
        if why := self.unreadable.get(row["id"]):
            return _("{path} can't be read: {error}.", path=path, error=why)
        present = FileState(**{name: row[name] for name in STATE})
        wanted, left = (
            FileState(**{name: change.values.get(name, (row[name],) * 2)[side] for name in STATE})
            for side in (0, 1)
        )
        content, result, base = (
            None if state.sha256 is None else self.versions.read(state.sha256)
            for state in (present, wanted, left)
        )
        if wanted.sha256 is not None and result is None:
            return _("{path} stays as it is, since its former version is no longer kept.", path=path)
        if present.sha256 not in (left.sha256, wanted.sha256):
            both = None
            if base is not None and result is not None and content is not None:
                both = merged(base, result, content)
            if both is None:
                return _("{path} keeps what was written to it since.", path=path)
            result = both
            wanted = FileState(self._keep(row["id"], both), present.mode, time.time_ns())
        if present != wanted:
            self.writes.append(_Write(row["id"], Path(path), content, result, wanted))
        change.values = {name: getattr(wanted, name) for name in STATE}
        return None

    def write(self) -> None:
        """Write what is planned, all of it or nothing. Raises FileConflictError and ReadOnlyError."""
        done: list[_Write] = []
        try:
            for item in self.writes:
                result = put(item.path, item.before, item.content, item.state)
                done.append(item)
                if result != item.content and result is not None:
                    self._note(item, result)
        except (FileConflictError, OSError) as error:
            for item in reversed(done):
                put(item.path, item.content, item.before, FileState())
            if isinstance(error, OSError):
                raise ReadOnlyError(
                    "{path} can't be written: {error}. Nothing was changed.",
                    path=item.path,
                    error=error.strerror,
                ) from error
            raise

    def _note(self, item: _Write, content: bytes) -> None:
        """Note what a file came to hold that somebody wrote to while it was taken back."""
        state = read_state(item.path)[0]
        name = self._keep(item.id, content)
        self.db.execute(SET_STATE, (name, state.mode, state.mtime_ns, item.id))

    def _keep(self, number: int, content: bytes) -> str:
        return keep_version(self.db, self.versions, number, content)


def keep_displaced(db: apsw.Connection, error: FileConflictError) -> None:
    """Keep as versions of a file what others wrote to it and isn't there any more; inside a transaction."""
    name = os.fsencode(str(error.values["path"]))
    number: Any = db.execute("SELECT id FROM agent_files WHERE path = ?", (name,)).get
    for content in error.displaced if number else ():
        keep_version(db, VersionFolder(Path(str(db.filename))), number, content)


def keep_version(
    db: apsw.Connection,
    versions: VersionFolder,
    number: int,
    content: bytes,
    *,
    durable: bool = True,
) -> str:
    """Keep what the file of a row holds, and return its SHA-256; inside a transaction."""
    name = versions.keep(content, durable=durable)
    db.execute(NOTE_VERSION, (number, now_ms(), name, len(content)))
    return name
