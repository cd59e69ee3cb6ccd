"""The unit of work: every write of the store happens inside one."""

from __future__ import annotations

from types import TracebackType

import apsw

from .errors import DatabaseError, ReadOnlyError
from .search import index


class Unit:
    """`with unit:` is one BEGIN IMMEDIATE … COMMIT; nested ones join the outermost.

    Before it commits, the indexes are fed with the documents it touched, so that rows and indexes
    change together or not at all. An error rolls back everything.
    """

    def __init__(self, db: apsw.Connection, *, read_only: bool) -> None:
        self.db = db
        self.read_only = read_only
        self.depth = 0

    def __enter__(self) -> None:
        if self.read_only:
            raise ReadOnlyError("This memory is open for reading only; nothing was changed.")
        if self.depth == 0:
            with telling_errors(self.db):
                self.db.execute("BEGIN IMMEDIATE")
        self.depth += 1

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.depth -= 1
        if self.depth:
            return
        if error is not None:
            if self.db.in_transaction:
                self.db.execute("ROLLBACK")
            if isinstance(error, apsw.Error):
                with telling_errors(self.db):
                    raise error
            return
        with telling_errors(self.db):
            try:
                index.catch_up(self.db)
                self.db.execute("COMMIT")
            except BaseException:
                if self.db.in_transaction:
                    self.db.execute("ROLLBACK")
                raise


class telling_errors:  # noqa: N801 - reads as a statement
    """Turns SQLite's errors into sentences.

    After anything but a lock or a broken rule the connection's own state is in doubt (a COMMIT
    that raised may have landed), so it is closed; reopening the store is safe.
    """

    def __init__(self, db: apsw.Connection) -> None:
        self.db = db

    def __enter__(self) -> None:
        return None

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if not isinstance(error, apsw.Error) or isinstance(error, apsw.InterruptError):
            return
        if isinstance(error, apsw.BusyError):
            raise DatabaseError(
                "Another process kept the memory locked; nothing was changed. Try again."
            ) from error
        if isinstance(error, apsw.ConstraintError):
            return
        self.db.close(force=True)
        if isinstance(error, apsw.ReadOnlyError):
            raise ReadOnlyError("The memory can't be written. Check its permissions.") from error
        raise DatabaseError(
            f"The memory could not be written ({error}). Check the disk with `mem doctor`, "
            "then do it again: an event that has an id is never stored twice."
        ) from error
