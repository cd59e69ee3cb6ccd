"""Rows of one height with a cursor: the keys, the mouse, the scrolling that follows, and how a row
is painted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.segment import Segment
from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Size
from textual.reactive import var
from textual.strip import Strip
from textual.style import Style

from ..parts.text_view import LineView

BAR = "▌"
PLACEHOLDER = "…"

COMPONENTS = {
    "paged-list--cursor",
    "paged-list--cursor-blur",
    "paged-list--bar",
    "paged-list--dim",
}
CSS = """
PagedList {
    & > .paged-list--cursor { background: $block-cursor-blurred-background 60%; }
    & > .paged-list--cursor-blur { background: $boost; }
    & > .paged-list--bar { color: $foreground 60%; }
    & > .paged-list--dim { color: $foreground 50%; }
    &:focus > .paged-list--bar { color: $text-primary; }
}
"""


def _key(keys: str, action: str, description: str, tooltip: str, id: str) -> Binding:
    return Binding(keys, action, description, show=False, tooltip=tooltip, id=f"list.{id}")


class RowView(LineView, inherit_bindings=False):
    """`count` rows of `row_height` lines each, one of them under the cursor."""

    BINDINGS: ClassVar[list[BindingType]] = [
        _key("up,k", "move(-1)", "Up", "One row up", "up"),
        _key("down,j", "move(1)", "Down", "One row down", "down"),
        _key("home,g", "first", "First", "To the first row", "first"),
        _key("end,G", "last", "Last", "To the last row", "last"),
        _key("pageup", "page(-1.0)", "Page up", "A screenful up", "page-up"),
        _key("pagedown", "page(1.0)", "Page down", "A screenful down", "page-down"),
        _key("ctrl+u", "page(-0.5)", "Half up", "Half a screenful up", "half-up"),
        _key("ctrl+d", "page(0.5)", "Half down", "Half a screenful down", "half-down"),
        _key("enter", "select", "Open", "Open the selected row", "open"),
    ]

    row_height: int = 1
    """Lines a row takes; fixed for the life of the widget."""
    cursor: var[int] = var(0, init=False)
    """Index of the selected row, 0 when there is none. Setting it scrolls there."""
    count: var[int] = var(0, init=False)
    """How many rows there are. To watch, not to set."""

    @property
    def first_row(self) -> int:
        """The uppermost row in view."""
        return self.scroll_offset.y // self.row_height

    @property
    def rows_in_view(self) -> int:
        """How many whole rows fit on the screen, at least 1."""
        return max(1, self.size.height // self.row_height)

    def validate_cursor(self, cursor: int) -> int:
        return max(0, min(cursor, self.count - 1))

    def watch_cursor(self, old: int, new: int) -> None:
        for index in (old, new):
            self.refresh_lines(index * self.row_height, self.row_height)
        self.scroll_to_cursor()

    def watch_count(self, count: int) -> None:
        self.virtual_size = Size(0, count * self.row_height)

    def scroll_to_cursor(self) -> None:
        """Scroll as little as brings the whole row of the cursor into view."""
        top = self.cursor * self.row_height
        lowest = top + self.row_height - self.size.height
        if self.size.height and not lowest <= self.scroll_offset.y <= top:
            self.scroll_to(y=min(top, max(lowest, self.scroll_offset.y)), animate=False, force=True)

    def on_resize(self) -> None:
        self.scroll_to_cursor()

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        if offset is None:
            return
        index = (self.scroll_offset.y + offset.y) // self.row_height
        if index == self.cursor:
            self.action_select()
        elif index < self.count:
            self.cursor = index

    def action_move(self, rows: int) -> None:
        self.cursor += rows

    def action_page(self, pages: float) -> None:
        self.cursor += int(self.rows_in_view * pages)

    def action_first(self) -> None:
        self.cursor = 0

    def action_last(self) -> None:
        self.cursor = self.count - 1

    def action_select(self) -> None:
        """What Enter, and a click on the row of the cursor, do."""
        raise NotImplementedError


def paint_row(view: RowView, lines: Sequence[Content] | None, selected: bool) -> list[Strip]:
    """Return the strips of a row: `lines` after the bar of the selected row, or after a blank cell.

    None paints the placeholder of a row that isn't loaded. What is too wide is cut, what is
    missing blank.
    """
    base, edge = view.visual_style, Content(" ")
    if selected:
        focus = "" if view.has_focus else "-blur"
        base = view.get_visual_style(f"paged-list--cursor{focus}")
        edge = Content.styled(BAR, view.get_visual_style("paged-list--bar", partial=True))
    if lines is None:
        dim = view.get_visual_style("paged-list--dim", partial=True)
        lines = [Content.styled(PLACEHOLDER, dim)]
    blanks = [Content()] * (view.row_height - len(lines))
    width = view.scrollable_content_region.width
    return [_strip(edge + line, width, base) for line in (*lines[: view.row_height], *blanks)]


def _strip(content: Content, width: int, base: Style) -> Strip:
    rendered = content.render(base, end="")
    strip = Strip([Segment(text, style.rich_style) for text, style in rendered if text])
    return strip.adjust_cell_length(width, base.rich_style)
