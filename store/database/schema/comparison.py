"""The schema that a memory should have, compared with the one it has."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache, lru_cache
from typing import Any, Literal

import apsw

from ...platform.translation import _
from ...records.dataclasses import dataclass
from ...text.late_pattern import late_pattern
from ..schema import index_script, latest_version, scripts

Kind = Literal["missing", "changed", "foreign"]
Key = tuple[str, str]
"""What something in a schema is (table, index, view or trigger), and its name."""

ITEMS = (
    "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT GLOB 'sqlite_*'"
)
SHADOWS = "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'shadow'"
COLUMNS = 'SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_xinfo(?) WHERE hidden <> 1'
DROPPED = late_pattern(r"\bDROP (TRIGGER|VIEW|INDEX|TABLE) (?:IF EXISTS )?(\w+)")
COMMENT = late_pattern(r"--[^\n]*|/\*.*?\*/", re.DOTALL)
BLANKS = late_pattern(r"\s*([(),;=<>|+-])\s*|\s+")
QUOTED = late_pattern(r'"(\w+)"|`(\w+)`|\[(\w+)\]')

SPELLING_INDEXES = ("spellings_backwards", "spellings_by_document")

Column = tuple[str, str, int, str | None, int]
"""A column's name, type, whether it is never NULL, its default as SQL, and its place in the key."""


@dataclass(frozen=True, slots=True)
class SchemaItem:
    """Something in a schema, with the table that it belongs to and the SQL that made it."""

    type: str
    name: str
    table: str
    sql: str


@dataclass(frozen=True, slots=True)
class SchemaDifference:
    """Something in which a schema isn't as it should be; `detail` says how it was changed."""

    kind: Kind
    type: str
    name: str
    table: str
    detail: str = ""

    def __str__(self) -> str:
        name = f"{self.type} {self.name}"
        if self.kind == "foreign" and self.table != self.name:
            name = _("{name} on {table}", name=name, table=self.table)
        state = {"missing": _("missing"), "changed": _("changed"), "foreign": _("not ours")}[self.kind]
        return f"{name}: {state}{f' ({self.detail})' if self.detail else ''}"


def differences(
    db: apsw.Connection, version: int, index_scripts: Sequence[str] | None = None
) -> list[SchemaDifference]:
    """Compare a memory's schema with that of a fresh one of a version.

    `index_scripts` make the full-text indexes that it should have; without them these are not
    looked at. What is foreign comes last.
    """
    with fresh(version, index_scripts or ()) as right:
        return list(compare(db, right, index_scripts is None))


def are_wrong(differences: Sequence[SchemaDifference]) -> bool:
    """Return whether anything is missing or changed."""
    return any(difference.kind != "foreign" for difference in differences)


def is_ahead(differences: Sequence[SchemaDifference]) -> bool:
    """Return whether what is foreign to a version is of a later one, which its steps can't make again."""
    former = dropped()
    try:
        with fresh(latest_version()) as right:
            later = {(kind, name) for kind, name in items(right) if name not in former}
            later |= {
                ("column", f"{table}.{column[0]}")
                for kind, table in items(right)
                if kind == "table"
                for column in columns(right, table)
            }
    except apsw.SQLError:
        # A step that can't be made tells so when it is taken.
        return False
    return any(
        difference.kind == "foreign" and (difference.type, difference.name) in later
        for difference in differences
    )


def dropped() -> set[str]:
    """Return the names that any step drops."""
    return {name for _, script in scripts() for _, name in DROPPED.findall(script)}


@contextmanager
def fresh(version: int, index_scripts: Sequence[str] = ()) -> Iterator[apsw.Connection]:
    """Have an empty memory of a version, in RAM."""
    steps = [script for number, script in scripts() if number <= version]
    db = apsw.Connection(":memory:")
    try:
        db.deserialize("main", _made_by(tuple(steps), tuple(index_scripts)))
        yield db
    finally:
        db.close()


@lru_cache(maxsize=4)
def _made_by(steps: tuple[str, ...], index_scripts: tuple[str, ...]) -> bytes:
    """The file that these scripts make: one examination asks for it several times."""
    db = apsw.Connection(":memory:")
    try:
        for script in steps:
            db.execute(script)
        for script in index_scripts:
            db.execute(script)
        return db.serialize("main")
    finally:
        db.close()


@cache
def full_text() -> tuple[str, ...]:
    """Return what the full-text indexes are made of, but for indexes on it; triggers come first."""
    return tuple(name for _, name in DROPPED.findall(index_script("drop")))


def compare(
    db: apsw.Connection, right: apsw.Connection, without_indexes: bool
) -> Iterator[SchemaDifference]:
    """Yield in what a schema differs from the right one, but for full-text indexes if told so."""
    should, has = items(right), items(db)
    if should == has:
        return
    shadows = {name for (name,) in [*right.execute(SHADOWS), *db.execute(SHADOWS)]}
    ours = {name for _, name in should}
    of_index = {*full_text(), *SPELLING_INDEXES}
    for key, item in should.items():
        schema_item = has.get(key)
        if schema_item is None:
            yield SchemaDifference("missing", item.type, item.name, item.table)
        elif item.name not in shadows and not is_same(schema_item, item):
            detail = table_detail(db, right, item.name) if item.type == "table" else ""
            if detail is not None:
                yield SchemaDifference("changed", item.type, item.name, item.table, detail)
    for key, item in has.items():
        is_known = item.name in shadows or (without_indexes and item.name in of_index)
        if key not in should and not is_known:
            yield SchemaDifference("foreign", item.type, item.name, item.table)
        elif item.type == "table" and item.name in ours and item.name not in shadows:
            for column in _extra_columns(db, right, item.name):
                yield SchemaDifference("foreign", "column", f"{item.name}.{column}", item.name)


def items(db: apsw.Connection) -> dict[Key, SchemaItem]:
    """Return what a schema holds, but for SQLite's own."""
    rows = db.execute(ITEMS).fetchall()
    return {
        (str(kind), str(name)): SchemaItem(str(kind), str(name), str(table), str(sql))
        for kind, name, table, sql in rows
    }


def is_same(item: SchemaItem, other: SchemaItem) -> bool:
    """Return whether two items are made by the same SQL, whatever its blanks and comments."""
    return item.sql == other.sql or normal_sql(item.sql) == normal_sql(other.sql)


def normal_sql(sql: str) -> str:
    """Return SQL without comments, needless blanks and quotes of names."""
    text = QUOTED.sub(lambda match: next(filter(None, match.groups())), COMMENT.sub(" ", sql))
    return BLANKS.sub(lambda match: match[1] or " ", text).strip()


def columns(db: apsw.Connection, table: str) -> list[Column]:
    """Return a table's columns in their order."""
    rows: list[Any] = db.execute(COLUMNS, (table,)).fetchall()
    return rows


def _extra_columns(db: apsw.Connection, right: apsw.Connection, table: str) -> list[str]:
    due = {column[0] for column in columns(right, table)}
    return [column[0] for column in columns(db, table) if column[0] not in due]


def table_detail(db: apsw.Connection, right: apsw.Connection, table: str) -> str | None:
    """Return how a table differs; None where it only has columns of somebody else behind its own."""
    due, held = columns(right, table), columns(db, table)
    names = [column[0] for column in held]
    if missing := [column[0] for column in due if column[0] not in names]:
        return _("without {columns}", columns=", ".join(missing))
    if len(held) > len(due) and held[: len(due)] == due:
        return None
    if wrong := [column[0] for column in due if column not in held]:
        return _("{columns} of another kind", columns=", ".join(wrong))
    return _("its columns or rules are others")
