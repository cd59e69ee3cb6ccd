"""Keep the write-ahead log small, also where the memory is never closed by everyone at once.

SQLite copies a long log into the file, but begins it anew only at a moment when no
process reads from it. With a browser open and several agents writing that moment seldom comes by
chance, so whoever writes into a long log makes one: waits for the readers of now, while new ones
already read from the file. A log that was begun anew keeps its size until it is cut.
"""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path

import apsw

from .connection import BUSY_SECONDS, wait_when_busy

COPY_PAGES = 500
"""Pages (of 4 KB) from which on the log is copied into the file."""

RESTART_PAGES = 1_000
"""Pages from which on a writer begins the log anew."""

RESTART = apsw.SQLITE_CHECKPOINT_RESTART

GROWTH = 1.25
"""By how much the log has grown when that is tried again, so that a reader who never ends costs
writers little."""

PATIENCE_SECONDS, LONGEST_SECONDS = 0.5, 2.0
"""How long a writer waits for the others then: in proportion to the log's length, and at most."""

YIELD_SECONDS = 0.01
"""How long a writer stays away for another that begins the log anew: longer than a step of waiting."""

KEPT_BYTES = 4 * 2**20
"""What a log that is begun anew, or that the browser finds, is cut to at least."""


def keep_small(db: apsw.Connection, patience: float = BUSY_SECONDS) -> None:
    """Have the commits of a connection copy the log into the file, and begin it anew where it is
    long. `patience` is how many seconds the connection waits for locks else."""
    tried = 0

    def committed(db: apsw.Connection, _name: str, pages: int) -> int:
        nonlocal tried
        if pages < COPY_PAGES:
            tried = 0
        elif pages < RESTART_PAGES:
            _checkpoint(db, apsw.SQLITE_CHECKPOINT_PASSIVE)
        elif pages >= tried * GROWTH:
            seconds = min(PATIENCE_SECONDS * pages / RESTART_PAGES, LONGEST_SECONDS, patience)
            if empty(db, seconds, patience, RESTART):
                tried = pages
            else:
                # Who begins it anew needs the lock that this process would take at once again.
                time.sleep(YIELD_SECONDS)
        return apsw.SQLITE_OK

    db.pragma("journal_size_limit", KEPT_BYTES)
    db.set_wal_hook(committed)


def shorten(db: apsw.Connection) -> None:
    """Empty the log if it is long and nobody needs it right now; nothing is waited for."""
    log = Path(db.filename_wal)
    with suppress(OSError):
        if log.stat().st_size > KEPT_BYTES and not (db.in_transaction or db.readonly("main")):
            empty(db)


def empty(
    db: apsw.Connection,
    seconds: float = 0.0,
    patience: float = BUSY_SECONDS,
    mode: int = apsw.SQLITE_CHECKPOINT_TRUNCATE,
) -> bool:
    """Copy the log into the file, and cut it to nothing (or have it begun anew, by `mode`); where
    somebody reads from it or writes for more than so many seconds, it stays. Afterwards the
    connection waits for locks for `patience` seconds. Return False if another process is copying it
    right now."""
    # Most is copied while others may write; then they wait for the rest only.
    if not _checkpoint(db, apsw.SQLITE_CHECKPOINT_PASSIVE):
        return False
    wait_when_busy(db, seconds)
    try:
        _checkpoint(db, mode)
    finally:
        wait_when_busy(db, patience)
    return True


def _checkpoint(db: apsw.Connection, mode: int) -> bool:
    # What is committed is committed: no trouble with the log may make an error of it.
    try:
        db.wal_checkpoint(mode=mode)
    except apsw.Error:
        return False
    return True
