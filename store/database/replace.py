"""Replace all of a memory by another file, page by page, while others have it open.

SQLite's backup into a live file takes the write lock with its first page and keeps it to its last.
So the old state that is read in between is the last one, and whoever writes meanwhile waits, and
writes into the new one. Whoever has the file open goes on with it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import apsw

from ..database import file
from ..platform.errors import DatabaseError
from .connection import BUSY_SECONDS, set_up, wait_when_busy

STEP_SECONDS = 0.01


def replace_pages(path: Path, made: Path, while_locked: Callable[[], object]) -> None:
    """Put the pages of `made` in the place of those of the memory at `path`, in one transaction.

    `while_locked` is called when nobody else can write any more and before anything is changed: it
    may read the memory by another connection and write to `made`, and what it raises leaves the
    memory as it was. Raises DatabaseError, and what opening a memory raises.
    """
    with closing(file.connect(path, read_only=False)) as db:
        try:
            _replace(db, made, while_locked)
        except apsw.BusyError as error:
            raise DatabaseError(
                "Another process kept {path} locked; it is as it was. Try again.", path=path
            ) from error
        except apsw.Error as error:
            raise DatabaseError(
                "{path} could not be replaced ({error}); it is as it was. See that the disk "
                "has room, close other programs that use it, and try again.",
                path=path,
                error=error,
            ) from error
        db.set_busy_timeout(0)
        with suppress(apsw.Error):
            db.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
        wait_when_busy(db)


def keep_numbers(old: apsw.Connection, new: apsw.Connection) -> None:
    """Have a memory that takes the place of another give no number that the other gave. Nothing is
    done where either is of a schema that kept none."""
    known = "SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence'"
    if old.execute(known).get is None or new.execute(known).get is None:
        return
    highest: list[Any] = old.execute("SELECT name, seq FROM sqlite_sequence").fetchall()
    with new:
        for name, number in highest:
            new.execute("UPDATE sqlite_sequence SET seq = max(seq, ?2) WHERE name = ?1", (name, number))
            if not new.changes():
                new.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (name, number))


def _replace(db: apsw.Connection, made: Path, while_locked: Callable[[], object]) -> None:
    with closing(apsw.Connection(str(made), flags=apsw.SQLITE_OPEN_READWRITE)) as new:
        set_up(new)
        with db.backup("main", new, "main") as job:
            # The first page takes the lock. What is written to `made` afterwards begins the copy
            # anew; the lock stays.
            _step(job, 1)
            while_locked()
            while not job.done:
                _step(job, -1)


def _step(job: apsw.Backup, pages: int) -> None:
    until = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            job.step(pages)
        except apsw.BusyError:
            if time.monotonic() > until:
                raise
            time.sleep(STEP_SECONDS)
        else:
            return
