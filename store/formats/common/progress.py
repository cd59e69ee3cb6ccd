"""How far an export is: told to whoever waits, every so many rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")

Progress = Callable[[int, int, str], None]
"""Told how many rows of how many are written, and a few words about them."""

STEP = 500


class Tally:
    """Rows written so far, by table; `total` is how many there will be."""

    def __init__(self, total: int, progress: Progress | None) -> None:
        self.counts: dict[str, int] = {}
        self.total = total
        self.done = 0
        self.progress = progress

    def counted(self, name: str, rows: Iterable[T]) -> Iterator[T]:
        """The same rows, each counted once it was taken care of."""
        self.counts.setdefault(name, 0)
        for row in rows:
            yield row
            self.counts[name] += 1
            self.done += 1
            if self.progress and self.done % STEP == 0:
                self.progress(self.done, max(self.done, self.total), name)


@dataclass(frozen=True, slots=True)
class Exported:
    """How many rows each table got, and what the shape could not hold, a sentence each."""

    counts: dict[str, int]
    unheld: tuple[str, ...]
