"""Rows with a cursor: the keys, the mouse, the scrolling that follows, and how a row is painted; and rows
of which the newest stays in view and selected as it arrives, until the cursor is moved away."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rich.segment import Segment
from textual import events
from textual.binding import Binding
from textual.content import Content
from textual.geometry import Region, Size
from textual.reactive import var
from textual.strip import Strip
from textual.style import Style

from memtui.store.platform.translation import _

from ..keys.bindings import FIND
from ..parts.text_view import LineView
from ..text.content import joined

BAR = "▌"
PLACEHOLDER = "…"
MARK = "✓"
MARKED = "bold $text-success"
NEW = "•"
"""Stands before what has arrived since the last visit, where it isn't marked."""
LEAST_WITH_HEADS = 5
"""Lines from which on a list has room for the heads of its columns."""
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
    & > .paged-list--dim { color: $dim; }
    &:focus > .paged-list--bar { color: $text-primary; }
}
"""


def _key(keys: str, action: str, description: str, tooltip: str, id: str) -> Binding:
    return Binding(keys, action, description, show=False, tooltip=tooltip, id=f"list.{id}")


class RowView(LineView, inherit_bindings=False):
    """`count` rows of up to `row_height` lines each, one of them under the cursor. It scrolls by row:
    `scroll_offset.y` is the index of the first row in view."""

    BINDINGS = [
        _key("up,k", "move(-1)", _("Up"), _("One row up"), "up"),
        _key("down,j", "move(1)", _("Down"), _("One row down"), "down"),
        _key("home", "first", _("First"), _("To the first row"), "first"),
        _key("end,G", "last", _("Last"), _("To the last row"), "last"),
        _key("pageup", "page(-1.0)", _("Page up"), _("A screenful up"), "page-up"),
        _key("pagedown", "page(1.0)", _("Page down"), _("A screenful down"), "page-down"),
        _key("ctrl+u", "page(-0.5)", _("Half up"), _("Half a screenful up"), "half-up"),
        _key("ctrl+d", "page(0.5)", _("Half down"), _("Half a screenful down"), "half-down"),
        _key("enter", "select", _("Open"), _("Open the selected row"), "open"),
        *FIND,
    ]

    row_height: int = 1
    """The most lines that a row takes; fixed for the life of the widget."""
    is_compact: bool = False
    """Whether every row takes one line. To read; `set_compact` changes it."""
    has_heads: bool = False
    """Whether a line of column heads stands above the rows."""
    cursor: var[int] = var(0, init=False)
    """Index of the selected row, 0 when there is none. Setting it scrolls there."""
    count: var[int] = var(0, init=False)
    """How many rows there are. To watch, not to set."""

    def height_of(self, index: int) -> int:  # noqa: ARG002
        """Return the lines of a row, where it isn't loaded the most that it may have: what comes then
        shows more, and pushes nothing out of view."""
        return self.most_lines

    @property
    def most_lines(self) -> int:
        """The most lines that a row takes now."""
        return 1 if self.is_compact else self.row_height

    @property
    def head_height(self) -> int:
        """The lines above the rows: one for the heads of columns, where few rows don't need it more."""
        return int(self.has_heads and self.count > 0 and self.size.height >= LEAST_WITH_HEADS)

    @property
    def row_layout(self) -> RowLayout:
        """Where the rows are, as they are now."""
        return RowLayout(self.count, self.size.height - self.head_height, self.height_of)

    @property
    def first_row(self) -> int:
        """The uppermost row in view."""
        return self.scroll_offset.y

    @property
    def rows_in_view(self) -> int:
        """How many whole rows fit on the screen from the uppermost on, at least 1."""
        return self.row_layout.fitting(self.first_row)

    def validate_cursor(self, cursor: int) -> int:
        return max(0, min(cursor, self.count - 1))

    def watch_cursor(self, old: int, new: int) -> None:
        for index in (old, new):
            self._refresh_row(index)
        self.scroll_to_cursor()

    def watch_count(self) -> None:
        self.measure()

    def set_compact(self, compact: bool) -> None:
        """Have every row take one line, or as many as it has; the cursor's keeps its place, and a list at
        its top stays there as long as it can."""
        is_at_top, line = self.first_row == 0, self.cursor_line
        self.is_compact = compact
        self.measure()
        if is_at_top:
            self.scroll_to_cursor()
        else:
            self.put_cursor(line)

    def measure(self) -> None:
        """Let the scrolling end where the last row is whole in view, after heights have changed."""
        self.virtual_size = Size(0, self.row_layout.last_top + self.size.height)

    @property
    def cursor_line(self) -> int | None:
        """The line of the view on which the selected row begins, None where that is out of view."""
        return self.row_layout.line_of(self.cursor, self.first_row)

    def put_cursor(self, line: int | None) -> None:
        """Scroll so that the selected row begins on that line again, or as near as heights allow."""
        top = self.first_row if line is None else self.row_layout.with_line(self.cursor, line)
        self.scroll_to_row(top)

    def scroll_to_row(self, top: int) -> None:
        """Have a row as the uppermost in view."""
        self.scroll_to(y=top, animate=False, force=True)

    def scroll_to_cursor(self) -> None:
        """Scroll as little as brings the whole row of the cursor into view."""
        if self.size.height:
            top = self.row_layout.showing(self.cursor, self.first_row)
            if top != self.first_row:
                self.scroll_to_row(top)

    def on_resize(self) -> None:
        self.measure()
        self.scroll_to_row(self.first_row)
        self.scroll_to_cursor()

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        if offset is None or offset.y < self.head_height:
            return
        index, _ = self.row_layout.lines(self.first_row)[offset.y - self.head_height]
        if index == self.cursor:
            self.action_select()
        elif index < self.count:
            self.cursor = index
            self.moved_by_hand()

    def moved_by_hand(self) -> None:
        """Called after someone moved the cursor."""

    def action_move(self, rows: int) -> None:
        self.cursor += rows
        self.moved_by_hand()

    def action_page(self, pages: float) -> None:
        self.cursor = self.row_layout.page(self.cursor, pages)
        self.moved_by_hand()

    def action_first(self) -> None:
        self.cursor = 0
        self.moved_by_hand()

    def action_last(self) -> None:
        self.cursor = self.count - 1
        self.moved_by_hand()

    def action_select(self) -> None:
        """What Enter, and a click on the row of the cursor, do."""
        raise NotImplementedError

    def _refresh_row(self, index: int) -> None:
        layout = self.row_layout
        line = layout.line_of(index, self.first_row)
        if line is not None:
            at = line + self.head_height
            self.refresh(Region(0, at, self.size.width, layout.lines_of(index)))


