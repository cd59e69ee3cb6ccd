"""The tables of a foreign database: which columns each has, and what its rows go by."""

from __future__ import annotations

from typing import Any

import apsw

from ...records.dataclasses import dataclass

LISTED = """
SELECT wr FROM pragma_table_list
WHERE schema = 'main' AND type = 'table' AND name = ? COLLATE NOCASE
"""
INDEXED = "SELECT EXISTS (SELECT 1 FROM pragma_index_list(?) WHERE partial = 0)"
COLUMNS = 'SELECT lower(name), "notnull", pk FROM pragma_table_info(?)'


ROWIDS = ("rowid", "_rowid_", "oid")


@dataclass(frozen=True, slots=True)
class ForeignTable:
    """A table of a foreign database. Rows are read in the order of `key`; `native` is the column
    that names a row; `required` are the columns that can't be NULL in an undamaged row."""

    name: str
    columns: tuple[str, ...]
    key: str
    native: str
    required: frozenset[str]
    has_index: bool

    @property
    def quoted(self) -> list[str]:
        """The columns, quoted for SQL."""
        return ['"' + column.replace('"', '""') + '"' for column in self.columns]


def own_tables(db: apsw.Connection) -> list[str]:
    """Return the names of a database's tables, without those of SQLite's and of its modules."""
    sql = (
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' "
        "AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name"
    )
    return [str(name) for (name,) in db.execute(sql)]


def table(db: apsw.Connection, name: str) -> ForeignTable | None:
    """Return a table by its name, in any letter case; None when the database has none.

    A row goes by its `id`; by its rowid where the table has no `id`, or one that need not be
    unique.
    """
    result: Any = db.execute(LISTED, (name,)).fetchall()
    rows: Any = db.execute(COLUMNS, (name,)).fetchall()
    if not result or not rows:
        return None
    names = [column for column, _, _ in rows]
    keys = [column for column, _, place in sorted(rows, key=lambda row: row[2]) if place]
    has_rowid = not result[0][0]
    if (has_rowid and set(ROWIDS) <= set(names)) or not (has_rowid or keys):
        return None
    native = "id" if keys == ["id"] or (not has_rowid and not keys) else "rowid"
    if not has_rowid:
        native = native if native == "id" else keys[0]
    return ForeignTable(
        name,
        tuple(column for column, _, _ in rows),
        _rowid(names) if has_rowid else '"' + keys[0].replace('"', '""') + '"',
        native,
        frozenset(column for column, required, place in rows if required and not place),
        bool(db.execute(INDEXED, (name,)).get),
    )


def _rowid(columns: list[str]) -> str:
    """Return the name by which a table's rows are numbered, that no column of its own takes."""
    return next(name for name in ROWIDS if name not in columns)


def undefined(db: apsw.Connection) -> list[str]:
    """Return the names of the tables that exist but whose definition is damaged; '' for any whose
    name is gone, too."""
    cursor = db.execute(
        "SELECT DISTINCT coalesce(name, '') FROM sqlite_schema "
        "WHERE type IS NULL OR name IS NULL OR (type = 'table' AND name NOT IN "
        "(SELECT name FROM pragma_table_list WHERE schema = 'main'))"
    )
    return [str(name) for (name,) in cursor]


def columns(db: apsw.Connection, name: str) -> tuple[str, ...]:
    """Return the names of a table's columns; () when there is no such table."""
    foreign_table = table(db, name)
    return foreign_table.columns if foreign_table else ()


def count(db: apsw.Connection, name: str) -> int:
    """Count a table's rows; 0 when it is missing, or too damaged to be counted."""
    if table(db, name) is None:
        return 0
    try:
        return int(db.execute(f"SELECT count(*) FROM {name}").get)
    except apsw.Error:
        return 0
