"""Commits that don't wait for the disk, for bulk writing that can be repeated."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress

import apsw


@contextmanager
def async_commit(db: apsw.Connection) -> Iterator[None]:
    """Let commits wait for no disk: after a power cut, an import can run again."""
    if db.in_transaction:
        yield
        return
    before = db.pragma("synchronous")
    db.pragma("synchronous", "NORMAL")
    try:
        yield
    finally:
        with suppress(apsw.ConnectionClosedError):
            db.pragma("synchronous", before)
