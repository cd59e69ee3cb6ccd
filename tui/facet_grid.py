"""The facets as a grid: a line for each, its values in a row, and a cursor that moves among them."""

from __future__ import annotations

from dataclasses import dataclass

from store import Facets

from .query_text import filter_for

NAMES = ("type", "project", "agent", "kind", "day", "source")
ALWAYS = 5
"""So many of them always have a line; the others only where they have a value."""
FILTERS = {"day": "on"}
"""The filters that are called otherwise than their facet."""

Cell = tuple[int, int]
"""A line, and a place in it."""


@dataclass(frozen=True, slots=True)
class Value:
    """One value of a facet. `count` is shown as it stands; `filter` narrows a query to the value,
    None where the query language can't say it."""

    facet: str
    text: str
    count: str
    filter: str | None


@dataclass(frozen=True, slots=True)
class FacetGrid:
    """The lines in the order of `NAMES`. The cursor stands on values with a filter only."""

    lines: tuple[tuple[Value, ...], ...] = ((),) * ALWAYS

    @classmethod
    def of(cls, facets: Facets) -> FacetGrid:
        """The grid of a query's counts."""
        more = "" if facets.exact else "+"
        return cls(
            tuple(
                tuple(
                    Value(name, text, f"{count:,}{more}", filter_for(FILTERS.get(name, name), text))
                    for text, count in facets.counts.get(name, ())
                )
                for place, name in enumerate(NAMES)
                if place < ALWAYS or facets.counts.get(name)
            )
        )

    def at(self, cell: Cell) -> Value | None:
        """The value of a cell, None where there is none."""
        line, place = cell
        if line >= len(self.lines) or place >= len(self.lines[line]):
            return None
        return self.lines[line][place]

    def moved(self, cell: Cell, down: int, right: int) -> Cell:
        """The next cell in a direction; the same one at the edge."""
        line, place = cell
        if right:
            beyond = [other for other in self._open(line) if (other - place) * right > 0]
            return (line, min(beyond) if right > 0 else max(beyond)) if beyond else cell
        below = [other for other in self._lines() if (other - line) * down > 0]
        return self._nearest(min(below) if down > 0 else max(below), place) if below else cell

    def follow(self, value: Value | None, cell: Cell) -> Cell:
        """Where the cursor goes that stood in `cell`, on a value of another grid: to the same
        value, else near by."""
        line, place = cell
        for other in self._open(line):
            found = self.lines[line][other]
            if value is not None and (found.facet, found.text) == (value.facet, value.text):
                return line, other
        return self._nearest(
            min(self._lines(), key=lambda other: abs(other - line), default=0), place
        )

    def _lines(self) -> list[int]:
        """The lines that the cursor can stand in."""
        return [line for line in range(len(self.lines)) if self._open(line)]

    def _open(self, line: int) -> list[int]:
        """The places of a line that the cursor can stand on."""
        if line >= len(self.lines):
            return []
        return [place for place, value in enumerate(self.lines[line]) if value.filter]

    def _nearest(self, line: int, place: int) -> Cell:
        return line, min(self._open(line), key=lambda other: abs(other - place), default=0)
