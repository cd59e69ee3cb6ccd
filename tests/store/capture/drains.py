"""Processes that drain a memory's spool, some of which are killed amid their work."""

import multiprocessing
import os
import signal
from functools import partial
from multiprocessing.process import BaseProcess
from pathlib import Path

import apsw

from memtui.store import Store
from memtui.store.capture.ingest import drain as drain_module
from memtui.store.capture.ingest.drain import drain

_context = multiprocessing.get_context("spawn")


def start_drain(database: Path, *, stop: Path | None = None) -> BaseProcess:
    """A process that stores what waits, again and again until the file `stop` is there."""
    process = _context.Process(target=_drain, args=(database, stop))
    process.start()
    return process


def killed_drain(database: Path, steps: int) -> int | None:
    """The exit code of a process that drains, and kills itself after so many steps of SQLite's."""
    process = _context.Process(target=_drain_and_die, args=(database, steps))
    process.start()
    process.join()
    return process.exitcode


def _drain(database: Path, stop: Path | None) -> None:
    with Store.open(database) as store:
        while True:
            last = stop is None or stop.exists()
            drain(store, patience=30)
            if last:
                return


def _drain_and_die(database: Path, steps: int) -> None:
    with Store.open(database) as store:
        left = steps

        def count_down() -> bool:
            nonlocal left
            left -= 1
            if left <= 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return False

        store.db.set_progress_handler(count_down, 100)
        drain(store, patience=30)


def die_at_commit(database: Path, *, landed: bool) -> int | None:
    """The exit code of a process that drains, and dies right before or after its first COMMIT."""
    process = _context.Process(target=_drain_and_die_at_commit, args=(database, landed))
    process.start()
    process.join()
    return process.exitcode


def _drain_and_die_at_commit(database: Path, landed: bool) -> None:
    def die(*_of_hook: object) -> bool:
        os.kill(os.getpid(), signal.SIGKILL)
        return False

    def die_when_written(_db: apsw.Connection, _name: str, _pages: int) -> int:
        return int(die())

    with Store.open(database) as store:
        if landed:
            # In the place of the hook that keeps the log short.
            put = partial(setattr, drain_module, "keep_small")
            put(lambda db, *_of_patience: db.set_wal_hook(die_when_written))
        else:
            store.db.set_commit_hook(die)
        drain(store, patience=30)
