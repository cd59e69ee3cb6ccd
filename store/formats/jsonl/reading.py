"""Read an export in batches of rows, as values of their tables: all that needs no store, so that a second
process can do it ahead."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import apsw

from ...platform.errors import InvalidRecordError, failure_of
from ...platform.regular_file import open_regular
from ...platform.translation import _
from ...search.index.bulk import SEARCHED, IndexTexts, index_texts
from ..common.report import Report
from ..common.upsert import Column, columns_of
from .columns import Columns
from .layout import FORMAT, TABLES, VERSION
from .lines import ImportRow, NumberedLine, batches, read_lines, warn


class RowGroup(NamedTuple):
    """Rows of one table that follow each other, and what the indexes hold of them, if that was made."""

    table: str
    rows: list[ImportRow]
    texts: IndexTexts | None = None


class LineBatch(NamedTuple):
    """What lines gave: rows, what is odd about lines, whether the last one of the file is among them, and
    how many bytes have been read."""

    groups: list[RowGroup]
    report: Report
    is_end: bool
    read: int


TableColumns = dict[str, list[Column]]


def table_columns(db: apsw.Connection) -> TableColumns:
    """Return the columns of every table that lines are of."""
    return {name: columns_of(db, name) for name in TABLES}


def read_ahead(path: Path, columns: TableColumns, is_accepted: bool) -> Iterator[LineBatch]:
    """Yield what `read_batches` does, with the indexes' texts."""
    with open_regular(path) as file:
        for batch in read_batches(file, columns, is_accepted):
            yield batch._replace(groups=[_with_texts(group) for group in batch.groups])


def read_batches(file: BinaryIO, columns: TableColumns, is_accepted: bool) -> Iterator[LineBatch]:
    """Yield the rows of a file in lists of at most 4,000 lines, or fewer where they are large; of one that
    is of a store's own rows as it wrote them, `is_accepted`."""
    tables = {
        name: Columns(name, TABLES[name], all_of, is_accepted=is_accepted)
        for name, all_of in columns.items()
    }
    size = os.fstat(file.fileno()).st_size
    for lines in batches(read_lines(file)):
        report = Report("jsonl")
        is_end = any(line.record is not None and line.record.get("table") == "end" for line in lines)
        rows = [_lowered(read_row(tables[row.table], row)) for row in _rows(lines, report)]
        groups = [RowGroup(table, [*some]) for table, some in groupby(rows, lambda row: row.table)]
        yield LineBatch(groups, report, is_end, min(file.tell(), size))


def _rows(lines: list[NumberedLine], report: Report) -> Iterator[ImportRow]:
    """Yield the lines that are rows of a table of ours; report the others."""
    for line in lines:
        if line.wrong:
            warn(report, line.number, line.wrong)
        if line.record is None:
            continue
        table = line.record.pop("table", None)
        if table == FORMAT:
            _check(line, line.record, report)
        elif isinstance(table, str) and table in TABLES:
            yield ImportRow(line.number, table, line.record)
        elif table != "end":
            warn(
                report,
                line.number,
                _("is of no table that is known ({value!r})", value=str(table)[:40]),
            )


def _check(line: NumberedLine, head: dict[str, Any], report: Report) -> None:
    version = head.get("version")
    if version != VERSION:
        warn(
            report,
            line.number,
            _(
                "tells of version {version!r}; this memtui knows {latest}",
                version=version,
                latest=VERSION,
            ),
        )


def read_row(columns: Columns, row: ImportRow) -> ImportRow:
    """Return a row with the values of its table's columns, or with what is wrong with it: where a rule
    fails with one text, the other rows come in."""
    try:
        values, is_changed = columns.read(row.record)
        return row._replace(values=values, is_changed=is_changed)
    except InvalidRecordError as error:
        return row._replace(wrong=str(error))
    except Exception as error:
        return row._replace(wrong=_("can't be read ({error})", error=failure_of(error)))


def _lowered(row: ImportRow) -> ImportRow:
    """Return a row of which something was taken out as an older version: a store that has all of it gives
    that back when the two meet."""
    if row.is_changed and row.values and isinstance(hlc := row.values.get("hlc"), int):
        row.values["hlc"] = max(hlc - 1, 0)
    return row


def _with_texts(group: RowGroup) -> RowGroup:
    rows = [row.values for row in group.rows if row.values is not None]
    if group.table not in SEARCHED or len(rows) < len(group.rows):
        return group
    return group._replace(texts=index_texts(group.table, rows, set()))
