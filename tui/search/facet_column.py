"""The facets beside the results: a column with a bar for each value, and the last days above them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from rich.segment import Segment
from textual.content import Content
from textual.geometry import Size
from textual.strip import Strip

from memtui.store.platform.translation import N_, _

from ..lists.rows import BAR
from ..parts.text_view import LineView
from ..text.ages import day_of_month
from ..text.content import DIM, fit, plain
from ..text.glyphs import NOTHING, bar, columns, glyph
from .facets import CHOOSING, MARK, WITH_GLYPHS, FacetGrid, FacetView, Value, move_key

TIME = 0
"""The section of the days, months or years; the facets follow."""
HEIGHT = 2
"""Lines of the days."""
MARKS = 2
"""Cells for the bar of the cursor and the sign of a filter."""
LEAST_BAR, LONGEST_BAR = 3, 30
PLAIN = "$foreground 40%"
"""The colour of bars of what has none of its own."""
WIDEST = 56
"""Cells of a line, however wide the pane is."""
UNITS = {10: N_("days"), 7: N_("months"), 4: N_("years")}
"""By how long their names are."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a section: its heading, a value, or with `place` None and a `row` a part of the days."""

    section: int
    place: int | None = None
    row: int | None = None
    is_blank: bool = False


class FacetColumn(FacetView, LineView, can_focus=True):
    """`FOCUS_ON_CLICK` is off: a click on a value narrows, and the keys stay where they were."""

    BINDINGS = [
        *CHOOSING,
        move_key("up,k", -1, 0, _("The value above"), "above"),
        move_key("down,j", 1, 0, _("The value below"), "below"),
        move_key("left,h", 0, -1, _("The facet before; in the days the day before"), "before"),
        move_key("right,l", 0, 1, _("The next facet; in the days the next day"), "next"),
    ]

    _sections = FacetGrid(())
    """A line for each section."""
    _names: tuple[str, ...] = ()
    _lines: tuple[Line, ...] = ()

    @property
    def value(self) -> Value | None:
        return self._sections.at(self.cursor)

    def on_mount(self) -> None:
        self.entitle(_("Narrow by"))

    def watch_grid(self, new: FacetGrid) -> None:
        before = self.value
        days = new.over_time
        unit = UNITS.get(len(days[0].text), "days") if days else "days"
        facets = {
            new.name(line): values
            for line, values in enumerate(new.lines)
            if values and new.name(line) != "day"
        }
        self._names = (unit, *facets)
        self._sections = FacetGrid((days, *facets.values()))
        self._lines = tuple(self._laid_out())
        self.virtual_size = Size(0, len(self._lines))
        start = self.cursor if before is not None else (TIME + 1, 0 if facets else len(days))
        self.cursor = self._sections.follow(before, start)
        self.refresh()

    def watch_cursor(self) -> None:
        section, place = self.cursor
        for at, line in enumerate(self._lines):
            if line.section == section and line.place in (place, None):
                # With its heading, where it is the first.
                top = at - (1 if line.place == 0 else 0)
                low = at - self.size.height + 1
                if line.place == place or section == TIME:
                    self.scroll_to(y=max(low, min(self.scroll_offset.y, top)), animate=False, force=True)
                    break
        self.refresh()

    def action_move(self, down: int, right: int) -> None:
        sections, (section, _) = self._sections, self.cursor
        along = right if section == TIME else down
        if along and (cell := sections.moved(self.cursor, 0, along)) != self.cursor:
            self.cursor = cell
            return
        if section == TIME and right:
            return
        to = sections.line_beyond(section, down or right)
        if to is not None:
            # Upwards to the last value; to the days always to the newest.
            is_last = to == TIME or down < 0
            self.cursor = to, sections.open(to)[-1 if is_last else 0]

    def render_line(self, y: int) -> Strip:
        base = self.visual_style
        line = self._line_at(y)
        width = min(WIDEST, self.scrollable_content_region.width)
        content = Content() if line is None or line.is_blank else self._content(line, width)
        segments = [Segment(text, style.rich_style) for text, style in content.render(base, end="")]
        return Strip(segments).adjust_cell_length(self.size.width, base.rich_style)

    @property
    def _first_day(self) -> int:
        """The place of the first of the days that there is room for."""
        room = min(WIDEST, self.scrollable_content_region.width) - MARKS
        return max(0, len(self._sections.lines[TIME]) - room) if self._names else 0

    def _line_at(self, y: int) -> Line | None:
        at = self.scroll_offset.y + y
        return self._lines[at] if at < len(self._lines) else None

    def _laid_out(self) -> Iterator[Line]:
        sections = self._sections.lines
        for at, values in enumerate(sections):
            if not values:
                continue
            yield Line(at)
            if at == TIME:
                yield from (Line(at, row=row) for row in range(HEIGHT))
            else:
                yield from (Line(at, place) for place in range(len(values)))
            if at < len(sections) - 1:
                yield Line(at, is_blank=True)

    def _content(self, line: Line, width: int) -> Content:
        if line.place is not None:
            return self._value(line.section, line.place, width)
        if line.row is not None:
            return self._days(line.row, width)
        return self._heading(line.section, width)

    def _heading(self, at: int, width: int) -> Content:
        is_here = self.has_focus and self.cursor[0] == at
        name = Content(" " * MARKS) + plain(_(self._names[at]), "bold" if is_here else DIM)
        if at != TIME:
            return fit(name, width)
        shown = self._sections.lines[TIME][self._first_day :]
        chosen = [value for value in shown if self.is_chosen(value)]
        if is_here and (value := self.value) is not None:
            mark = f"{MARK} " if self.is_chosen(value) else ""
            right = f"{mark}{named(value.text)} · {value.count}"
        elif chosen:
            right = f"{MARK} {named(chosen[-1].text)}"
        else:
            right = f"{named(shown[0].text)} – {named(shown[-1].text)}"
        content = plain(right, "" if is_here or chosen else DIM)
        return fit(name, width - content.cell_length) + content

    def _days(self, row: int, width: int) -> Content:
        values = self._sections.lines[TIME][self._first_day :]
        blocks = columns([value.number for value in values], HEIGHT)[row]
        is_lowest = row == HEIGHT - 1
        full = self.get_visual_style("facets--bar", partial=True)
        parts = [Content(" " * MARKS)]
        for place, (value, block) in enumerate(zip(values, blocks, strict=True), self._first_day):
            here = self.has_focus and self.cursor == (TIME, place)
            drawn = Content.styled(block, full)
            if is_lowest and not value.number:
                drawn = Content.styled(NOTHING, "$foreground 25%")
            elif self.is_chosen(value):
                drawn = Content.styled(block, "$text-accent")
            if here:
                drawn = Content.styled(drawn.plain, "$text-accent on $accent-muted")
            parts.append(self.as_place(drawn, value) if value.number else drawn)
        return fit(Content.assemble(*parts), width)

    def _value(self, at: int, place: int, width: int) -> Content:
        name, values = self._names[at], self._sections.lines[at]
        value = values[place]
        here, chosen = self.has_focus and self.cursor == (at, place), self.is_chosen(value)
        style = self.get_visual_style("facets--bar", partial=True)
        mark = Content.assemble((BAR if here else " ", style), MARK if chosen else " ")
        has_glyphs = name in WITH_GLYPHS
        sign = glyph(value.text).content + " " if has_glyphs else Content()
        labels = [plain(item.name) for item in values]
        counts = max(len(entry.count) for entry in values)
        room = width - MARKS - sign.cell_length - counts - 2
        longest = max(label.cell_length for label in labels)
        label = min(longest, max(room - LEAST_BAR, room * 3 // 5))
        length = min(LONGEST_BAR, room - label)
        most = max(one.number for one in values)
        drawn = bar(value.number, most, length) if length >= LEAST_BAR else " " * max(0, length)
        color = glyph(value.text).style if name == "type" else PLAIN
        text = labels[place].stylize("bold" if chosen else "" if value.filter else DIM)
        content = Content.assemble(
            mark, sign, fit(text, label), " ", (drawn, color), " ", (value.count.rjust(counts), DIM)
        )
        return self.as_place(fit(content, width), value, here=here)


def named(text: str) -> str:
    """Return a day, month or year as it is read: `17 Feb`, `2026-02`, `2026`."""
    if len(text) < len("2026-02-17"):
        return text
    return day_of_month(date.fromisoformat(text))
