"""Tell whoever waits how far an export is, every 500 rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from ...records.dataclasses import dataclass

T = TypeVar("T")

ImportProgress = Callable[[int, int], None]
"""Called with what is done and all there is, in rows, lines or bytes."""

Progress = Callable[[int, int, str], None]
"""Called with what is done and all there is, in rows or bytes, and a few words about it."""

STEP = 500


class ProgressCounter:
    """Counts the rows that were written, by table; `total` is how many there will be."""

    def __init__(self, total: int, progress: Progress | None) -> None:
        self.counts: dict[str, int] = {}
        self.total = total
        self.done = 0
        self.progress = progress

    def counted(self, name: str, rows: Iterable[T]) -> Iterator[T]:
        """Yield the same rows; each counts once the next one is asked for."""
        self.counts.setdefault(name, 0)
        for row in rows:
            yield row
            self.count(name)

    def count(self, name: str) -> None:
        """Count a row that was written."""
        self.counts[name] = self.counts.get(name, 0) + 1
        self.done += 1
        if self.progress and self.done % STEP == 0:
            self.progress(self.done, max(self.done, self.total), name)


@dataclass(frozen=True, slots=True)
class FormatResult:
    """What a format's export wrote: rows by table, and what the format can't hold, a sentence each."""

    counts: dict[str, int]
    unheld: tuple[str, ...]
