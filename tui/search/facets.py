"""The facets: how the results divide by type, project, agent, kind, day, source, machine, author and
branch, each value a filter. Below the results they are lines, beside them a column.
"""

from __future__ import annotations

from dataclasses import dataclass

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.style import Style
from textual.widget import Widget

from memtui.store import Facets
from memtui.store.platform.translation import N_, _

from ..keys.bindings import hidden, key
from ..lists.rows import BAR
from ..text.content import DIM, fit, plain
from ..text.glyphs import glyph
from ..text.queries import filter_for, holds
from ..text.records import source_label
from .request import SearchRequest

NAMES = (
    *(N_("type"), N_("project"), N_("agent"), N_("kind"), N_("day"), N_("source"), N_("machine")),
    *(N_("author"), N_("branch")),
)
ALWAYS = 5
"""Lines that are kept for them until they are counted."""
FILTERS = {"day": "on"}
"""The filters that are called otherwise than their facet."""

Cell = tuple[int, int]
"""A line, and a place in it."""

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
    number: int = 0
    label: str = ""
    """What it is called, where that isn't its text."""

    @property
    def name(self) -> str:
        """What it is called."""
        return self.label or self.text or _("none")


@dataclass(frozen=True, slots=True)
class FacetGrid:
    """The lines in the order of `NAMES`. The cursor stands only on values that have a filter and are
    anywhere."""

    lines: tuple[tuple[Value, ...], ...] = ((),) * ALWAYS
    over_time: tuple[Value, ...] = ()
    """The days, months or years up to the newest match, the oldest first."""

    @classmethod
    def of(cls, facets: Facets, filters: str) -> FacetGrid:
        """Return the grid of a query's counts. What divides nothing is left out, but for what the query
        filters by."""
        more = "" if facets.exact else "+"
        sources = [text for text, _ in facets.counts.get("source", ())]

        def value(name: str, text: str, count: int) -> Value:
            filter = filter_for(FILTERS.get(name, name), text)
            label = source_label(text, sources) if name == "source" else ""
            if name in WITH_GLYPHS and text:
                label = _(text)
            return Value(name, text, f"{count:,}{more}", filter, count, label)

        def divides(values: tuple[Value, ...]) -> bool:
            name = FILTERS.get(values[0].facet, values[0].facet) if values else ""
            is_filtered = any(text.startswith(f"{name}:") for text in filters.split())
            return bool(values) and (is_filtered or sum(one.number > 0 for one in values) > 1)

        lines = (tuple(value(name, *each) for each in facets.counts.get(name, ())) for name in NAMES)
        over_time = tuple(value("day", *each) for each in facets.over_time)
        return cls(tuple(filter(divides, lines)), over_time if divides(over_time) else ())

    def name(self, line: int) -> str:
        """Return the facet of a line."""
        return self.lines[line][0].facet if self.lines[line] else NAMES[line]

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
            beyond = [other for other in self.open(line) if (other - place) * right > 0]
            return (line, min(beyond) if right > 0 else max(beyond)) if beyond else cell
        to = self.line_beyond(line, down)
        return cell if to is None else self._nearest(to, place)

    def line_beyond(self, line: int, down: int) -> int | None:
        """Return the next line below (1) or above (-1) that the cursor can stand in; None at the edge."""
        beyond = [other for other in self._lines() if (other - line) * down > 0]
        return min(beyond, key=lambda other: abs(other - line), default=None)

    def open(self, line: int) -> list[int]:
        """Return the places of a line that the cursor can stand on."""
        if line >= len(self.lines):
            return []
        values = enumerate(self.lines[line])
        return [place for place, value in values if value.filter and value.number]

    def follow(self, value: Value | None, cell: Cell) -> Cell:
        """Where the cursor goes that stood in `cell`, on a value of another grid: to the same
        value, else near by."""
        line, place = cell
        wanted = (value.facet, value.text) if value is not None else None
        for at in self._lines():
            for other in self.open(at):
                result = self.lines[at][other]
                if (result.facet, result.text) == wanted:
                    return at, other
        return self._nearest(min(self._lines(), key=lambda other: abs(other - line), default=0), place)

    def _lines(self) -> list[int]:
        """The lines that the cursor can stand in."""
        return [line for line in range(len(self.lines)) if self.open(line)]

    def _nearest(self, line: int, place: int) -> Cell:
        return line, min(self.open(line), key=lambda other: abs(other - place), default=0)


def move_key(keys: str, down: int, right: int, tooltip: str, id: str) -> Binding:
    """Return the binding of a key that moves the cursor."""
    return hidden(keys, f"move({down}, {right})", "Move", tooltip, f"facets.{id}")


CHOOSING: list[BindingType] = [
    key(
        "enter,space",
        "choose",
        "Filter",
        "Add the value to the query as a filter, or take it off",
        "facets.choose",
        display="⏎",
    ),
    key(
        "escape,f",
        "screen.leave_facets",
        "Leave facets",
        "Back to the results",
        "facets.leave",
        footer="Results",
    ),
]


class FacetView(Widget):
    """What shows the facets, with a cursor on a value."""

    FOCUS_ON_CLICK = False
    COMPONENT_CLASSES = {"facets--cursor", "facets--bar"}
    DEFAULT_CSS = """
    FacetView {
        & > .facets--cursor { background: $block-cursor-blurred-background 60%; text-style: bold; }
        & > .facets--bar { color: $text-primary; }
    }
    """

    grid: reactive[FacetGrid] = reactive(FacetGrid())
    asked: reactive[SearchRequest] = reactive(SearchRequest())
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

    def on_show(self) -> None:
        self.post_message(self.Shown())

    def on_click(self, event: events.Click) -> None:
        if filter := event.style.meta.get("filter"):
            self.post_message(self.Chosen(filter))

    def action_move(self, down: int, right: int) -> None:
        """Move the cursor to another value."""
        raise NotImplementedError

    def action_choose(self) -> None:
        """Add the value under the cursor to the query, or take it off."""
        if self.value is not None and self.value.filter is not None:
            self.post_message(self.Chosen(self.value.filter))

    def is_chosen(self, value: Value) -> bool:
        """Whether the query has the value as a filter."""
        return value.filter is not None and holds(self.asked.filters, value.filter)

    def as_place(self, content: Content, value: Value, *, here: bool = False) -> Content:
        """Return what shows a value such that a click chooses it, highlighted with the cursor on it."""
        if here:
            cursor = self.get_visual_style("facets--cursor", partial=True)
            content = content.stylize_before(cursor)
        return content.stylize(Style.from_meta({"filter": value.filter})) if value.filter else content


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
    BINDINGS = [
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
