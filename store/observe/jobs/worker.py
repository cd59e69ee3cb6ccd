"""The one worker of a memory: its lock, and the crash marker that says which message it works on.

Whoever holds the lock works; a process that dies lets go of it. A worker notes in a file of its
own which message it is working on, and only that message loses an attempt if the worker dies.
The note isn't synced: it survives the process, and a machine that stops is no message's fault.
"""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ...database.spool_directory import make_spool_directory
from ...store import Store

NO_LOCKS = (errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL)
"""What a file system without locks says. Leases hold without the lock as well."""

PREFIX = "working-"
WIDTH = 20


@contextmanager
def worker_lock(database: Path) -> Iterator[bool]:
    """Whether this is the worker while the block runs; False where another process is."""
    place = make_spool_directory(database) / "worker"
    lock = os.open(place, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        yield _locked(lock)
    finally:
        os.close(lock)


def _locked(lock: int) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return error.errno in NO_LOCKS
    return True


class CrashMarker:
    """One worker's note; the file is made when there is something to note."""

    def __init__(self, database: Path, owner: str) -> None:
        self._path = make_spool_directory(database) / f"{PREFIX}{owner}"
        self._file: int | None = None

    @contextmanager
    def of(self, number: int) -> Iterator[None]:
        """Note a message while the block makes something of it."""
        self._write(str(number))
        try:
            yield
        finally:
            self._write("")

    def open(self) -> None:
        """Have the note there, empty."""
        if self._file is None:
            flags = os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC | os.O_NOFOLLOW
            self._file = os.open(self._path, flags, 0o600)
            self._write("")

    def close(self) -> None:
        """Take the note away: this worker did not die."""
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
    if not number.isdecimal():
        return False
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True
