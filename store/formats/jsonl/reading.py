"""Read an export in batches of rows, each by the number of its line, as values of their tables: all that
needs no store, so that a second process can do it ahead."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import apsw

from ...platform.errors import InvalidRecordError, failure_of
from ...platform.regular_file import open_regular
from ...platform.translation import N_, _
from ...search.index.bulk import SEARCHED, IndexTexts, index_texts
from ...tables.base import Values
from ..common.report import Report
from ..common.upsert import Column, columns_of
from .layout import FORMAT, TABLES, VERSION, Columns


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
        groups = [
            RowGroup(table, [*map(_lowered, read_rows(tables[table], [*some], is_judged=is_accepted))])
            for table, some in groupby(_rows(lines, report), lambda row: row.table)
        ]
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


def read_rows(columns: Columns, rows: Sequence[ImportRow], *, is_judged: bool) -> Iterator[ImportRow]:
    """Yield rows of one table as `read_row` gives them; those that a store judged (`is_judged`) are looked
    at together."""
    plain = columns.plain([row.record for row in rows]) if is_judged else [False] * len(rows)
    return map(partial(read_row, columns), rows, plain)


def read_row(columns: Columns, row: ImportRow, is_plain: bool = False) -> ImportRow:
    """Return a row with the values of its table's columns, or with what is wrong with it: where a rule
    fails with one text, the other rows come in. Of one that `is_plain` nothing is taken out."""
    try:
        values, is_changed = columns.read(row.record, is_plain=is_plain)
        return ImportRow(row.number, row.table, row.record, values, is_changed=is_changed)
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


BOM = b"\xef\xbb\xbf"
PIECE = 1024 * 1024

LONGEST = 256 * 1024 * 1024
"""Bytes of the longest line that is read; longer ones are skipped."""

BATCH_LINES, BATCH_BYTES = 4_000, 1024 * 1024

REFUSED = (apsw.ConstraintError, apsw.MismatchError)
"""What SQLite raises of a row that its table refuses."""

BAD = N_("bad line")
NO_JSON, NO_OBJECT = _("is not JSON"), _("is not a JSON object")


class NumberedLine(NamedTuple):
    """One line: the object it holds, or None, and what is wrong with it, '' for nothing. `size` is
    in bytes."""

    number: int
    record: dict[str, Any] | None
    wrong: str
    size: int


def read_lines(file: BinaryIO) -> Iterator[NumberedLine]:
    """Yield every line that is not blank; no more than one is held in memory."""
    number = 0
    while raw := file.readline(LONGEST + 1):
        number += 1
        size = len(raw)
        if size > LONGEST and not raw.endswith(b"\n"):
            while (rest := file.readline(PIECE)) and not rest.endswith(b"\n"):
                pass
            yield NumberedLine(
                number,
                None,
                _("is longer than {longest} bytes and was skipped", longest=f"{LONGEST:,}"),
                size,
            )
            continue
        if number == 1:
            raw = raw.removeprefix(BOM)
        if raw.strip():
            yield NumberedLine(number, *_parsed(raw), size)


def batches(lines: Iterator[NumberedLine]) -> Iterator[list[NumberedLine]]:
    """Yield the lines in lists of at most 4,000, or fewer where they are large."""
    batch: list[NumberedLine] = []
    size = 0
    for line in lines:
        batch.append(line)
        size += line.size
        if len(batch) == BATCH_LINES or size > BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _parsed(raw: bytes) -> tuple[dict[str, Any] | None, str]:
    wrong = ""
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        text = raw.decode(errors="replace")
        wrong = _("is not valid UTF-8; what can't be read of it became U+FFFD")
    try:
        result = json.loads(text, parse_constant=_refused)
    except (ValueError, RecursionError):
        return None, NO_JSON
    if not isinstance(result, dict):
        return None, NO_OBJECT
    return result, wrong


def _refused(name: str) -> None:
    raise ValueError(_("{name} is not valid JSON", name=name))


class ImportRow(NamedTuple):
    """A line of a table: its number, the table, and the rest of its object; its values without links, or
    why it has none, where it was read before, and whether something was taken out of its texts."""

    number: int
    table: str
    record: dict[str, Any]
    values: Values | None = None
    wrong: str = ""
    is_changed: bool = False


def warn(report: Report, number: int, message: str) -> None:
    """Add a warning about a line."""
    report.warn("line", str(number), message)


@contextmanager
def reporting_errors(report: Report, row: ImportRow) -> Iterator[None]:
    """Report a row that is refused, by the number of its line, and go on without it."""
    try:
        yield
    except InvalidRecordError as error:
        _skip(report, row, str(error))
    except REFUSED as error:
        _skip(report, row, _("breaks a rule of its table ({error})", error=error))


def _skip(report: Report, row: ImportRow, why: str) -> None:
    report.of(row.table).skip(BAD)
    warn(report, row.number, why)
