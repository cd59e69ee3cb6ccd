"""Transactions: every write of the store happens inside one, and every answer reads one snapshot."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import wraps
from types import TracebackType
from typing import Concatenate, ParamSpec, Protocol, TypeVar

import apsw

from ..platform.errors import DatabaseError, InvalidRecordError, ReadOnlyError
from ..platform.paths import forget_starts
from ..platform.translation import N_, _
from .connection import wait_when_busy
from .files import disk
from .files.disk import UNWRITABLE
from .recording import Recorder

P = ParamSpec("P")
T = TypeVar("T")


DAMAGE = (apsw.CorruptError, apsw.NotADBError)

CLOSED = _("This store is closed; open it again.")
ONLY_A_PERSON = N_("Only a person decides what agents are told: run it in a terminal of yours.")


class Transaction:
    """`with transaction:` is one BEGIN IMMEDIATE … COMMIT; nested ones join the outermost.

    `before_commit` is called with the connection before the outermost commits: the store feeds the
    indexes there, so that rows and indexes change together or not at all. An error that leaves the
    outermost takes all back. `before_flags` is called with the connection, a table, ids of its rows
    and the columns that one statement is about to give all of them.
    """

    def __init__(
        self,
        db: apsw.Connection,
        *,
        read_only: bool = False,
        before_commit: Callable[[apsw.Connection], object] | None = None,
        before_flags: Callable[[apsw.Connection, str, Sequence[int], Mapping[str, object]], object]
        | None = None,
    ) -> None:
        self.db = db
        self.read_only = read_only
        self.before_commit = before_commit
        self.before_flags = before_flags
        self.depth = 0
        self.changes = 0
        """Rows that the connection had changed before it began."""
        self.recorder: Recorder | None = None
        """What notes the changes of the present action for the journal, if anything does."""
        self.via = ""
        """The command that changes are made by: the journal says so."""
        self.key = ""
        """The key that was pressed for it, where it is no command but the browser."""
        self.agent: str | None = None
        """The agent that runs it; None for a person."""
        self.held = 0
        """Of how many memories that it added the user is asked for a word first."""
        self.only_adds = False
        """Whether nothing is changed that a starting session may have been told, so that what is prepared
        for starts holds until it is prepared again."""

    @property
    def is_reviewed(self) -> bool:
        """Whether an agent makes the changes and `[memory] review` asks for its user's word on them."""
        if self.agent is None:
            return False
        from ..config import reviews_agents

        return reviews_agents()

    def check_person(self, sentence: str = ONLY_A_PERSON) -> None:
        """Raise InvalidRecordError where an agent makes the changes, on which its user gives a word."""
        if self.is_reviewed:
            raise InvalidRecordError(sentence)

    @property
    def made_via(self) -> str:
        """What the journal says that a change was made by: "mem edit", "e in memtui"."""
        return f"{self.key} in {self.via}" if self.key else self.via

    def announce(self, table: str, ids: Sequence[int], values: Mapping[str, object]) -> None:
        """Say that one statement is about to give rows of a table these columns; in the transaction."""
        if self.before_flags is not None:
            self.before_flags(self.db, table, ids, values)

    def __enter__(self) -> None:
        if self.read_only:
            raise ReadOnlyError("This store is open for reading only; nothing was changed.")
        if self.depth == 0:
            with translate_errors(self.db):
                self.db.execute("BEGIN IMMEDIATE")
                self.changes = self.db.total_changes()
        self.depth += 1

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.depth -= 1
        with translate_errors(self.db):
            if self.depth == 0:
                self._finish(commit=error is None)
            if isinstance(error, apsw.Error):
                raise error

    def _finish(self, *, commit: bool) -> None:
        try:
            if commit:
                if self.before_commit is not None:
                    self.before_commit(self.db)
                if not self.only_adds and self.db.total_changes() > self.changes:
                    # Before the commit, for a kill may come after it; nothing is prepared meanwhile.
                    forget_starts(self.db.filename)
                self.db.execute("COMMIT")
        finally:
            roll_back(self.db)


