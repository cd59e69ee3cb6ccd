"""One row of a foreign table, read by the columns it has: each optional, each value doubted."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator
from itertools import compress
from typing import Any

import apsw

from ...platform.translation import _
from ...tables.base import write_list
from ...text.redaction import scrub
from ...text.times import moment
from ..common.report import Report
from ..common.values import (
    KEYWORD,
    as_stored,
    may_need_scrub,
    read_items,
    scrub_payload,
    with_keywords,
)
from .table import count, damage_of, rows_around
from .table import table as foreign_table

EMPTY: tuple[object, ...] = ("", b"")
NOTHING: tuple[object, ...] = (None, "")

TIME = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d{1,6})?Z?", re.ASCII)
"""A time, in which there is nothing to scrub; its colons would have most names of secrets looked at."""

HOLE = "\0" * 16
"""So many NUL characters in a row were written by no program."""


def read_rows(db: apsw.Connection, named: str, report: Report) -> Iterator[ForeignRow]:
    """Yield the rows of a table in the order of their keys; none where there is no such table. Damaged
    ones are skipped and reported."""
    table = foreign_table(db, named)
    if table is None:
        return
    has_told = False

    def lost(keys: str, reason: str) -> None:
        nonlocal has_told
        has_told = True
        report.lose(table.name, keys, _("can't be read ({reason})", reason=reason))

    names = table.columns
    required = [name in table.required for name in names]
    native = names.index("id") + 1 if table.native == "id" else 0
    number = 0
    for key, *values in rows_around(db, table, lost):
        number += 1
        name = _written(values[native - 1] if native else key, key)
        row = ForeignRow(table.name, name, dict(zip(names, values, strict=True)), report)
        row.values.pop(table.native, None)
        if None in compress(values, required):
            row.damage(_("a column is empty that never is"))
        yield row
    # The check takes a while; an index that knows of as many rows says that all were read.
    if has_told or (table.has_index and not report.is_damaged and count(db, table.name) == number):
        return
    if wrong := damage_of(db, table):
        report.lose(table.name, "", _("rows of it are missing ({wrong})", wrong=wrong))


class ForeignRow:
    """A row's values by any of the names a column had. Columns that were never asked for make up
    the `rest`."""

    __slots__ = (
        "_is_clean",
        "_kept",
        "_report",
        "_used",
        "is_damaged",
        "native_id",
        "size",
        "table",
        "values",
    )

    def __init__(self, table: str, native_id: str, values: dict[str, Any], report: Report) -> None:
        self.table = table
        self.values = values
        self.is_damaged = False
        self._report = report
        self._used: set[str] = set()
        self._kept: dict[str, object] = {}
        # Most rows hold nothing private or secret, which one look at all their texts shows.
        parts = [value for value in values.values() if type(value) is str and not TIME.fullmatch(value)]
        texts = "\n\n".join((native_id, *parts))
        self.size = len(texts)
        is_plain = not may_need_scrub(texts)
        self.native_id = native_id if is_plain else scrub_payload(native_id)
        self._is_clean = is_plain and bytes not in set(map(type, values.values()))
        if HOLE in texts:
            self.damage(_("a part of it is all zeros"))

    def warn(self, message: str) -> None:
        """Add a warning about this row to the report."""
        self._report.warn(self.table, self.native_id, message)

    def damage(self, message: str) -> None:
        """Report that this row is not what its program wrote."""
        self.is_damaged = True
        self._report.lose(self.table, self.native_id, _("{message}: the file is damaged", message=message))

    def has(self, name: str) -> bool:
        """Return whether its table has this column."""
        return name in self.values

    def text(self, *names: str) -> str | None:
        """Return the first of these columns that holds any text, scrubbed; None when there is none."""
        if len(names) == 1 and self._is_clean:
            value = self.values.get(names[0])
            self._used.add(names[0])
            return str(value) if value not in NOTHING else None
        result = self._text(names)
        if not result or self._is_clean:
            return result or None
        return scrub_payload(result) or None

    def number(self, name: str) -> int | None:
        """Return the number in a column, without its fraction; None where it holds none."""
        try:
            result = int(self.values.get(name))  # type: ignore[arg-type]
        except (TypeError, ValueError, OverflowError):
            return None
        if abs(result) >= 1 << 63:
            return None
        self._used.add(name)
        return result

    def moment(self, name: str) -> int | None:
        """Return the time in `name`_epoch or else in `name`: ms since the epoch, None when unknown."""
        result = moment(self.number(f"{name}_epoch"), None)
        if result is None:
            return moment(None, self.text(name))
        self._used.add(name)
        return result

    def earliest(self, *names: str) -> int | None:
        """Return the earliest time in any of these columns, None for none; they stay in the `rest`,
        too."""
        used = self._used.copy()
        results = [time for name in names if (time := self.epoch(name)) is not None]
        self._used = used
        return min(results, default=None)

    def epoch(self, name: str) -> int | None:
        """Return the time in one column, a number or text: ms since the epoch, None when unknown."""
        number = self.number(name)
        return moment(number, self.text(name) if number is None else None)

    def items(self, name: str) -> str:
        """Return a list as our column holds it (JSON). One in another shape counts a warning and
        stays, as it was written, in the `rest`."""
        written = self._text((name,), keep_empty=True)
        is_clean = self._is_clean or not (written and may_need_scrub(written))
        has_keywords = name == "concepts" and written and KEYWORD.search(written)
        if written and is_clean and not has_keywords and (stored := as_stored(written)):
            return stored
        raw = written if written is None or is_clean else scrub_payload(written)
        results, odd = read_items(raw)
        if odd and raw is not None:
            self.warn(f"{name} is {odd}")
            self.keep(name, raw)
        if name == "concepts":
            results = with_keywords(results)
        if is_clean and "\\" not in (raw or ""):
            return json.dumps([item for item in results if item], ensure_ascii=False)
        return write_list(results)

    def keep(self, name: str, text: str) -> None:
        """Add a text, which is scrubbed already, to the `rest`."""
        self._kept[name] = text

    def rest(self, *dropped: str) -> str | None:
        """Return as JSON what no column of ours holds: every other value except empty ones and
        zeros; None for nothing."""
        for name in self.values.keys() - self._used - set(dropped):
            value = self.values[name]
            if isinstance(value, bytes | str):
                value = self.text(name)
            elif isinstance(value, float) and not math.isfinite(value):
                value = str(value)
            if value:
                self._kept[scrub(name)] = value
        if not self._kept:
            return None
        return scrub_payload(json.dumps(self._kept, ensure_ascii=False, sort_keys=True))

    def _text(self, names: Iterable[str], *, keep_empty: bool = False) -> str | None:
        result = None
        for name in names:
            value = self.values.get(name)
            self._used.add(name)
            if result is None and value is not None and (value not in EMPTY or keep_empty):
                result = value if type(value) is str else self._decoded(name, value)
        return result

    def _decoded(self, name: str, value: object) -> str:
        if not isinstance(value, bytes):
            return str(value)
        try:
            return value.decode()
        except UnicodeDecodeError:
            self.warn(_("{name} is not valid UTF-8; what can't be read of it became U+FFFD", name=name))
            return value.decode(errors="replace")


def _written(value: object, key: object) -> str:
    if value is None:
        return _("row {key}", key=key)
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)
