"""The one worker of a memory: its locks, the crash marker that says which message it works on, and its
backoff from a model that fails.

Whoever holds the lock works; a process that dies lets go of it. A worker writes into a file of its
own which message it is working on, and only that message loses an attempt if the worker dies. The
file isn't synced: it survives the process, and a machine that stops is no message's fault.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from ...config import ModelSettings
from ...database.files.locks import FileLock
from ...database.files.temporary import is_running
from ...platform.paths import make_spool_directory, spool_directory
from ...platform.system import posix
from ...store import Store
from .spawn import LOCK_NAME, MODEL_NAME, NEXT_NAME

if TYPE_CHECKING:
    from ...providers.usage import Backoff, Backoffs

PREFIX = "working-"
WIDTH = 20
"""Bytes of a marker: each write overwrites the last one, so all are of one width."""


def worker_lock(database: Path, patience: float = 0.0) -> FileLock:
    """The lock of a memory's worker: held while the block runs, unless another process keeps it for
    `patience` seconds."""
    return WorkerLock(str(make_spool_directory(database) / LOCK_NAME), patience)


def model_lock(database: Path) -> FileLock:
    """The lock of whoever asks the model, which may take minutes: the rules go on beside it."""
    return WorkerLock(str(make_spool_directory(database) / MODEL_NAME))


def wait_for_worker(database: Path, seconds: float) -> bool:
    """Wait until no worker is at work on a memory, so long at most; False where another process waits
    for that already, and will do what there is to do."""
    folder = make_spool_directory(database)
    with FileLock(str(folder / NEXT_NAME)) as is_next:
        if is_next:
            with FileLock(str(folder / LOCK_NAME), seconds):
                pass
        return is_next


class WorkerLock(FileLock):
    """A lock whose file tells since when it is held."""

    def __enter__(self) -> bool:
        is_held = super().__enter__()
        if is_held:
            os.utime(self.descriptor)
        return is_held


_markers: set[CrashMarker] = set()


def clear_markers() -> None:
    """Let no message be blamed for the end of this process, which is about to stop where it is."""
    for marker in _markers:
        marker.clear()


class CrashMarker:
    """The marker of one worker: a file that holds the id of the message which it is working on."""

    def __init__(self, database: Path, owner: str) -> None:
        self._path = make_spool_directory(database) / f"{PREFIX}{owner}"
        self._file: int | None = None

    @contextmanager
    def of(self, number: int) -> Iterator[None]:
        """Mark a message while the block works on it; nothing before `open`."""
        self._write(str(number))
        try:
            yield
        finally:
            self.clear()

    def open(self) -> None:
        """Create the file, empty, where there is none yet."""
        if self._file is None:
            flags = posix.O_CREAT | posix.O_WRONLY | posix.O_CLOEXEC | posix.O_NOFOLLOW
            self._file = posix.open(self._path, flags, 0o600)
            self.clear()
            _markers.add(self)

    def clear(self) -> None:
        """Note that no message is being worked on."""
        self._write("")

    def close(self) -> None:
        """Delete the file: this worker did not die."""
        if self._file is not None:
            _markers.discard(self)
            os.close(self._file)
            self._file = None
            self._path.unlink(missing_ok=True)

    def _write(self, text: str) -> None:
        if self._file is not None:
            posix.pwrite(self._file, text.ljust(WIDTH).encode(), 0)


def held_for(database: Path) -> float | None:
    """For how many seconds another process has held the worker's lock without a change of its marker;
    None where nobody holds it."""
    folder = spool_directory(database)
    times = [
        lock.stat().st_mtime
        for lock in (folder / LOCK_NAME, folder / MODEL_NAME)
        if lock.is_file() and _is_held(lock)
    ]
    if not times:
        return None
    for marker in folder.glob(f"{PREFIX}*"):
        with suppress(OSError):
            times.append(marker.stat().st_mtime)
    return time.time() - max(times)


def _is_held(lock: Path) -> bool:
    with FileLock(str(lock)) as is_free:
        return not is_free


def release_blameless(store: Store) -> None:
    """Free what dead workers had leased but weren't working on, as if they had never claimed it."""
    leases = store.pending.expired_leases()
    if not leases:
        return
    folder = make_spool_directory(store.path)
    marked = {owner: _read(folder / f"{PREFIX}{owner}") for _, owner in leases}
    with store.transaction():
        for number, owner in leases:
            if marked[owner] not in (None, str(number)):
                store.pending.undo_claim(number, owner)


def remove_stale_markers(store: Store) -> None:
    """Delete the markers of dead workers that hold no lease any more."""
    holding = {f"{PREFIX}{owner}" for owner in store.pending.lease_owners()}
    for path in make_spool_directory(store.path).glob(f"{PREFIX}*"):
        if path.name not in holding and not _is_alive(path.name):
            path.unlink(missing_ok=True)


def _read(path: Path) -> str | None:
    """The id of the message that a worker was working on, `` for none; None where there is no marker."""
    with suppress(OSError):
        return path.read_text("ascii").strip()
    return None


def _is_alive(name: str) -> bool:
    number = name.removeprefix(PREFIX).partition("-")[0]
    return number.isdecimal() and is_running(int(number))


KEY = "observer_rest"


def current_backoff(store: Store, settings: ModelSettings) -> Backoff | None:
    """Return the backoff that holds now; None where the model may be asked."""
    return backoffs(store).current(settings.fingerprint)


def backoffs(store: Store) -> Backoffs:
    """Return the backoffs from the model that observes."""
    from ...providers.usage import Backoffs

    return Backoffs(store.db, store.transaction(), KEY)
