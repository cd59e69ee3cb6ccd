"""From the spool to the store: each record once, in order, in short transactions."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice

import apsw

from ..connection import wait_when_busy
from ..errors import DatabaseError
from ..store import Store
from ..unit import roll_back
from . import quarantine, spool
from .attempt import attempt
from .spool import Waiting

BATCH_BYTES = 262_144
BATCH_RECORDS = 256
KEPT_RUNS = 1_000


@dataclass(frozen=True, slots=True)
class Drained:
    """What became of the spool: records stored and quarantined now, and bytes that still wait."""

    stored: int = 0
    quarantined: int = 0
    left: int = 0


def drain(store: Store, *, seconds: float | None = None, patience: float = 0.05) -> Drained:
    """Store what waits in the spool, for at most about so many seconds; all of it without them.

    Several processes may do so at once: the offset is kept in the transaction of the rows, so no
    record is stored twice. Where another process is writing for longer than `patience` seconds, or
    the disk is full, what is left waits for the next reader.
    """
    if store.read_only or store.db.in_transaction:
        return Drained()
    end = None if seconds is None else time.monotonic() + seconds
    done = Drained()
    with unless_busy(), impatient(store.db, patience):
        while True:
            more = _batch(store)
            done = Drained(
                done.stored + more.stored, done.quarantined + more.quarantined, more.left
            )
            if not more.left or not (more.stored or more.quarantined):
                break
            if end is not None and time.monotonic() > end:
                break
        _tidy(store)
    return done


@contextmanager
def unless_busy() -> Iterator[None]:
    """Leave the block where another process keeps the memory locked."""
    try:
        yield
    except apsw.BusyError:
        return
    except DatabaseError as error:
        if not isinstance(error.__cause__, apsw.BusyError):
            raise


@contextmanager
def impatient(db: apsw.Connection, seconds: float) -> Iterator[None]:
    """Wait for locks no longer than so many seconds while the block runs."""
    wait_when_busy(db, seconds)
    try:
        yield
    finally:
        wait_when_busy(db)


def _batch(store: Store) -> Drained:
    if not any(segment.waiting for segment in spool.found(store.db, store.path)):
        return Drained()
    stored = quarantined = 0
    with store.unit():
        # Read again inside the transaction: another process may have stored some meanwhile.
        segments = spool.found(store.db, store.path)
        ends: dict[str, int] = {}
        for one in _slice(spool.waiting(segments)):
            reason = attempt(store, one.line)
            if reason is None:
                stored += 1
            else:
                quarantined += 1
                quarantine.put(store, one, reason)
            ends[one.segment.key] = one.end
        store.db.executemany(
            "INSERT INTO spool_segments VALUES (?, ?) "
            "ON CONFLICT (segment) DO UPDATE SET stored = excluded.stored",
            list(ends.items()),
        )
    left = sum(segment.size - max(segment.stored, ends.get(segment.key, 0)) for segment in segments)
    return Drained(stored, quarantined, left)


def _slice(lines: Iterator[Waiting]) -> Iterator[Waiting]:
    size = 0
    for one in islice(lines, BATCH_RECORDS):
        yield one
        size += len(one.line)
        if size >= BATCH_BYTES:
            return


def _tidy(store: Store) -> None:
    gone = spool.tidy(spool.found(store.db, store.path), time.time())
    sql = "SELECT max(id) - ? FROM hook_runs"
    oldest = store.db.execute(sql, (KEPT_RUNS,)).get or 0
    crowded = store.db.execute("SELECT min(id) FROM hook_runs").get or 0
    if not gone and oldest - crowded < KEPT_RUNS:
        return
    try:
        with store.unit():
            store.db.executemany(
                "DELETE FROM spool_segments WHERE segment = ?", [(key,) for key in gone]
            )
            store.db.execute("DELETE FROM hook_runs WHERE id <= ?", (oldest,))
    finally:
        roll_back(store.db)
