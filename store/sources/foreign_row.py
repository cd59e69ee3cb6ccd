"""One row of a foreign table, read by what it has: every column optional, every value doubted."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw

from ..anchors import may_hold
from ..privacy import clean, scrub, scrub_json
from ..rows import write_list
from .foreign import reading
from .lists import read_items, with_keywords
from .moments import moment
from .report import Report, SourceWarning


def columns(db: apsw.Connection, table: str) -> list[str]:
    """The names of a table's columns; none when there is no such table."""
    return [name for (name,) in db.execute("SELECT name FROM pragma_table_info(?)", (table,))]


def read(db: apsw.Connection, path: Path, table: str, report: Report) -> Iterator[ForeignRow]:
    """The rows of a table in the order of their ids; none when it is missing.

    Text comes as bytes, because SQLite gives no row with bad UTF-8 otherwise.
    """
    with reading(path):
        names = columns(db, table)
        if "id" not in names:
            return
        quoted = ['"' + name.replace('"', '""') + '"' for name in names]
        values = (f"iif(typeof({name}) = 'text', CAST({name} AS BLOB), {name})" for name in quoted)
        for row in db.execute(f"SELECT {', '.join(values)} FROM {table} ORDER BY id"):
            yield ForeignRow(table, dict(zip(names, row, strict=True)), report)


class ForeignRow:
    """A row's values by any of the names a column had. What is never asked for is the `rest`."""

    __slots__ = ("_kept", "_report", "_used", "_values", "native_id", "table")

    def __init__(self, table: str, values: dict[str, Any], report: Report) -> None:
        self.table = table
        self._values = values
        self._report = report
        self._used: set[str] = set()
        self._kept: dict[str, object] = {}
        self.native_id = scrub_payload(self._decoded("id", values.pop("id")))

    def warn(self, message: str) -> None:
        """Report something odd about this row."""
        self._report.warnings.append(SourceWarning(self.table, self.native_id, message))

    def text(self, *names: str) -> str | None:
        """The first of these columns that holds any text, scrubbed; None when there is none."""
        found = self._text(*names)
        return scrub_payload(found) or None if found else None

    def number(self, *names: str) -> int | None:
        """The first of these columns that holds a number, fractions cut off."""
        for name in names:
            try:
                found = int(self._values.get(name))  # type: ignore[arg-type]
            except (TypeError, ValueError, OverflowError):
                continue
            if abs(found) < 1 << 63:
                self._used.add(name)
                return found
        return None

    def moment(self, name: str) -> int | None:
        """The time that `name` and `name`_epoch tell: ms since the epoch, None when unknown."""
        return moment(self.number(f"{name}_epoch"), self.text(name))

    def items(self, name: str) -> str:
        """A list as our column holds it. One in another shape counts a warning and stays, as it
        was written, in the `rest`."""
        written = self._text(name, keep_empty=True)
        raw = None if written is None else scrub_payload(written)
        found, odd = read_items(raw)
        if odd and raw is not None:
            self.warn(f"{name} is {odd}")
            self.keep(name, raw)
        return write_list(with_keywords(found) if name == "concepts" else found)

    def keep(self, name: str, text: str) -> None:
        """Let a text, which is scrubbed already, go to the `rest`."""
        self._kept[name] = text

    def rest(self, *dropped: str) -> str | None:
        """What no column of ours holds, as JSON: every other value but empty ones and zeros."""
        for name in self._values.keys() - self._used - set(dropped):
            value = self._values[name]
            if isinstance(value, bytes):
                value = self.text(name)
            elif isinstance(value, float) and not math.isfinite(value):
                value = str(value)
            if value:
                self._kept[scrub(name)] = value
        if not self._kept:
            return None
        return scrub_payload(json.dumps(self._kept, ensure_ascii=False, sort_keys=True))

    def _text(self, *names: str, keep_empty: bool = False) -> str | None:
        found = None
        for name in names:
            value = self._values.get(name)
            self._used.add(name)
            if found is None and value is not None and (value != b"" or keep_empty):
                found = self._decoded(name, value)
        return found

    def _decoded(self, name: str, value: object) -> str:
        if not isinstance(value, bytes):
            return str(value)
        try:
            return value.decode()
        except UnicodeDecodeError:
            self.warn(f"{name} is no valid UTF-8; what can't be read of it became U+FFFD")
            return value.decode(errors="replace")


def scrub_payload(text: str) -> str:
    """`text` scrubbed. Where it is JSON it stays JSON, and escapes hide nothing private or secret."""
    if "\\u" not in text and not may_hold(text.encode(errors="surrogatepass")):
        return clean(text)
    stripped = scrub(text)
    for candidate in (stripped, text):
        try:
            value = json.loads(candidate)
            scrubbed = scrub_json(value)
            return candidate if scrubbed == value else json.dumps(scrubbed, ensure_ascii=False)
        except (ValueError, RecursionError):
            continue
    return stripped
