"""What a directory has of each record, how its files were when last read, and the report of a sync."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ...records.dataclasses import dataclass, field
from ...records.kinds import KIND_OF
from ...store import Store
from ..scheme_c import payload as parts
from .places import open_in
from .public import Public
from .rendering import file_of

if TYPE_CHECKING:
    from ..common.report import Report


_PUT = """
INSERT INTO synced_records (directory, uid, kind, file, hash) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (directory, uid) DO UPDATE SET hash = excluded.hash, file = excluded.file
"""
_PUT_NEW = _PUT.replace("DO UPDATE SET hash = excluded.hash, file = excluded.file", "DO NOTHING")

_CHUNK = 1 << 20


class SyncedRecord(NamedTuple):
    """What a file of a directory says of a record: `mark` is its hash."""

    uid: str
    kind: str
    file: str
    mark: str


class Baseline:
    """The synced_records of one directory."""

    def __init__(self, store: Store, directory: str) -> None:
        self.db = store.db
        self.directory = directory
        self.public = Public(store, directory)

    def record(self, table: str, numbers: Iterable[int], *, only_new: bool = False) -> None:
        """Store that the directory has these records as they are now."""
        kind = KIND_OF[table]
        records = (self.public.of(kind, number) for number in numbers)
        self.db.executemany(
            _PUT_NEW if only_new else _PUT,
            [
                (self.directory, record.uid, kind, file_of(record), parts.payload_hash(values))
                for record, values in filter(None, records)
            ],
        )

    def lies_in(self, path: Path) -> None:
        """Store where the directory lies."""
        self.db.execute(
            "INSERT INTO directories VALUES (?1, ?2) "
            "ON CONFLICT (directory) DO UPDATE SET path = ?2 WHERE path <> ?2",
            (self.directory, str(path.resolve())),
        )

    def put(self, synced: SyncedRecord) -> None:
        """Store what a line of the directory says of a record."""
        uid, kind, file, mark = synced
        self.db.execute(_PUT, (self.directory, uid, kind, file, mark))

    def known(self, kind: str) -> dict[str, tuple[str, str]]:
        """Return file and hash of every record of a kind that the directory has, by uid."""
        rows = self.db.execute(
            "SELECT uid, file, hash FROM synced_records WHERE directory = ? AND kind = ?",
            (self.directory, kind),
        )
        return {uid: (file, mark) for uid, file, mark in rows}


class State(NamedTuple):
    """A file's size in bytes, and a hash of its content."""

    bytes: int
    hash: str


class SyncedFiles:
    """The synced_files of one directory."""

    def __init__(self, store: Store, path: Path, directory: str) -> None:
        self.store = store
        self.path = path
        self.directory = directory
        self.before: dict[str, State] = {
            file: State(size, mark)
            for file, size, mark in store.db.execute(
                "SELECT file, bytes, hash FROM synced_files WHERE directory = ?", (directory,)
            )
        }
        self.present: dict[str, State] = {}

    def changed(self, files: Iterable[str]) -> list[str]:
        """Return those of these files that have changed since they were last read."""
        results = []
        for file in files:
            self.present[file] = state_of(self.path, file)
            if self.present[file] != self.before.get(file):
                results.append(file)
        return results

    def was(self, file: str) -> State | None:
        """Return a file's state when this sync began to read; None when it wasn't there."""
        return self.present.get(file)

    def keep(self) -> None:
        """Store that all that was there when this sync began is read now."""
        self._put(self.present)

    def keep_own(self, file: str, data: bytes) -> None:
        """Store that the file holds exactly this now, which is known."""
        self._put({file: State(len(data), blake2b(data, digest_size=16).hexdigest())})

    def keep_longer(self, file: str, size: int) -> None:
        """Store that this sync has added to a file until it had `size` bytes, unless others have
        written to it as well."""
        present = state_of(self.path, file)
        if present.bytes == size:
            self._put({file: present})

    def _put(self, states: dict[str, State]) -> None:
        with self.store.transaction():
            self.store.db.executemany(
                "INSERT OR REPLACE INTO synced_files VALUES (?, ?, ?, ?)",
                [(self.directory, file, *state) for file, state in states.items()],
            )


def state_of(path: Path, name: str) -> State:
    """Return a file's state now; of -1 bytes when it can't be read."""
    digest = blake2b(digest_size=16)
    size = 0
    try:
        with open_in(path, name) as file:
            while chunk := file.read(_CHUNK):
                digest.update(chunk)
                size += len(chunk)
    except OSError:
        return State(-1, "")
    return State(size, digest.hexdigest())


@dataclass(slots=True)
class SyncReport:
    """The outcome of a sync: `read` is what came in, `written` how many lines went out by kind,
    `gone` how many of these are tombstones, `files` those that were written to, `notes` what the
    user should know, `conflicts` what both sides changed and neither got."""

    directory: str
    read: Report
    written: dict[str, int] = field(default_factory=dict)
    gone: int = 0
    files: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    conflicts: list[str] = field(default_factory=list)
    is_dry_run: bool = False

    def wrote(self, kind: str, file: str) -> None:
        """Count a line of a kind that goes to a file."""
        self.written[kind] = self.written.get(kind, 0) + 1
        if file not in self.files:
            self.files.append(file)

    @property
    def is_in_step(self) -> bool:
        """Whether there was nothing to do."""
        return not (self.written or self.files or self.read.changes)
