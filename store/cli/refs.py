"""From the ids people type to records, and to the tables that hold them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..records import Note, Record
    from ..store import Store
    from ..table import Table


def find(store: Store, ref: str) -> Record | Note:
    """The record with this id: 12, p12, s12, f12, n12, or a uid; NotFoundError."""
    if ref[:1] == "n" and ref[1:].isdecimal():
        return store.notes.get(ref)
    return store.record(ref)


def table_of(store: Store, record: Record | Note) -> Table[Any]:
    """The table that holds a record."""
    tables: tuple[Table[Any], ...] = (
        store.observations,
        store.prompts,
        store.summaries,
        store.facts,
        store.notes,
    )
    return next(table for table in tables if isinstance(record, table.record))
