"""The facets below the results: a line each."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import BindingType
from textual.content import Content

from memtui.store.translation import _

from ..lists.rows import BAR
from ..text.content import DIM, fit, plain
from ..text.glyphs import glyph
from .facets import (
    CHOOSING,
    MARK,
    WITH_GLYPHS,
    FacetGrid,
    FacetView,
    Value,
    move_key,
)

NAME_WIDTH = 8
LEAST_WIDTH = 21
"""Cells of a value at least: the mark, a glyph, nine letters and a five-digit bound."""


class FacetLines(FacetView, can_focus=True):
    """A line for each facet, the commonest values (the newest days) first.

    Values stand in columns that stay where they are, whatever the counts; `✓` marks those that
    the query has as a filter. A line with more values than fit scrolls with the cursor. While it is
    `-empty` there is nothing to count, and it is not shown.
    """

    # As many lines as there are facets: a larger one would be empty.
    ALLOW_MAXIMIZE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        *CHOOSING,
        move_key("left,h", 0, -1, _("The value before"), "left"),
        move_key("right,l", 0, 1, _("The next value"), "right"),
        move_key("up,k", -1, 0, _("The facet above"), "up"),
        move_key("down,j", 1, 0, _("The facet below"), "down"),
    ]

    def on_mount(self) -> None:
        self.add_class("pane")
        title = _("Narrow by")
        self.border_title = f" {title} "

    def render(self) -> Content:
        return Content("\n").join(map(self._line, range(len(self.grid.lines))))

    def watch_grid(self, old: FacetGrid, new: FacetGrid) -> None:
        self.refresh(layout=True)
        self.cursor = new.follow(old.at(self.cursor), self.cursor)

    def action_move(self, down: int, right: int) -> None:
        self.cursor = self.grid.moved(self.cursor, down, right)

    def _line(self, line: int) -> Content:
        values = self.grid.lines[line]
        room = self.size.width - NAME_WIDTH - 1
        columns = max(1, room // LEAST_WIDTH)
        if self.grid.name(line) == "source":
            # Their names are long and begin alike, so few of them take all the room.
            columns = min(columns, max(1, len(values)))
        here = self.cursor[1] if self.has_focus and self.cursor[0] == line else None
        first = 0 if here is None else max(0, here - columns + 1)
        last = first + columns
        name = fit(Content(_(self.grid.name(line))), NAME_WIDTH - 1).stylize(
            DIM if here is None else "bold"
        )
        shown = [
            self._value(values[place], room // columns, place == here)
            for place in range(first, min(last, len(values)))
        ]
        filled = fit(Content.assemble(name, "‹" if first else " ", *shown), self.size.width - 1)
        return filled + ("›" if last < len(values) else " ")

    def _value(self, value: Value, width: int, here: bool) -> Content:
        bar = self.get_visual_style("facets--bar", partial=True)
        marked = MARK if self.is_chosen(value) else " "
        mark = Content.assemble((BAR if here else " ", bar), marked, " ")
        sign = glyph(value.text).content + " " if value.facet in WITH_GLYPHS else Content()
        count = Content.assemble(" ", (value.count, DIM))
        label = plain(value.name, "" if value.filter else DIM)
        room = width - mark.cell_length - sign.cell_length - count.cell_length
        if label.cell_length > room:
            label = fit(label, room)
        return self.as_place(fit(mark + sign + label + count, width), value, here=here)
