"""Which rows are in view, where rows differ in height: a view scrolls by row, never within one.

Where the last row stands is reckoned from the rows that fit, never from all of them, so that a list
costs the same at a million rows. A row that isn't loaded counts as the highest that a row can be:
when it comes, nothing is pushed out of view.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RowLayout:
    """`count` rows in a view of `room` lines, `height(index)` lines each, at least 1; those beyond the last
    have a height too. `top` is always the index of the row whose first line is the view's first. Nothing
    here looks at more rows than fit on the view, however many there are."""

    count: int
    room: int
    height: Callable[[int], int]

    def lines_of(self, index: int) -> int:
        """Return the lines of a row that can be seen at once: no more than the view has."""
        return max(1, min(self.height(index), self.room))

    def fitting(self, start: int, step: int = 1, room: int | None = None) -> int:
        """Return how many whole rows fit from `start` on, going down (1) or up (-1); at least 1."""
        room = self.room if room is None else room
        taken, index = 0, start
        while index >= 0 and (taken := taken + self.lines_of(index)) <= room:
            index += step
        return max(1, abs(index - start))

    @property
    def last_top(self) -> int:
        """The top of a view that is scrolled to its end: all rows from it on fit."""
        return max(0, self.count - self.fitting(self.count - 1, -1)) if self.count else 0

    def showing(self, index: int, top: int) -> int:
        """Return the top nearest to `top` with which the whole of a row is in view."""
        return min(index, max(top, index + 1 - self.fitting(index, -1)))

    def with_line(self, index: int, line: int) -> int:
        """Return the top with which a row begins on a line of the view, else on the nearest above it, and
        with which it is whole in view."""
        top, taken = index, 0
        while top > 0 and (taken := taken + self.lines_of(top - 1)) <= line:
            top -= 1
        return self.showing(index, top)

    def line_of(self, index: int, top: int) -> int | None:
        """Return the line of the view on which a row begins; None when that is out of view."""
        if not 0 <= index - top < self.room:
            return None
        line = sum(self.lines_of(at) for at in range(top, index))
        return line if line < self.room else None

    def lines(self, top: int) -> list[tuple[int, int]]:
        """Return for each line of the view its row, and which line of that row it is."""
        results: list[tuple[int, int]] = []
        while len(results) < self.room:
            results += [(top, part) for part in range(self.lines_of(top))]
            top += 1
        return results[: self.room]

    def page(self, cursor: int, pages: float) -> int:
        """Return the row so many screenfuls below the cursor, or above it: between both every row has been
        in view."""
        step = 1 if pages > 0 else -1
        room = max(1, int(self.room * abs(pages)))
        return cursor + step * self.fitting(max(0, cursor + step), step, room)
