"""One worker a memory: whoever holds the lock works, and a process that dies lets go of it."""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..capture.settings import folder

NO_LOCKS = (errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL)
"""What a file system without locks says. Leases hold without the lock as well."""


@contextmanager
def elected(database: Path) -> Iterator[bool]:
    """Whether this is the worker while the block runs; False where another process is."""
    place = folder(database) / "worker"
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
