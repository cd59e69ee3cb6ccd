"""What a directory already knows of each record, so that only news is written to it."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from ...kinds import TABLES
from ...store import Store
from . import payload as parts
from .public import Public
from .rendering import file_of

_KINDS = {table: kind for kind, table in TABLES.items()}
_PUT = """
INSERT INTO synced_records (directory, uid, kind, file, hash) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (directory, uid) DO UPDATE SET hash = excluded.hash, file = excluded.file
"""
_PUT_NEW = _PUT.replace("DO UPDATE SET hash = excluded.hash, file = excluded.file", "DO NOTHING")

_CHUNK = 1 << 20


class Synced(NamedTuple):
    """What a file of a directory says of a record, as a hash."""

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

    def take(self, table: str, numbers: Iterable[int], *, only_new: bool = False) -> None:
        """The directory itself told these records, as they are now."""
        kind = _KINDS[table]
        told = (self.public.of(kind, number) for number in numbers)
        self.db.executemany(
            _PUT_NEW if only_new else _PUT,
            [
                (self.directory, record.uid, kind, file_of(record), parts.mark(values))
                for record, values in filter(None, told)
            ],
        )

    def lies_in(self, path: Path) -> None:
        """The directory was seen there."""
        self.db.execute(
            "INSERT INTO directories VALUES (?1, ?2) "
            "ON CONFLICT (directory) DO UPDATE SET path = ?2 WHERE path <> ?2",
            (self.directory, str(path.resolve())),
        )

    def put(self, synced: Synced) -> None:
        """A line of the directory says this of a record."""
        uid, kind, file, mark = synced
        self.db.execute(_PUT, (self.directory, uid, kind, file, mark))

    def known(self, kind: str) -> dict[str, tuple[str, str]]:
        """File and mark of every record of a kind that the directory knows, by uid."""
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
        """Those of these files that aren't as they were when they were last read."""
        found = []
        for file in files:
            self.present[file] = state_of(self.path / file)
            if self.present[file] != self.before.get(file):
                found.append(file)
        return found

    def was(self, file: str) -> State | None:
        """A file as it was when this sync began to read; None when it wasn't there."""
        return self.present.get(file)

    def keep(self) -> None:
        """All that was there when this sync began is read now."""
        self._put(self.present)

    def keep_own(self, file: str, data: bytes) -> None:
        """The file holds exactly this now, which is known."""
        self._put({file: State(len(data), blake2b(data, digest_size=16).hexdigest())})

    def keep_longer(self, file: str, size: int) -> None:
        """This sync has added to a file until it had `size` bytes. Unless others have written to it
        as well, its new content is known."""
        present = state_of(self.path / file)
        if present.bytes == size:
            self._put({file: present})

    def _put(self, states: dict[str, State]) -> None:
        with self.store.transaction():
            self.store.db.executemany(
                "INSERT OR REPLACE INTO synced_files VALUES (?, ?, ?, ?)",
                [(self.directory, file, *state) for file, state in states.items()],
            )


def state_of(path: Path) -> State:
    """A file as it is now; of no bytes when it can't be read."""
    digest = blake2b(digest_size=16)
    size = 0
    try:
        with path.open("rb") as file:
            while chunk := file.read(_CHUNK):
                digest.update(chunk)
                size += len(chunk)
    except OSError:
        return State(-1, "")
    return State(size, digest.hexdigest())
