"""The lines of an export, by the number that names each in a report."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, NamedTuple

import apsw

from ...platform.errors import InvalidRecordError
from ...platform.translation import N_, _
from ...tables.base import Values
from ..common.report import Report

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
