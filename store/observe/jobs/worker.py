"""The one worker of a memory: its lock, and the crash marker that says which message it works on.

Whoever holds the lock works; a process that dies lets go of it. A worker writes into a file of its
own which message it is working on, and only that message loses an attempt if the worker dies. The
file isn't synced: it survives the process, and a machine that stops is no message's fault.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ...database.atomic import is_running
from ...database.locks import FileLock
from ...paths import make_spool_directory
from ...store import Store
from .spawn import LOCK_NAME

PREFIX = "working-"
WIDTH = 20
"""Bytes of a marker: each write overwrites the last one, so all are of one width."""


def worker_lock(database: Path) -> FileLock:
    """The lock of a memory's worker: held while the block runs, unless another process holds it."""
    return FileLock(str(make_spool_directory(database) / LOCK_NAME))


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
            self._write("")

    def open(self) -> None:
        """Create the file, empty, where there is none yet."""
        if self._file is None:
            flags = os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC | os.O_NOFOLLOW
            self._file = os.open(self._path, flags, 0o600)
            self._write("")

    def close(self) -> None:
        """Delete the file: this worker did not die."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
            self._path.unlink(missing_ok=True)

    def _write(self, text: str) -> None:
        if self._file is not None:
            os.pwrite(self._file, text.ljust(WIDTH).encode(), 0)


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
