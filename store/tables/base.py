"""What every table of records can do: fetch by reference, and the flags, each an undoable change."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, ClassVar, Generic, TypeVar

import apsw

from ..clock import now_ms
from ..database.journal import Journal
from ..database.transaction import Transaction, translate_errors
from ..errors import InvalidRecordError, NotFoundError
from ..kinds import PREFIXES, VISIBLE, visible
from ..records import Common
from ..text.privacy import clean
from .rows import columns, to_record

R = TypeVar("R", bound=Common)


class Table(Generic[R]):
    """One table and its rules. `name` is the table."""

    record: ClassVar[type[Any]]
    name: ClassVar[str]

    def __init__(self, db: apsw.Connection, transaction: Transaction, machine: str) -> None:
        self.db = db
        self.transaction = transaction
        self.machine = machine
        self.journal = Journal(db, machine)

    def get(self, ref: int | str) -> R:
        """The record with this id (12, "12", or with its letter: "p12") or uid; NotFoundError."""
        text = clean(str(ref))
        number = text.removeprefix(self.prefix)
        column = "id" if number.isdecimal() and len(number) < 19 else "uid"
        if found := self.where(f"{column} = ?", (int(number) if column == "id" else text,)):
            return found[0]
        raise NotFoundError(f"There is no {self.title} {text}. `mem search` lists what there is.")

    def by_ids(self, ids: Iterable[int]) -> list[R]:
        """The records with these ids, in the order given; unknown ones are left out."""
        wanted = list(ids)
        found = self.where("id IN (SELECT value FROM json_each(?))", (json.dumps(wanted),))
        known = {record.id: record for record in found}
        return [known[one] for one in wanted if one in known]

    def pin(self, record: R | int, pinned: bool = True) -> R:
        """Keep a record at hand: pinned ones are offered first to a starting session."""
        return self._change(record, "pinned" if pinned else "unpinned", "pinned", pinned)

    def set_private(self, record: R | int, private: bool = True) -> R:
        """Hide a record from every index, list and export, or show it again."""
        return self._change(record, "hidden" if private else "shown again", "private", private)

    def delete(self, record: R | int) -> R:
        """Take a record out of sight; it stays in the table until it is purged."""
        return self._change(record, "deleted", "deleted_at", now_ms())

    def restore(self, record: R | int) -> R:
        """Bring a deleted record back."""
        return self._change(record, "restored", "deleted_at", None)

    @property
    def title(self) -> str:
        """The record's kind: its name in a sentence."""
        return str(self.record.__name__).lower()

    @property
    def prefix(self) -> str:
        """What people write before the record's id."""
        return PREFIXES[self.title]

    def where(self, condition: str, values: Iterable[Any] | dict[str, Any] = ()) -> list[R]:
        """The records that meet a constant SQL condition, which may end in ORDER BY and LIMIT."""
        bindings = values if isinstance(values, dict) else tuple(values)
        sql = f"SELECT {columns(self.record)} FROM {self.name} WHERE {condition}"
        with translate_errors(self.db, writing=False):
            return [to_record(self.record, row) for row in self.db.execute(sql, bindings)]

    def _change(self, record: R | int, done: str, column: str, value: object) -> R:
        with self.transaction:
            found = self.get(record if isinstance(record, int) else record.id)
            if bool(getattr(found, column)) == bool(value):
                return found
            name = f"{self.title} {self.prefix}{found.id}"
            try:
                with self.journal.recording(f"{name} {done}"):
                    self.db.execute(
                        f"UPDATE {self.name} SET {column} = :value, updated_at = :now, "
                        "editor = :machine, hlc = max(:now << 16, hlc + 1) WHERE id = :id",
                        {"value": value, "now": now_ms(), "machine": self.machine, "id": found.id},
                    )
            except apsw.ConstraintError as error:
                raise InvalidRecordError(
                    f"{name} can't be {done}: another one says the same. Delete that one first."
                ) from error
            return self.get(found.id)


def matching(row: str = "", /, **columns: object) -> str:
    """Return the SQL condition that a row is visible and that each of these columns has the value
    which is bound by its name; None asks nothing. `+name` keeps SQLite from an index by the column.

    `name = coalesce(:name, name)` would say the same, but no index could be used for it.
    """
    of_row = f"{row}." if row else ""
    conditions = [visible(row) if row else VISIBLE]
    for name, value in columns.items():
        if value is not None:
            column = name.lstrip("+")
            conditions.append(f"{name[: -len(column)]}{of_row}{column} = :{column}")
    return " AND ".join(conditions)