def try_write(db: apsw.Connection, write: Callable[[], object], patience_seconds: float = 0.0) -> None:
    """Make a write that is worth neither an error nor a long wait: it is left undone while another
    process is writing, on a full disk, and in a file that can only be read. In a transaction it
    is a part of that."""
    with translate_errors(db, writing=False):
        if db.in_transaction:
            write()
            return
        db.set_busy_timeout(round(patience_seconds * 1000))
        try:
            # Not `with db`: a full disk ends the transaction, and then that fails to roll it back.
            db.execute("BEGIN IMMEDIATE")
            write()
            db.execute("COMMIT")
        except UNWRITABLE:
            return
        finally:
            roll_back(db)
            with suppress(apsw.ConnectionClosedError):
                wait_when_busy(db)


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


class Connected(Protocol):
    """Whatever has a connection."""

    db: apsw.Connection


C = TypeVar("C", bound=Connected)


def in_snapshot(method: Callable[Concatenate[C, P], T]) -> Callable[Concatenate[C, P], T]:
    """Have a method read one snapshot of the store, whatever others write meanwhile."""

    @wraps(method)
    def of_one_state(self: C, /, *args: P.args, **named: P.kwargs) -> T:
        with snapshot(self.db):
            return method(self, *args, **named)

    return of_one_state


@contextmanager
def snapshot(db: apsw.Connection) -> Iterator[None]:
    """Read one snapshot of the store in several SELECTs; inside a transaction, that one's."""
    with translate_errors(db, writing=False):
        if db.in_transaction:
            yield
            return
        db.execute("BEGIN")
        try:
            yield
        finally:
            roll_back(db)


@contextmanager
def savepoint(db: apsw.Connection) -> Iterator[None]:
    """Take back what the block wrote if it raises; what its transaction wrote before stays."""
    db.execute("SAVEPOINT part")
    try:
        yield
    except BaseException:
        _take_back(db)
        raise
    db.execute("RELEASE part")


@contextmanager
def tried_out(db: apsw.Connection) -> Iterator[None]:
    """Take back what the block wrote in any case; what its transaction wrote before stays."""
    db.execute("SAVEPOINT part")
    try:
        yield
    finally:
        _take_back(db)


def _take_back(db: apsw.Connection) -> None:
    # A full disk, or a stop halfway through a statement, ends the transaction, and the savepoint with it.
    if db.in_transaction:
        db.execute("ROLLBACK TO part")
        db.execute("RELEASE part")


def roll_back(db: apsw.Connection) -> None:
    """End a transaction that is still open, keeping nothing of it."""
    # Where even that fails the disk does; what was asked before tells of it.
    with suppress(apsw.ConnectionClosedError, *UNWRITABLE):
        if db.in_transaction:
            db.execute("ROLLBACK")


@contextmanager
def translate_errors(db: apsw.Connection, *, writing: bool = True) -> Iterator[None]:
    """Turns SQLite's errors into the store's.

    After a write that failed by anything but a lock or a broken rule the connection's own state is
    in doubt (a COMMIT that raised may have landed), so it is closed; reopening the store is safe.
    """
    try:
        yield
    except apsw.InterruptError:
        raise
    except apsw.ConnectionClosedError as error:
        raise DatabaseError(CLOSED) from error
    except apsw.BusyError as error:
        raise DatabaseError(
            "Another process kept the store locked; nothing was changed. Try again."
        ) from error
    except apsw.ConstraintError as error:
        raise InvalidRecordError(
            "That breaks a rule of the table ({error}); nothing was changed.", error=error
        ) from error
    except apsw.Error as error:
        sentence = disk.sentence(error, _path(db))
        if not writing:
            if sentence is not None:
                raise DatabaseError(sentence) from error
            raise DatabaseError(
                (
                    "The store could not be read ({error}). Check it with `mem doctor`; `mem store "
                    "repair` salvages it."
                )
                if isinstance(error, DAMAGE)
                else "The store could not be read ({error}). Check it with `mem doctor`.",
                error=error,
            ) from error
        db.close(force=True)
        if isinstance(error, apsw.ReadOnlyError):
            raise ReadOnlyError("The store can't be written. Check its permissions.") from error
        if sentence is not None:
            raise DatabaseError(
                "{sentence} An event that has an id is never stored twice.", sentence=sentence
            ) from error
        raise DatabaseError(
            "The store could not be written ({error}). Check the disk with `mem doctor`, "
            "then do it again: an event that has an id is never stored twice.",
            error=error,
        ) from error


def _path(db: apsw.Connection) -> str:
    try:
        return db.filename or _("the store")
    except apsw.ConnectionClosedError:
        return _("the store")
