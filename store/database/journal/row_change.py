"""A change of one row that is to be taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...platform.translation import _
from ...records.dataclasses import dataclass
from ...records.kinds import KIND_OF, ref
from ..recording import RECORDS

if TYPE_CHECKING:
    from .undo import Effect

FILES = "agent_files"
"""The table whose rows say what agents' files are: to take back its changes is to write these files."""

FLAGS: dict[str, tuple[Effect, Effect]] = {
    "deleted_at": ("restored", "deleted"),
    "private": ("shown", "hidden"),
    "pinned": ("unpinned", "pinned"),
}
"""What becomes of a record that loses or gets a flag."""


FLAT = frozenset(("deleted_at", "private", "pinned", "project", "type"))
"""Columns that many records get the same values in, so that one statement writes all: each statement
that takes documents out of the full-text indexes writes these anew."""


@dataclass(slots=True)
class RowChange:
    """A change of one row, to be taken back. `values` are the columns to set, the row to put back, or
    nothing where the row is to go."""

    table: str
    op: str
    key: dict[str, Any]
    values: dict[str, Any]
    uid: str | None = None
    title: str = ""

    @property
    def number(self) -> Any:
        """The id of the record; None for a row of another table."""
        return self.key.get("id") if self.table in RECORDS else None

    @property
    def name(self) -> str:
        """The record's ref in a sentence."""
        if self.table in KIND_OF:
            kind = KIND_OF[self.table]
            return f"{_(kind)} {ref(kind, self.number)}"
        if self.table == "fact_sources":
            return _("a source of a fact")
        return _("a row of {table}", table=self.table)

    @property
    def effect(self) -> Effect:
        """What becomes of the record."""
        if self.op != "UPDATE":
            return "restored" if self.op == "INSERT" else "removed"
        for column, (without, with_it) in FLAGS.items():
            if column in self.values:
                return with_it if self.values[column] else without
        return "changed"

    @property
    def is_flat(self) -> bool:
        """Whether one statement may write it together with others."""
        return self.op == "UPDATE" and self.table in RECORDS and FLAT.issuperset(self.values)

    @property
    def statement(self) -> tuple[str, str, tuple[str, ...], str]:
        """What makes two changes one statement: the same values, too, where these are short."""
        if self.op == "DELETE":
            return self.op, self.table, (), ""
        columns = tuple(self.values)
        return self.op, self.table, columns, repr(self.values) if self.is_flat else ""
