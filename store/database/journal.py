"""The journal: each edit and delete as a changeset that can be taken back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import apsw

from ..clock import now_ms
from ..errors import InvalidRecordError
from ..kinds import TABLES

JOURNALED = tuple(TABLES.values())

STANDING = """
SELECT id, what, changeset FROM changes WHERE undone_at IS NULL ORDER BY id DESC LIMIT 1
"""


class Journal:
    """Writes to `changes`; always inside a transaction."""

    def __init__(self, db: apsw.Connection, machine: str) -> None:
        self.db = db
        self.machine = machine

    @contextmanager
    def recording(self, what: str) -> Iterator[None]:
        """Record what the block changes under a sentence such as "observation 12 deleted"."""
        with closing(apsw.Session(self.db, "main")) as session:
            for table in JOURNALED:
                session.attach(table)
            yield
            changeset = session.changeset()
        if changeset:
            self.db.execute(
                "INSERT INTO changes (at, actor, what, changeset) VALUES (?, ?, ?, ?)",
                (now_ms(), self.machine, what, changeset),
            )

    def undo(self) -> str | None:
        """Take back the newest change that still stands and say which; None when there is none.

        InvalidRecordError when what it would bring back is there again already.
        """
        while change := self.db.execute(STANDING).fetchone():
            number, what, changeset = change
            self.db.execute("UPDATE changes SET undone_at = ? WHERE id = ?", (now_ms(), number))
            if self._take_back(what, changeset):
                return str(what)
        return None

    def _take_back(self, what: str, changeset: bytes) -> bool:
        """Return whether any of the changed rows was still there."""
        clocks = self._clocks(changeset)
        try:
            apsw.Changeset.apply(apsw.Changeset.invert(changeset), self.db, conflict=_settle)
        except apsw.AbortError as error:
            raise InvalidRecordError(
                f"“{what}” can't be taken back: what it changed is there again in another record."
            ) from error
        # The clock must not go back with the row, or another machine would bring the change again.
        for table, row, clock in clocks:
            self.db.execute(
                f"UPDATE {table} SET updated_at = ?1, editor = ?2, hlc = max(?1 << 16, ?3 + 1) "
                "WHERE id = ?4",
                (now_ms(), self.machine, clock, row),
            )
        return bool(clocks)

    def _clocks(self, changeset: bytes) -> list[tuple[str, int, int]]:
        """Table, id and clock of each changed row that is still there."""
        found: list[tuple[str, int, int]] = []
        for change in apsw.Changeset.iter(changeset):
            row: Any = (change.old or change.new or ())[0]
            clock: Any = self.db.execute(f"SELECT hlc FROM {change.name} WHERE id = ?", (row,)).get
            if clock is not None:
                found.append((change.name, row, clock))
        return found


def _settle(reason: int, _change: apsw.TableChange) -> int:
    """A row whose other columns went on, as its clock does, is still taken back; a purged one isn't."""
    if reason == apsw.SQLITE_CHANGESET_DATA:
        return apsw.SQLITE_CHANGESET_REPLACE
    if reason == apsw.SQLITE_CHANGESET_NOTFOUND:
        return apsw.SQLITE_CHANGESET_OMIT
    return apsw.SQLITE_CHANGESET_ABORT


def forget_changes(db: apsw.Connection, table: str, numbers: set[int]) -> None:
    """Delete the changes that hold a purged row of a table; they could not be taken back anyway.
    Inside a transaction."""
    assert table in JOURNALED
    found: list[Any] = db.execute("SELECT id FROM changes").fetchall()
    for (number,) in found:
        # One at a time: a merge or a retention run may have changed thousands of rows.
        changeset: Any = db.execute("SELECT changeset FROM changes WHERE id = ?", (number,)).get
        for change in apsw.Changeset.iter(changeset):
            row: Any = (change.old or change.new or (None,))[0]
            if change.name == table and row in numbers:
                db.execute("DELETE FROM changes WHERE id = ?", (number,))
                break
