"""From the spool to the store: each record once, in order, in short transactions; and what is stored out
of the spool's files, so that no purged word stays there."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

import apsw

from ...agents.registry import BY_NAME, agent_of_record
from ...context.log import log_starts
from ...database.connection import wait_when_busy
from ...database.log_size import keep_small
from ...database.transaction import roll_back, translate_errors
from ...platform.clock import DAY_MS
from ...platform.errors import DatabaseError, StoreError, failure_of
from ...platform.system import posix
from ...records.dataclasses import dataclass
from ...store import Store
from ...text.redaction import redact, remember_clean, table_version, texts_in
from . import quarantine, spool, spool_state
from .pipeline import ingest_event
from .spool_files import mark_of

BATCH_BYTES = 524_288
BATCH_RECORDS = 256

BATCH_LINES = 20_000
"""Lines that one transaction looks at, those included that are known."""

KEPT_RUNS = 1_000
OVERWRITTEN_AT_ONCE = 1_048_576

TRANSIENT = (apsw.BusyError, apsw.FullError, apsw.IOError, apsw.InterruptError, apsw.ReadOnlyError)
"""Errors that say nothing of the record: it will be tried again."""


@dataclass(frozen=True, slots=True)
class Drained:
    """What became of the spool: records stored and quarantined now, bytes that are left, and lines
    that were read again and found stored before."""

    stored: int = 0
    quarantined: int = 0
    left: int = 0
    recognised: int = 0


def drain(
    store: Store, *, seconds: float | None = None, patience: float = 0.05, settling: bool = True
) -> Drained:
    """Store what is in the spool, for at most about `seconds`; all of it without them.

    What hooks have taken and not yet written is waited for, unless the caller has done so (`settling`
    is False).

    Several processes may do so at once: the offset is kept in the transaction of the rows, so no
    record is stored twice. Where another process is writing for longer than `patience` seconds, or
    the disk is full, what is left waits for the next reader.
    """
    if store.read_only or store.db.in_transaction:
        return Drained()
    end = None if seconds is None else time.monotonic() + seconds
    spool.narrow(store.path)
    if settling:
        spool.settle(store.path, min(spool.SETTLE_SECONDS, seconds or spool.SETTLE_SECONDS))
    done = Drained()
    # Of all pages that a record changes a savepoint keeps a copy, else in a file: ten times what is stored.
    store.db.pragma("temp_store", "memory")
    with unless_busy(), busy_timeout(store.db, patience), translate_errors(store.db, writing=False):
        while True:
            more = _batch(store)
            done = Drained(
                done.stored + more.stored,
                done.quarantined + more.quarantined,
                more.left,
                done.recognised + more.recognised,
            )
            if not more.left or not (more.stored or more.quarantined or more.recognised):
                break
            if end is not None and time.monotonic() > end:
                break
        _clean_up(store)
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
def busy_timeout(db: apsw.Connection, seconds: float) -> Iterator[None]:
    """Wait for locks no longer than `seconds` while the block runs, also after a commit that tried to
    shorten the log."""
    wait_when_busy(db, seconds)
    keep_small(db, seconds)
    try:
        yield
    finally:
        # An error of the disk closed it.
        with suppress(apsw.ConnectionClosedError):
            wait_when_busy(db)
            keep_small(db)


def _batch(store: Store) -> Drained:
    known = spool_state.known_segments(store.db, store.path)
    if not any(item.unstored or (item.stored and not item.is_recorded) for item in known):
        return Drained()
    stored = quarantined = recognised = size = 0
    with store.transaction():
        # Read again inside the transaction: another process may have stored some meanwhile.
        known = spool_state.known_segments(store.db, store.path)
        for segment in known:
            if segment.mark is None:
                # An older version stored its lines, which knew a segment by its name and inode.
                for line in spool.lines_between(segment, 0, segment.stored):
                    spool_state.remember_line(store.db, line.line)
        moved = [entry for entry in known if entry.stored and not entry.is_recorded]
        ends = {one.key: (one.stored, one.last) for one in moved}
        for unstored in spool.unstored_lines(known):
            if not spool_state.remember_line(store.db, unstored.line):
                recognised += 1
            elif (reason := ingest_line(store, unstored.line)) is None:
                stored += 1
            elif spool_state.is_remnant(store.db, known, unstored):
                recognised += 1
            else:
                quarantined += 1
                quarantine.put(store, unstored, reason)
            ends[unstored.segment.key] = (unstored.end, unstored.begin)
            size += len(unstored.line)
            records = stored + quarantined
            if (
                (records and size >= BATCH_BYTES)
                or records >= BATCH_RECORDS
                or records + recognised >= BATCH_LINES
            ):
                break
        for segment in known:
            if segment.key in ends:
                spool_state.record_beginning(store.db, segment, *ends[segment.key])
    left = sum(one.size - ends.get(one.key, (one.stored, 0))[0] for one in known)
    return Drained(stored, quarantined, left, recognised)


def _clean_up(store: Store) -> None:
    log_starts(store.db)
    known = spool_state.known_segments(store.db, store.path)
    spool_state.note_owner(store.db, known)
    now = time.time()
    removed = spool.remove_stored(known, now)
    sql = "SELECT max(id) - ? FROM hook_runs"
    oldest = store.db.execute(sql, (KEPT_RUNS,)).get or 0
    crowded = store.db.execute("SELECT min(id) FROM hook_runs").get or 0
    if not removed and oldest - crowded < KEPT_RUNS:
        return
    try:
        with store.transaction():
            spool_state.forget_segments(store.db, known, removed, now)
            store.db.execute("DELETE FROM hook_runs WHERE id <= ?", (oldest,))
    finally:
        roll_back(store.db)


def ingest_line(store: Store, line: bytes) -> str | None:
    """Store a line of the spool in the present transaction; the reason where it can't be stored, and
    then nothing of it is."""
    db = store.db
    db.execute("SAVEPOINT record")
    try:
        record = spool.read_record(line)
        agent = agent_of_record(record)
        is_clean = record.cleaned == table_version()
        if is_clean:
            # Its texts are scrubbed; only what the rules make of them is looked at.
            remember_clean(texts_in(record.event))
        events = BY_NAME[agent].events(record)
        new = [ingest_event(store, event, "hook", is_clean=is_clean) for event in events]
        db.execute(
            "INSERT INTO hook_runs (at, agent, microseconds) VALUES (?, ?, ?)",
            (record.at, agent, record.took),
        )
        db.execute(
            "INSERT INTO agent_days VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET "
            "events = events + excluded.events, last_at = max(last_at, excluded.last_at)",
            (agent, record.at // DAY_MS, sum(new), record.at),
        )
    except TRANSIENT:
        raise
    except (StoreError, apsw.Error) as error:
        if isinstance(error.__cause__, TRANSIENT) or not db.in_transaction:
            raise
        reason = str(error)
    except Exception as error:
        # Whatever an event may hold, it must not keep those behind it from being stored.
        reason = str(error) if isinstance(error, ValueError) else failure_of(error)
    else:
        db.execute("RELEASE record")
        return None
    db.execute("ROLLBACK TO record")
    db.execute("RELEASE record")
    return reason


@dataclass(frozen=True, slots=True)
class Retried:
    """How many were stored now, and how many failed again."""

    stored: int
    quarantined: int


def retry_quarantined(store: Store, numbers: Sequence[int] | None = None) -> Retried:
    """Store quarantined records, those of these numbers or all, and read quarantined transcripts anew;
    what fails stays. NotFoundError for an unknown number."""
    from .transcripts import read_anew

    stored = failed = 0
    for number, line in quarantine.numbered_records(store, numbers):
        path = quarantine.transcript_of(line)
        with store.transaction():
            reason = read_anew(store, path) if path else ingest_line(store, line.encode("utf-8", "replace"))
            if reason is None:
                store.db.execute("DELETE FROM quarantine WHERE id = ?", (number,))
                stored += 1
            else:
                store.db.execute(
                    "UPDATE quarantine SET attempts = attempts + 1, reason = ? WHERE id = ?",
                    (redact(reason), number),
                )
                failed += 1
    return Retried(stored, failed)


def scrub_stored(store: Store, *, patience: float = 5.0) -> int:
    """Store what waits in the spool, then overwrite the stored bytes of all its segments, those of
    quarantined events too; the number of bytes that were overwritten.

    Call it outside of a transaction, after a purge has been committed. Hooks may append meanwhile, and
    lose nothing: the files keep their length, and only what is stored becomes empty lines. A kill
    leaves each byte as it was or empty, and the next call goes on. What another process keeps from being
    stored, for `patience` seconds, stays. Raises StoreError where the memory can't be written, and
    OSError where a segment can't.
    """
    drain(store, patience=patience)
    count = 0
    with store.transaction():
        for segment in spool_state.known_segments(store.db, store.path):
            if segment.mark is not None:
                count += _scrub(segment)
                spool_state.record_beginning(store.db, segment, segment.stored, segment.stored)
    return count


def _scrub(segment: spool.Segment) -> int:
    count = 0
    flags = posix.O_RDWR | posix.O_CLOEXEC | posix.O_NOFOLLOW | posix.O_NONBLOCK
    file = posix.open(segment.path, flags)
    try:
        if segment.mark != mark_of(file, segment.stored, segment.last):
            # Another file has taken its place just now.
            return 0
        for begin in range(0, segment.stored, OVERWRITTEN_AT_ONCE):
            length = min(OVERWRITTEN_AT_ONCE, segment.stored - begin)
            present = posix.pread(file, length, begin)
            if filled := length - present.count(b"\n"):
                posix.pwrite(file, b"\n" * length, begin)
                count += filled
        if count:
            os.fsync(file)
    finally:
        os.close(file)
    return count
