"""Tables, as wide as there is room."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from textual.content import Content

from ..content import DIM, EMPTY, GAP
from ..wrapping import wrap_text

NARROWEST = 8
"""Cells a column is cut down to, before the table is shown a cell a line."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells; the first is the head. `right` has the columns that are flush right."""

    rows: Sequence[Sequence[Content]]
    right: frozenset[int] = frozenset()

    def wrap(self, width: int) -> list[Content]:
        """Return the lines of the table in `width` cells: cells wrapped, or, where columns would be too
        narrow to read, each cell on a line behind the head of its column."""
        natural = [
            max(max((line.cell_length for line in cell.split("\n")), default=0) for cell in column)
            for column in zip_longest(*self.rows, fillvalue=EMPTY)
        ]
        widths = _fitted(natural, width - len(GAP) * (len(natural) - 1))
        return list(self._columns(widths) if widths else self._stacked(width))

    def _columns(self, widths: list[int]) -> Iterator[Content]:
        for number, row in enumerate(self.rows):
            style = "" if number else "bold"
            wrapped = [
                wrap_text(cell.stylize_before(style), max(1, room))
                for cell, room in zip(row, widths, strict=False)
            ]
            for parts in zip_longest(*wrapped, fillvalue=EMPTY):
                cells = (
                    self._padded(part, column, room)
                    for column, (part, room) in enumerate(zip(parts, widths, strict=False))
                )
                yield GAP.join(cells).rstrip()
            if not number:
                yield GAP.join(Content.styled("─" * room, DIM) for room in widths)

    def _padded(self, part: Content, column: int, room: int) -> Content:
        spaces = max(0, room - part.cell_length)
        return part.pad_left(spaces) if column in self.right else part.pad_right(spaces)

    def _stacked(self, width: int) -> Iterator[Content]:
        head, *rows = self.rows
        if not rows:
            yield from wrap_text(Content(" ").join(head), width)
        for number, row in enumerate(rows):
            if number:
                yield Content.styled("─" * min(width, NARROWEST), DIM)
            for name, cell in zip(head, row, strict=False):
                if name or cell:
                    yield from wrap_text(name.stylize_before("bold") + "  " + cell, width)


def _fitted(natural: list[int], room: int) -> list[int]:
    """Return widths of columns that together fit into `room`, the widest cut first; [] where none do."""
    least = sum(min(number, NARROWEST) for number in natural)
    if least > room:
        return []
    most = max(natural, default=0)
    low, high = NARROWEST, max(most, NARROWEST)
    while low < high:
        middle = (low + high + 1) // 2
        if sum(min(value, middle) for value in natural) <= room:
            low = middle
        else:
            high = middle - 1
    widths = [min(item, low) for item in natural]
    left = room - sum(widths)
    for column, entry in enumerate(natural):
        if left and widths[column] < entry:
            widths[column] += 1
            left -= 1
    return widths
