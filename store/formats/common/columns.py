"""The columns of our own tables, as the schema declares them."""

from __future__ import annotations

from typing import Any, NamedTuple

import apsw

from ...tables.base import Values

_INFO = 'SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_info(?)'


class Column(NamedTuple):
    """A column: its type, whether it may be NULL, and its value where none is given."""

    name: str
    kind: str
    optional: bool
    default: Any


def columns_of(db: apsw.Connection, table: str) -> list[Column]:
    """Return the columns of a table of ours, in their order."""
    rows: list[Any] = db.execute(_INFO, (table,)).fetchall()
    written = ", ".join("NULL" if default is None else default for _, _, _, default, _ in rows)
    defaults: Any = db.execute(f"SELECT {written}").fetchone()
    return [
        # The number is the one key that SQLite gives by itself.
        Column(name, kind, _is_number(name, kind, key) or not (needed or key), default)
        for (name, kind, needed, _, key), default in zip(rows, defaults, strict=True)
    ]


def defaults_of(db: apsw.Connection, table: str) -> Values:
    """Return what each column of a table holds where nothing is given, None included."""
    return {column.name: column.default for column in columns_of(db, table)}


def _is_number(name: str, kind: str, key: int) -> bool:
    return bool(key) and name == "id" and kind == "INTEGER"
