"""How the files of a directory were when they were last read, and so which of them have changed."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from ..store import Store

_CHUNK = 1 << 20


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
        with self.store.unit():
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
