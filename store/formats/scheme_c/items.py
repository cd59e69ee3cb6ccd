"""Read the lines of a directory: each object by the keys it has, and by a name that lasts."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ...platform.translation import _
from ...tables.base import digest
from ...text.redaction import scrub_json
from ..common.report import Report
from ..common.values import scrub_object
from .directory import Directory, day_of
from .lines import (
    BadLine,
    ObjectLine,
    dumped,
    finite,
    line_id,
    listed,
    read_lines,
    scrub,
    shown,
    time_of,
)
from .rendering import KEY

_CLOCK = re.compile(r"(?:log|sum|act|evt)-([01]\d|2[0-3])([0-5]\d)([0-5]\d)\b")
_SESSION = ("session_id", "sessionId", "conversation_id", "session")
_CONTENT = ("content", "text", "message")


class LineItem:
    """The values of a line: each key optional, each value doubted. Keys that were never asked for
    make up the `rest`. `native_id` names the line: ids alone don't, for they come again on other
    days and on the same."""

    __slots__ = ("_report", "_used", "file", "id", "line", "native_id", "source", "values")

    def __init__(self, line: ObjectLine, native_id: str, report: Report) -> None:
        self.line = line
        self.file = line.file
        self.native_id = native_id
        self.values = scrub_object(line.values)
        self._report = report
        self._used: set[str] = {"id", "type", "timestamp", "deleted_at", "source", KEY, *_SESSION}
        self.id = line_id(line.values)
        said = self.values.get("source")
        self.source: dict[str, Any] = said if isinstance(said, dict) else {}

    @property
    def type(self) -> str:
        """The kind of event; "" when it has none."""
        result = self.values.get("type")
        return scrub(result).strip() if isinstance(result, str) else ""

    @property
    def session(self) -> str | None:
        """The session that it names, under whichever key; None for none."""
        for values in (self.values, self.source):
            for name in _SESSION:
                result = values.get(name)
                if isinstance(result, str) and (text := scrub(result).strip()):
                    return text
                if isinstance(result, int) and not isinstance(result, bool):
                    return str(result)
        return None

    def warn(self, message: str) -> None:
        """Add a warning about this line."""
        warn(self._report, self.file, self.line.number, message)

    def text(self, *names: str) -> str | None:
        """Return the first of these keys that holds any text, scrubbed; None when there is none."""
        for name in names:
            self._used.add(name)
            result = self.values.get(name)
            if result is None or result is False or result == "" or result == [] or result == {}:
                continue
            text = result if isinstance(result, str) else json.dumps(result, ensure_ascii=False)
            if kept := scrub(text).strip():
                return kept
        return None

    def content(self) -> str | None:
        """Return its text, under whichever key; None for none."""
        return self.text(*_CONTENT)

    def items(self, name: str) -> list[str]:
        """Return a list of texts; with a warning where it is anything else, of which no word is
        lost."""
        self._used.add(name)
        result = self.values.get(name)
        if result is None or result == "":
            return []
        if isinstance(result, str):
            self.warn(_("{name} is a text, not a list", name=name))
            result = listed(result)
        elif not isinstance(result, list):
            self.warn(_("{name} is {result}, not a list", name=name, result=shown(result)))
            result = [result]
        texts = (
            item if isinstance(item, str) else json.dumps(item, ensure_ascii=False)
            for item in result
            if item is not None
        )
        return [kept for text in texts if (kept := scrub(text).strip())]

    def use(self, *names: str) -> None:
        """Take these keys out of the rest: they have a place of their own."""
        self._used.update(names)

    def confidence(self, otherwise: float) -> float:
        """Return how sure it is, 0 to 1; `otherwise` where it doesn't say."""
        self._used.add("confidence")
        result = self.values.get("confidence")
        if result is None:
            return otherwise
        try:
            sure = float(result) if not isinstance(result, bool) else math.nan
        except (TypeError, ValueError, OverflowError):
            sure = math.nan
        if not math.isfinite(sure):
            self.warn(
                _(
                    "its confidence is {result}; taken as {otherwise}",
                    result=shown(result),
                    otherwise=f"{otherwise:g}",
                )
            )
            return otherwise
        if not 0 <= sure <= 1:
            self.warn(
                _(
                    "its confidence is {sure}; taken as {otherwise}",
                    sure=f"{sure:g}",
                    otherwise=f"{min(1.0, max(0.0, sure)):g}",
                )
            )
        return min(1.0, max(0.0, sure))

    def moment(self, *names: str) -> int:
        """Return its time, ms since the epoch, UTC: the first of these keys that holds one, else
        from its id and the name of its file, with a warning; 0 when nothing says it."""
        self._used.update(names)
        for name in names:
            if time := time_of(self.values.get(name)):
                return time
        day = day_of(self.file)
        clock = _CLOCK.match(self.id or "")
        if day is None:
            self.warn(_("its time is unknown; it stands at the beginning of time"))
            return 0
        if clock is None:
            self.warn(_("it tells no time; it stands at the beginning of its file's day"))
            return day
        self.warn(_("it tells no time; it was taken from its id and its file's name"))
        hours, minutes, seconds = map(int, clock.groups())
        return day + ((hours * 60 + minutes) * 60 + seconds) * 1_000

    def deleted_at(self, otherwise: int) -> int | None:
        """Return when it was deleted, None if it wasn't; `otherwise` where it says that it was, but
        not when. Of a line that a store deleted, its own part decides, and this returns None."""
        ours = self.values.get(KEY)
        if isinstance(ours, dict) and "is_gone" in ours:
            return None
        result = self.values.get("deleted_at")
        return (time_of(result) or otherwise) if result else None

    def rest(self, **more: object) -> str | None:
        """Return what no column of ours holds, as JSON: every other key, and `more`; None for
        nothing."""
        return dumped(self.left(**more))

    def left(self, **more: object) -> dict[str, object]:
        """Return the rest as an object, scrubbed."""
        kept: dict[str, object] = {
            name: value
            for name, value in self.values.items()
            if name not in self._used and value not in (None, "", [], {})
        }
        for name in ("timestamp", "created_at", "updated_at"):
            result = self.values.get(name)
            if name in self._used and result and time_of(result) is None:
                kept[name] = result
        said = self.values.get("source")
        if isinstance(said, dict):
            said = {name: value for name, value in said.items() if name not in _SESSION}
        if said:
            kept["source"] = said
        kept |= {name: value for name, value in more.items() if value not in (None, "")}
        result = scrub_json(finite(kept))
        return result if isinstance(result, dict) else {}


