"""Take what is stored out of the spool's files, so that no purged word stays there."""

from __future__ import annotations

import os

from ...store import Store
from ..ingest import spool, spool_state
from .beginnings import mark_of
from .drain import drain

AT_ONCE = 1_048_576


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
    flags = os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
    file = os.open(segment.path, flags)
    try:
        if segment.mark != mark_of(file, segment.stored, segment.last):
            # Another file has taken its place just now.
            return 0
        for begin in range(0, segment.stored, AT_ONCE):
            length = min(AT_ONCE, segment.stored - begin)
            present = os.pread(file, length, begin)
            if filled := length - present.count(b"\n"):
                os.pwrite(file, b"\n" * length, begin)
                count += filled
        if count:
            os.fsync(file)
    finally:
        os.close(file)
    return count
