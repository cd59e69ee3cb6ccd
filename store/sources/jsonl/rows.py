"""A row of an export as it is read, and how what is wrong with it is told."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import apsw

from ...errors import InvalidRecordError
from ..report import Report

REFUSED = (apsw.ConstraintError, apsw.MismatchError)
"""What SQLite raises of a row that its table doesn't take."""

BAD = "bad line"


class Row(NamedTuple):
    """A line: its number, its table, and the rest of what it says."""

    number: int
    table: str
    record: dict[str, Any]


def warn(report: Report, number: int, message: str) -> None:
    """Tell something of a line."""
    report.warn("line", str(number), message)


@contextmanager
def naming(report: Report, row: Row) -> Iterator[None]:
    """Tell a row that can't be taken by the number of its line, and go on without it."""
    try:
        yield
    except InvalidRecordError as error:
        _skip(report, row, str(error))
    except REFUSED as error:
        _skip(report, row, f"breaks a rule of its table ({error})")


def _skip(report: Report, row: Row, why: str) -> None:
    report.of(row.table).skip(BAD)
    warn(report, row.number, why)
