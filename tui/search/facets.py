"""The facets: how the results divide by type, project, agent, kind, day and source, each value a
filter.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.style import Style
from textual.widget import Widget

from store import Facets

from ..bindings import key
from ..lists.rows import BAR
from ..text.content import DIM, fit, plain
from ..text.glyphs import glyph
from ..text.queries import filter_for, holds

NAMES = ("type", "project", "agent", "kind", "day", "source")
ALWAYS = 5
"""So many of them always have a line; the others only where they have a value."""
FILTERS = {"day": "on"}
"""The filters that are called otherwise than their facet."""

Cell = tuple[int, int]
"""A line, and a place in it."""

NAME_WIDTH = 8
LEAST_WIDTH = 21
"""Cells of a value at least: the mark, a glyph, nine letters and a five-digit bound."""
MARK = "✓"
WITH_GLYPHS = ("type", "kind")


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
        """Return the grid of a query's counts."""
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
        """Return the value of a cell, None where there is none."""
        line, place = cell
        if line >= len(self.lines) or place >= len(self.lines[line]):
            return None
        return self.lines[line][place]

    def moved(self, cell: Cell, down: int, right: int) -> Cell:
        """Return the next cell in a direction; the same one at the edge."""
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


def _move(keys: str, down: int, right: int, tooltip: str, id: str) -> Binding:
    return key(keys, f"move({down}, {right})", "Move", tooltip, f"facets.{id}", show=False)


class FacetLines(Widget, can_focus=True):
    """A line for each facet, the commonest values (the newest days) first.

    Values stand in columns that stay where they are, whatever the counts; `✓` marks those that
    the query has as a filter. A line with more values than fit scrolls with the cursor. While it is
    `-empty` there is nothing to count, and it is not shown.
    """

    FOCUS_ON_CLICK = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {"facet-lines--cursor", "facet-lines--bar"}
    DEFAULT_CSS = """
    FacetLines {
        & > .facet-lines--cursor { background: $block-cursor-blurred-background 60%; text-style: bold; }
        & > .facet-lines--bar { color: $text-primary; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        key(
            "enter,space",
            "choose",
            "Filter",
            "Add the value to the query as a filter, or take it off",
            "facets.choose",
            display="⏎",
        ),
        key("escape,f", "screen.leave_facets", "Results", "Back to the results", "facets.leave"),
        _move("left,h", 0, -1, "The value before", "left"),
        _move("right,l", 0, 1, "The next value", "right"),
        _move("up,k", -1, 0, "The facet above", "up"),
        _move("down,j", 1, 0, "The facet below", "down"),
    ]

    grid: reactive[FacetGrid] = reactive(FacetGrid())
    filters: reactive[str] = reactive("")
    """The query's filters, and none of its words, as each change of it is painted."""
    cursor: reactive[Cell] = reactive((0, 0))

    @dataclass
    class Chosen(Message):
        """A value was chosen; `filter` is what narrows the query to it, or no longer does."""

        filter: str

    class Shown(Message):
        """They have come into view."""

    @property
    def value(self) -> Value | None:
        """The value under the cursor."""
        return self.grid.at(self.cursor)

    def render(self) -> Content:
        return Content("\n").join(map(self._line, range(len(self.grid.lines))))

    def watch_grid(self, old: FacetGrid, new: FacetGrid) -> None:
        self.set_class(len(new.lines) > ALWAYS, "-more")
        self.cursor = new.follow(old.at(self.cursor), self.cursor)

    def on_show(self) -> None:
        self.post_message(self.Shown())

    def on_click(self, event: events.Click) -> None:
        if filter := event.style.meta.get("filter"):
            self.post_message(self.Chosen(filter))

    def action_move(self, down: int, right: int) -> None:
        """Move the cursor to another value."""
        self.cursor = self.grid.moved(self.cursor, down, right)

    def action_choose(self) -> None:
        """Add the value under the cursor to the query, or take it off."""
        if self.value is not None and self.value.filter is not None:
            self.post_message(self.Chosen(self.value.filter))

    def _line(self, line: int) -> Content:
        values = self.grid.lines[line]
        room = self.size.width - NAME_WIDTH - 1
        columns = max(1, room // LEAST_WIDTH)
        if NAMES[line] == "source":
            # Their names are long and begin alike, so few of them take all the room.
            columns = min(columns, max(1, len(values)))
        here = self.cursor[1] if self.has_focus and self.cursor[0] == line else None
        first = 0 if here is None else max(0, here - columns + 1)
        last = first + columns
        name = fit(Content(NAMES[line]), NAME_WIDTH - 1).stylize(DIM if here is None else "bold")
        shown = [
            self._value(values[place], room // columns, place == here)
            for place in range(first, min(last, len(values)))
        ]
        filled = fit(Content.assemble(name, "‹" if first else " ", *shown), self.size.width - 1)
        return filled + ("›" if last < len(values) else " ")

    def _value(self, value: Value, width: int, here: bool) -> Content:
        bar = self.get_visual_style("facet-lines--bar", partial=True)
        marked = value.filter is not None and holds(self.filters, value.filter)
        mark = Content.assemble((BAR if here else " ", bar), MARK if marked else " ", " ")
        sign = glyph(value.text).content + " " if value.facet in WITH_GLYPHS else Content()
        count = Content.assemble(" ", (value.count, DIM))
        label = plain(value.text or "none", "" if value.filter else DIM)
        room = width - mark.cell_length - sign.cell_length - count.cell_length
        if label.cell_length > room:
            label = fit(label, room)
        content = fit(mark + sign + label + count, width)
        if here:
            content = content.stylize_before(
                self.get_visual_style("facet-lines--cursor", partial=True)
            )
        return (
            content.stylize(Style.from_meta({"filter": value.filter})) if value.filter else content
        )
