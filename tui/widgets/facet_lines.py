"""The facets: how the results divide by type, project, agent, kind, day and source, each value a filter."""

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

from ..bindings import key
from ..facet_grid import ALWAYS, NAMES, Cell, FacetGrid, Value
from ..glyphs import glyph
from ..query_text import holds
from ..text import DIM, fit, plain
from .row_paint import BAR

NAME_WIDTH = 8
LEAST_WIDTH = 21
"""Cells of a value at least: the mark, a glyph, nine letters and a five-digit bound."""
MARK = "✓"
WITH_GLYPHS = ("type", "kind")


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