def warn(report: Report, file: str, number: int, message: str) -> None:
    """Add a warning about a line of a file."""
    report.warn(f"{file}:{number}", "", message)


class DirectoryReader:
    """Reads the .jsonl files of a directory, in the order of their names, facts and sessions last."""

    def __init__(self, directory: Directory, report: Report) -> None:
        self.directory = directory
        self.report = report
        self.files = (*directory.daily, *directory.others)

    def items(self, file: str, report: Report) -> Iterator[tuple[ObjectLine | BadLine, LineItem | None]]:
        """Yield the lines of a file, each with the item of what another program says in it; None
        where only we say something. Warnings go to `report`."""
        times: Counter[str] = Counter()
        for line in self.lines(file):
            if isinstance(line, BadLine) or self.is_ours(line):
                yield line, None
            else:
                yield line, LineItem(line, self.name(line, times), report)

    def lines(self, file: str) -> Iterator[ObjectLine | BadLine]:
        """Yield the lines of a file, to where it can't be read any further."""
        with self.reporting_errors(file):
            yield from read_lines(self.directory.path, file)

    @contextmanager
    def reporting_errors(self, file: str) -> Iterator[None]:
        """Report a file that can't be read, and go on without."""
        try:
            yield
        except OSError as error:
            message = _(
                "{file} can't be read ({error}). Check its permissions.",
                file=file,
                error=error.strerror,
            )
            if message not in self.report.notes:
                self.report.notes.append(message)
            self.report.is_damaged = True

    @staticmethod
    def name(line: ObjectLine, times: Counter[str]) -> str:
        """Return a line's name: its file and id, or a hash where it has none; the second one of a
        name has "~2" behind it. `times` counts names from line to line of a file."""
        name = line_id(line.values) or f"={_content(line)}"
        times[name] += 1
        return f"{line.file}#{name}" + (f"~{times[name]}" if times[name] > 1 else "")

    @staticmethod
    def is_ours(line: ObjectLine) -> bool:
        """Return whether a line says nothing but what its memtui part says."""
        result = line.values.get(KEY)
        return isinstance(result, dict) and ("of" in result or result.get("uid") == line.values.get("id"))


def _content(line: ObjectLine) -> str:
    """Return a hash in place of the id of a line that has none: of what it says, without what a
    sync adds."""
    said = {name: value for name, value in line.values.items() if name not in (KEY, "deleted_at")}
    return digest(json.dumps(said, sort_keys=True))[:16]
