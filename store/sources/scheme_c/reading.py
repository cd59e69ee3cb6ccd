"""Every line of a directory, and a name for each that stays the same when others are added."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from ...fact_sources import digest
from ...scheme_c.payload import KEY
from ..report import Report
from .files import Directory
from .item import Item
from .lines import BadLine, Line, read_lines
from .values import line_id


class Reading:
    """Reads the .jsonl files of a directory, in the order of their names, facts and sessions last."""

    def __init__(self, directory: Directory, report: Report) -> None:
        self.directory = directory
        self.report = report
        self.files = (*directory.daily, *directory.others)

    def items(self, file: str, report: Report) -> Iterator[tuple[Line | BadLine, Item | None]]:
        """The lines of a file, and what other programs say in them; None where only we say
        something. What is odd about them goes to `report`."""
        times: Counter[str] = Counter()
        for line in self.lines(file):
            if isinstance(line, BadLine) or self.is_ours(line):
                yield line, None
            else:
                yield line, Item(line, self.name(line, times), report)

    def lines(self, file: str) -> Iterator[Line | BadLine]:
        """The lines of a file as they are; where it can't be read any further, they end."""
        with self.telling(file):
            yield from read_lines(self.directory.place(file), file)

    @contextmanager
    def telling(self, file: str) -> Iterator[None]:
        """Tell of a file that can't be read, and go on without."""
        try:
            yield
        except OSError as error:
            message = f"{file} can't be read ({error.strerror}). Check its permissions."
            if message not in self.report.notes:
                self.report.notes.append(message)
            self.report.is_damaged = True

    @staticmethod
    def name(line: Line, times: Counter[str]) -> str:
        """What a line is called: its file and id, or its content where it has none; the second one
        of a name has "~2" behind it. `times` is kept from line to line of a file."""
        name = line_id(line.values) or f"={_content(line)}"
        times[name] += 1
        return f"{line.file}#{name}" + (f"~{times[name]}" if times[name] > 1 else "")

    @staticmethod
    def is_ours(line: Line) -> bool:
        """Whether a line says nothing but what its memtui part says."""
        found = line.values.get(KEY)
        return isinstance(found, dict) and (
            "of" in found or found.get("uid") == line.values.get("id")
        )


def _content(line: Line) -> str:
    """What stands for a line without an id: what it says, but for what a sync adds to it."""
    said = {name: value for name, value in line.values.items() if name not in (KEY, "deleted_at")}
    return digest(json.dumps(said, sort_keys=True))[:16]
