"""Read the rows that belong to sessions, in batches, as values of ours: all that needs no store, so that
a second process can do it ahead."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import apsw

from ....formats.common.report import Report
from ....formats.common.upsert import Mapped
from ....formats.sqlite.file import Address, connect
from ....formats.sqlite.row import ForeignRow, read_rows
from ....formats.sqlite.table import table
from ....search.index.bulk import SEARCHED, IndexTexts, index_texts
from ....tables.base import Values
from .mapping import ChildSource, NamedSession, Program, Target
from .programs import PROGRAMS, System

BATCH_SIZE = 4 << 20
"""Characters of a batch, which is committed as a whole."""


class ChildRow(NamedTuple):
    """A row as values of ours, to all but its session, and what it becomes."""

    kind: Target
    mapped: Mapped
    session: NamedSession


class ChildBatch(NamedTuple):
    """Rows of a table, by its place among the program's; what the indexes hold of them by our table, if
    that was made; and what is odd about them, or about rows that can't be read."""

    place: int
    rows: list[ChildRow]
    texts: dict[str, IndexTexts]
    report: Report


def read_ahead(
    address: Address, path: Path, name: System, source: str, most: int, is_new: bool
) -> Iterator[ChildBatch]:
    """Yield what `read_children` does by a connection of its own, of a file that is new here with the
    indexes' texts."""
    with connect(*address) as db:
        program = PROGRAMS[name](db, path)
        for batch in read_children(db, program, Report(source), most):
            searched: dict[str, list[Values]] = {}
            for row in batch.rows:
                if is_new and row.kind.table in SEARCHED:
                    searched.setdefault(row.kind.table, []).append(row.mapped.values)
            texts = {table: index_texts(table, rows, set()) for table, rows in searched.items()}
            yield batch._replace(texts=texts)


def read_children(db: apsw.Connection, program: Program, report: Report, most: int) -> Iterator[ChildBatch]:
    """Yield the rows that belong to sessions, at most so many at once. `report` takes what is odd about
    them, and says whether the file is damaged."""
    for place, children in enumerate(program.children):
        for rows in read_batches(db, children.table, report, most):
            mapped = [child for row in rows if (child := _child(children, row))]
            yield ChildBatch(place, mapped, {}, report.cut())
        if report.warnings:
            yield ChildBatch(place, [], {}, report.cut())


def read_batches(db: apsw.Connection, name: str, report: Report, most: int) -> Iterator[list[ForeignRow]]:
    """Yield the rows of a table in lists of at most so many rows or 4 MiB."""
    foreign_table = table(db, name)
    if foreign_table is None:
        return
    batch: list[ForeignRow] = []
    size = 0
    for row in read_rows(db, foreign_table, report):
        batch.append(row)
        size += row.size
        if len(batch) >= most or size >= BATCH_SIZE:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _child(children: ChildSource, row: ForeignRow) -> ChildRow | None:
    reading = children.reading(row)
    if reading is None:
        return None
    kind, mapped = reading
    session = (
        row.native_id if children.is_session else row.text(*children.native),
        row.text(*children.content), row.text(*children.memory),
        row.text("platform_source"),
    )  # fmt: skip
    row.native_id = children.prefix + row.native_id
    ours = mapped(row)
    project = ours.values["project"] if "project" in ours.values else row.text("project")
    return ChildRow(kind, ours, NamedSession(*session, project or ""))
