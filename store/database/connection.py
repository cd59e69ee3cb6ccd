"""How every connection is set up before its first statement; imports next to nothing."""

from __future__ import annotations

import os
import time

import apsw

OLDEST_SQLITE = 3_051_003
"""Older ones can damage a database when its write-ahead log is reset."""

BUSY_SECONDS = 30.0


def set_up(db: apsw.Connection, patience: float = BUSY_SECONDS) -> None:
    """Make a fresh connection wait for locks, check references, and keep what it acknowledges."""
    wait_when_busy(db, patience)
    db.transaction_mode = "IMMEDIATE"
    db.pragma("foreign_keys", True)
    db.pragma("synchronous", "FULL")
    # What is deleted is overwritten where that costs no further write; a purge sees to the rest.
    db.pragma("secure_delete", "fast")


def wait_when_busy(db: apsw.Connection, patience: float = BUSY_SECONDS) -> None:
    """Retry a locked database for so many seconds, in short jittered steps: fairer than SQLite's
    own growing ones."""
    since = 0.0

    def handler(attempt: int) -> bool:
        nonlocal since
        if attempt == 0:
            since = time.monotonic()
        # 0.2 to 4 ms; importing `random` would cost more than the wait.
        time.sleep(0.0002 + os.urandom(1)[0] * 1.5e-5)
        return time.monotonic() - since < patience

    db.set_busy_handler(handler)


def has_log(path: str) -> bool:
    """Return whether something lies beside a file that SQLite would read into it."""
    name = real_path(path)
    return size_of(name + "-wal") > 0 or size_of(name + "-journal") > 0


def real_path(path: str) -> str:
    """Return the path that SQLite names its files by: that of what a link leads to."""
    return os.path.realpath(path) if os.path.islink(path) else os.path.abspath(path)


def size_of(path: str) -> int:
    """Return a file's bytes; 0 where there is none."""
    try:
        return os.stat(path).st_size
    except OSError:
        return 0
