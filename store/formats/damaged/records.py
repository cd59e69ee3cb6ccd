"""The records of a copy of a memory, by table: those its trees lead to, and those nothing leads to any
more, which are known by their shape."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ...database.schema.shapes import TableShape
from ...records.dataclasses import dataclass, field
from ..sqlite.pages import INTERIOR_TABLE, LEAF_TABLE, Hole, Pages, RawRecord, Tree

SCHEMA_TYPES = ("table", "index", "trigger", "view")
SCHEMA_ROOT = 1
KNOWN_BY_SHAPE = ("purged", "captured_events", "changes", "quarantine", "given_contexts")
"""Tables without uids whose records are told from all others by their shape alone."""


class Found(NamedTuple):
    """A record of a copy: its table and values by column; `is_whole` unless a part of it is lost,
    and then only what is left of it is there."""

    table: str
    values: dict[str, Any]
    is_whole: bool


@dataclass(slots=True)
class Copy:
    """The records of a copy, and where rows are missing from it, by table."""

    label: str
    is_own: bool = False
    """Whether it is of the file itself: then its rows count though the rest of that lacks them."""
    rows: list[Found] = field(default_factory=list)
    holes: dict[str, list[Hole]] = field(default_factory=dict)
    documents: set[tuple[str, int]] | None = None
    """The kind and id of each row that was visible; None where that can't be told."""

    def is_lost(self, table: str, key: object) -> bool:
        """Whether a row that isn't there may have been on a page that can't be read."""
        return any(key in hole for hole in self.holes.get(table, ()))


def read_copy(
    label: str, pages: Pages, shapes: dict[str, TableShape], known: set[str], *, is_own: bool
) -> Copy:
    """Return all records that the pages hold; `known` are the tables that there have to be."""
    copy = Copy(label, is_own)
    roots, seen = _schema(pages)
    telling = [shape for shape in shapes.values() if _is_telling(shape)]
    for name, (root, is_table) in roots.items():
        tree = pages.tree(root, is_table=is_table)
        seen |= tree.walked
        if name == "documents" and not tree.holes:
            copy.documents = _documents(pages, tree)
        shape = shapes.get(name)
        if shape is not None:
            copy.holes.setdefault(name, []).extend(tree.holes)
            for number, keys in tree.pages.items():
                if _read(copy, pages, number, telling, shape) < pages.cells(number):
                    copy.holes[name].append(keys)
    lost = known - roots.keys()
    copy.holes |= {name: [Hole(None, None)] for name in lost}
    # What no tree leads to is lost and found; but free pages hold what was deleted or moved.
    free = pages.free()
    dropped = [shape for shape in telling if shape.name in lost]
    for number in range(2, pages.count + 1):
        if number not in seen:
            _read(copy, pages, number, telling if number not in free else dropped)
    copy.holes = {name: holes for name, holes in copy.holes.items() if holes}
    return copy


def _schema(pages: Pages) -> tuple[dict[str, tuple[int, bool]], set[int]]:
    """The roots of tables and indexes by name, each with whether it is of a table with rowids; and the
    pages of the schema."""
    tree = pages.tree(SCHEMA_ROOT, is_table=True)
    used = set(tree.walked)
    numbers = list(tree.pages)
    if tree.holes or not numbers:
        numbers += [number for number in range(2, pages.count + 1) if pages.kind(number) == LEAF_TABLE]
    roots: dict[str, tuple[int, bool]] = {}
    for number in numbers:
        for record in pages.records(number):
            values = record.values
            if len(values) != 5 or values[0] not in SCHEMA_TYPES:
                continue
            used.add(number)
            if values[0] in ("table", "index") and isinstance(values[3], int) and values[3] > 1:
                is_table = values[0] == "table" and "WITHOUT ROWID" not in str(values[4])
                roots.setdefault(str(values[1]), (values[3], is_table))
    return roots, used


def _documents(pages: Pages, tree: Tree) -> set[tuple[str, int]]:
    return {
        (str(record.values[1]), record.values[2])
        for number in tree.pages
        for record in pages.records(number)
        if len(record.values) > 2 and isinstance(record.values[2], int)
    }


def _read(
    copy: Copy, pages: Pages, number: int, shapes: list[TableShape], hint: TableShape | None = None
) -> int:
    """Add the records of a page that are of one of these shapes, and return how many those are; `hint`
    is the table in whose tree it is."""
    kind, result = pages.kind(number), 0
    if kind not in (0, INTERIOR_TABLE):
        for record in pages.records(number):
            shape = _shape_of(record, hint, shapes, has_rowid=kind == LEAF_TABLE)
            if shape is not None:
                row = _found(record, shape)
                copy.rows.append(row)
                result += 1
                if not row.is_whole and record.rowid is not None:
                    hole = Hole(record.rowid - 1, record.rowid)
                    copy.holes.setdefault(shape.name, []).append(hole)
    return result


def _shape_of(
    record: RawRecord, hint: TableShape | None, shapes: list[TableShape], *, has_rowid: bool
) -> TableShape | None:
    """The table that a record belongs to: the one in whose tree it is, unless it can't be of that."""
    if hint is not None and _fits(record, hint, has_rowid=has_rowid):
        return hint
    # A value of a class that its column doesn't take makes no record of another table of it.
    is_wide = hint is not None and record.whole == len(record.values) == len(hint.columns)
    if hint is not None and is_wide and _has_key(record, hint, has_rowid=has_rowid):
        return hint
    for shape in shapes:
        if _fits(record, shape, has_rowid=has_rowid):
            return shape
    if hint is not None and len(record.values) <= len(hint.columns):
        return hint if _has_key(record, hint, has_rowid=has_rowid) else None
    return None


def _is_telling(shape: TableShape) -> bool:
    """Whether records of a table are told from all others by their shape."""
    return shape.has_uid or shape.name in KNOWN_BY_SHAPE


def _fits(record: RawRecord, shape: TableShape, *, has_rowid: bool) -> bool:
    if (shape.rowid is not None) != has_rowid or len(record.values) > len(shape.columns):
        return False
    values = record.values[: record.whole]
    if len(values) < min(3, len(shape.columns)):
        return False
    if record.whole == len(record.values) and any(
        table_column.required and table_column.default is None
        for table_column in shape.columns[len(values) :]
    ):
        return False
    return all(
        (value is None) if column.name == shape.rowid else column.fits(value)
        for column, value in zip(shape.columns, values, strict=False)
    )


def _has_key(record: RawRecord, shape: TableShape, *, has_rowid: bool) -> bool:
    """Whether a record that holds what no row should is at least told from all others."""
    if (shape.rowid is not None) != has_rowid:
        return False
    if shape.has_uid:
        uid = record.values[1] if record.whole > 1 else None
        return isinstance(uid, str) and bool(uid)
    return record.whole >= len(shape.key) and (
        shape.rowid is not None
        or all(isinstance(value, int | str) for value in record.values[: len(shape.key)])
    )


def _found(record: RawRecord, shape: TableShape) -> Found:
    is_whole = record.whole == len(record.values)
    values = {
        column.name: value
        for column, value in zip(shape.columns, record.values, strict=False)
        if is_whole or value is not None
    }
    if shape.rowid is not None:
        values[shape.rowid] = record.rowid
    return Found(shape.name, values, is_whole)


def all_rows(copies: list[Copy]) -> Iterator[tuple[int, Found]]:
    """Yield the rows of several copies, each with the number of its copy."""
    for number, copy in enumerate(copies):
        for row in copy.rows:
            yield number, row
