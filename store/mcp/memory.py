"""The memory of a server: opened at its first question, kept open, and read without a lock between two.

The store is imported when it is opened, so that the server can answer who it is before that.
"""

from __future__ import annotations

import sys
import threading
from contextlib import contextmanager, suppress

from ..platform.errors import DatabaseError, NotFoundError, ReadOnlyError, StoreError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ..store import Store

CATCH_UP_SECONDS = 0.1
"""What a question may spend on storing what hooks have left."""


class Memory:
    """One memory for all calls of a process. A call at a time has it; others wait.

    `structured`: answers are told as values too.
    """

    def __init__(self, path: Path, *, structured: bool = False) -> None:
        self.path = path
        self.structured = structured
        self._store: Store | None = None
        self._file: tuple[int, int] | None = None
        """Which file is open: it may be moved aside, and another one put in its place."""
        self._lock = threading.Lock()

    @contextmanager
    def reading(self) -> Iterator[Store]:
        """Have the memory, with what hooks have left stored. NotFoundError where there is none yet."""
        import apsw

        from ..capture.ingest import catch_up

        with self._lock:
            store = self._opened()
            if store is None:
                if not catch_up.is_there(self.path):
                    raise NotFoundError(
                        "Nothing is remembered yet. `add` stores the first memory; hooks store more "
                        "(`mem install`)."
                    )
                store = self._reopened()
            else:
                with suppress(StoreError, apsw.Error):
                    catch_up.catch_up(store, CATCH_UP_SECONDS)
                store = self._opened() or self._reopened()
            with self._noting_loss(store):
                yield store

    @contextmanager
    def writing(self, via: str, agent: str) -> Iterator[Store]:
        """Have the memory to change it, made where there is none; the journal says by what and whom."""
        from ..store import Store

        with self._lock:
            store = self._opened()
            if store is None or store.read_only:
                self._close()
                store = self._store = Store.open(self.path)
                self._file = _identity(self.path)
            store.made_by(via, agent)
            try:
                with self._noting_loss(store):
                    yield store
            finally:
                # What hooks have left is stored by the same store, and isn't the agent's.
                store.made_by("")

    def interrupt(self) -> None:
        """Stop the statement under way, from any thread."""
        import apsw

        store = self._store
        if store is not None:
            with suppress(apsw.Error):
                store.db.interrupt()

    def close(self) -> None:
        """Close the file, once nobody has it."""
        with self._lock:
            self._close()

    def _opened(self) -> Store | None:
        """The store, unless an error of the disk has closed it, or its file is another one by now."""
        now = _identity(self.path)
        if self._store is not None and not (_is_open(self._store) and now == self._file):
            self._close()
        self._file = now
        return self._store

    def _reopened(self) -> Store:
        from ..capture.ingest import catch_up

        self._store = catch_up.open_caught_up(self.path)
        self._file = _identity(self.path)
        return self._store

    @contextmanager
    def _noting_loss(self, store: Store) -> Iterator[None]:
        """Say what is odd in the memory where that made a call fail, and on standard error what else is
        to be said of it."""
        from ..database import notices

        try:
            yield
        except (TypeError, ValueError, LookupError, AttributeError, OverflowError) as error:
            from ..database.schema.shapes import odd_values_sentence

            content = odd_values_sentence(store.db) if _is_open(store) else None
            if content is None:
                raise
            raise DatabaseError(content) from error
        except ReadOnlyError:
            # It may be writable by the next call.
            self._close()
            raise
        finally:
            for sentence in notices.take():
                print(sentence, file=sys.stderr)

    def _close(self) -> None:
        import apsw

        if self._store is not None:
            with suppress(apsw.Error):
                self._store.close()
            self._store = None


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        result = path.stat()
    except OSError:
        return None
    return result.st_dev, result.st_ino


def _is_open(store: Store) -> bool:
    import apsw

    try:
        return bool(store.db.filename)
    except apsw.ConnectionClosedError:
        return False