def paint_row(
    view: RowView,
    lines: Sequence[Content] | None,
    height: int,
    selected: bool,
    *,
    is_new: bool = False,
    is_marked: bool = False,
) -> list[Strip]:
    """Return the `height` strips of a row: `lines` after the bar of the selected row, the sign of a marked
    or a new one, or a blank cell.

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
    blanks = [Content()] * (height - len(lines))
    width = view.scrollable_content_region.width
    rows = [edge + line for line in (*lines[:height], *blanks)]
    if is_marked:
        style = f"{MARKED} reverse" if selected else MARKED
        rows[0] = Content.styled(MARK, style) + rows[0][1:]
    elif is_new and not selected:
        rows[0] = Content.styled(NEW, "bold $text-accent") + rows[0][1:]
    return [_strip(row, width, base) for row in rows]


def seen_as_new(view: RowView, ref: str | None) -> bool:
    """Return whether a record that is painted has arrived since the last visit, and note that it was in
    view."""
    arrivals = getattr(view.app, "arrivals", None)
    if arrivals is None or ref is None or not arrivals.is_new(ref):
        return False
    arrivals.show(ref)
    return True


def paint_heads(view: RowView, heads: Content) -> Strip:
    """Return the strip of the heads of columns, after a blank cell as rows have it."""
    dim = view.get_visual_style("paged-list--dim", partial=True)
    width = view.scrollable_content_region.width
    return _strip(Content(" ") + heads.stylize_before(dim), width, view.visual_style)


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


class FollowingView(RowView):
    """While it follows, its title says so, and `paused` while the cursor is elsewhere."""

    newest_is_last = False
    """Whether the rows are in time order."""
    is_following = False
    is_paused = False

    _title_parts = ("", "")

    @property
    def holds_newest(self) -> bool:
        """Whether what arrives is to be selected."""
        return self.is_following and not self.is_paused

    @property
    def newest(self) -> int:
        """The index of the newest row."""
        return self.validate_cursor(self.count - 1 if self.newest_is_last else 0)

    def follow(self, *, on: bool) -> None:
        """Follow from now on, or no longer."""
        self.is_following, self.is_paused = on, False
        self.entitle(*self._title_parts)

    def entitle(self, title: str, beside: str = "") -> None:
        self._title_parts = title, beside
        state = _("following") if self.is_following else ""
        if self.is_paused:
            state = _("paused, F goes on")
        super().entitle(title, joined(beside, state))

    def pause(self) -> None:
        """No longer select what arrives, until the cursor is on the newest row again."""
        if self.is_following and not self.is_paused:
            self.is_paused = True
            self.entitle(*self._title_parts)

    def moved_by_hand(self) -> None:
        """Pause, or go on, after the cursor was moved by someone."""
        is_paused = self.is_following and self.cursor != self.newest
        if is_paused != self.is_paused:
            self.is_paused = is_paused
            self.entitle(*self._title_parts)


def _strip(content: Content, width: int, base: Style) -> Strip:
    rendered = content.render(base, end="")
    strip = Strip([Segment(text, style.rich_style) for text, style in rendered if text])
    return strip.adjust_cell_length(width, base.rich_style)
