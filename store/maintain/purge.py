"""Purge: what was deleted goes for good, and no byte of it stays in the file or its log."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import apsw

from ..database.transaction import translate_errors
from ..search import index
from ..store import Store
from ..tables.purge import purge_rows


def purge(store: Store, table: str, numbers: Sequence[int]) -> int:
    """Purge the records of a table with these ids that are deleted; return how many there were. One
    transaction; `finish` afterwards makes it final on the disk."""
    with store.transaction():
        return purge_rows(store.db, table, numbers)


def finish(store: Store) -> None:
    """Overwrite what was purged: merge the indexes' segments, and empty the log into the file."""
    with translate_errors(store.db):
        for table in index.tables(store.db):
            with store.transaction():
                store.db.execute(f"INSERT INTO {table} ({table}) VALUES ('optimize')")
        with suppress(apsw.BusyError):
            store.db.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)


def overwrite_deleted(store: Store) -> None:
    """Have this connection overwrite what it deletes, from now on."""
    store.db.pragma("secure_delete", True)
