"""What every reader does first: store what hooks have left, as far as that can be done at once."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path

from ...errors import ReadOnlyError, StoreError
from ...paths import default_path
from ...store import Store
from . import spool

READER_SECONDS = 0.25
"""What a command that reads may spend on it."""

PATIENCE_SECONDS = 0.05
"""How long it waits for another process that is writing."""


def catch_up(store: Store, seconds: float = READER_SECONDS) -> bool:
    """Store what is in the spool, then what is in transcripts beyond it; whether all was stored.

    Nothing is imported where there is nothing to store. A memory that can only be read, or that
    another process is writing to, is left as it is.
    """
    if store.read_only or store.db.in_transaction:
        return True
    end = time.monotonic() + seconds
    if any(segment.unstored for segment in spool.known_segments(store.db, store.path)):
        from .drain import drain

        if drain(store, seconds=seconds).left:
            return False
    if store.db.execute("SELECT 1 FROM transcripts WHERE is_due = 1 LIMIT 1").get is None:
        return True
    from .drain import busy_timeout, unless_busy
    from .transcripts import reconcile

    with unless_busy(), busy_timeout(store.db, PATIENCE_SECONDS):
        return reconcile(store, seconds=max(0.05, end - time.monotonic()))
    return False


def is_there(path: Path) -> bool:
    """Whether there is a memory, or hooks have left events for it that make one."""
    return path.exists() or any(segment.unstored for segment in spool.segments(path, {}))


def open_caught_up(path: Path | str | None) -> Store:
    """Open a memory to read from and catch up; read-only where it can't be written.

    Raises what `Store.open` raises; a memory is made only where events wait for one.
    """
    database = Path(path) if path is not None else default_path()
    if is_there(database):
        with suppress(ReadOnlyError):
            store = Store.open(database)
            try:
                catch_up(store)
            except StoreError:
                # A full disk, for example: what is stored can be read all the same.
                store.close()
            else:
                return store
    return Store.open(database, read_only=True)
