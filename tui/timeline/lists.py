"""Moments in time order, by day, around one that keeps its place on the screen."""

from __future__ import annotations

import sys
from collections.abc import Hashable, Iterable, Sequence

from textual.content import Content

from store import ListRow, Scope

from ..lists.grouped import GroupedList
from ..protocol import browser
from ..text.ages import day
from ..text.content import DIM, plain
from .moments import Blank, Day, Moment, Origins, Row, moment_row, timeline_rows
from .view import TimelineView, WindowSize

SCOPES: tuple[Scope, ...] = ("session", "project", "all")


class TimelineList(GroupedList[Row]):
    """The cursor passes over the lines that aren't moments."""

    _origins = Origins()

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(_key, id=id)

    @property
    def row(self) -> ListRow | None:
        """The row under the cursor."""
        return moment.row if isinstance(moment := self.current, Moment) else None

    def is_item(self, row: Row) -> bool:
        return isinstance(row, Moment)

    def is_heading(self, row: Row) -> bool:
        return isinstance(row, Day)

    async def show(
        self, rows: Sequence[Row], *, scope: Scope, hold: bool = False, fill: bool = False
    ) -> None:
        """Show other rows, with the anchor under the cursor, in the middle of as many as fit.

        With `hold` the anchor keeps its line of the screen, blank rows filling what is missing,
        and the cursor its moment; where no anchor is in view, the cursor keeps its line. With `fill`
        the anchor gives way before lines stay blank at one end and rows out of view at the other.
        """
        self._origins = Origins.of(rows, scope)
        anchor = next((at for at, row in enumerate(rows) if _is_anchor(row)), None)
        held = self._anchor_line() if hold else None
        if anchor is None or (hold and held is None):
            await self.set_rows(rows, hold=hold)
            return
        height = max(1, self.size.height)
        line = min(anchor, height // 2) if held is None else held
        if fill or held is None:
            line = _filling(line, anchor, len(rows), height)
        selected = self.row if hold else None
        items: list[Row] = [Blank()] * (line - anchor) + [*rows]
        top = max(0, anchor - line)
        items += [Blank()] * (top + height - len(items)) if top else []
        await self.set_rows(items)
        # Rows in memory come without a wait, so nothing is painted before all is in its place.
        await self._pages.load(top, top + height)
        in_view = range(top, min(top + height, len(items)))
        self.cursor = _nearest(items, in_view, selected) if selected else top + line
        self.scroll_to(y=top, animate=False, force=True)

    def render_row(self, item: Row, width: int, selected: bool) -> list[Content]:
        match item:
            case Day(at):
                return [plain(day(at, browser(self).now()), DIM)]
            case Moment():
                return [moment_row(item, self._origins, width, selected)]
        return [Content()]

    def _anchor_line(self) -> int | None:
        """The line of the screen on which the anchor is; None when it is out of view."""
        top = self.scroll_offset.y
        in_view = self.rows[top : top + self.size.height]
        return next((line for line, row in enumerate(in_view) if _is_anchor(row)), None)


def _key(row: Row) -> Hashable:
    return (row.row.ref, row.row.document_id) if isinstance(row, Moment) else row


def _is_anchor(row: Row) -> bool:
    return isinstance(row, Moment) and row.anchor


def _filling(line: int, anchor: int, rows: int, height: int) -> int:
    """The line nearest to `line` for an anchor at that index of so many rows, so that no line of
    the screen stays blank at one end while a row is out of view at the other."""
    first_row_at_top, last_row_at_bottom = anchor, anchor + height - rows
    least, most = sorted((first_row_at_top, last_row_at_bottom))
    return max(least, min(line, most))


def _nearest(rows: Sequence[Row], among: Iterable[int], selected: ListRow) -> int:
    """Return which of these indexes has the moment of a list row, or the nearest to it in time."""

    def distance(at: int) -> tuple[int, bool]:
        moment = rows[at]
        if not isinstance(moment, Moment):
            return sys.maxsize, True
        distance = abs(moment.row.created_at - selected.created_at)
        return distance, moment.row.ref != selected.ref

    return min(among, key=distance)


class TimelinePane(TimelineList):
    """A timeline list with its window in its title."""

    window_size = WindowSize.for_minutes(30)
    scope: Scope = "session"

    def on_mount(self) -> None:
        self._entitle()

    def step_window(self, steps: int) -> None:
        """Look further (1) or less far (-1); what is shown follows with the next `show_view`."""
        self.window_size = self.window_size.wider() if steps > 0 else self.window_size.narrower()
        self._entitle()

    def step_scope(self) -> None:
        """Step from the session to its project, to everything, and to the session again."""
        self.scope = SCOPES[(SCOPES.index(self.scope) + 1) % len(SCOPES)]
        self._entitle()

    async def show_view(self, found: TimelineView, *, hold: bool = False) -> None:
        """Show a window; with `hold` its anchor stays on its line."""
        window = found.window
        moments = list(timeline_rows(window.rows, found.sessions, window.anchor))
        await self.show(moments, scope=window.scope, hold=hold)

    async def show_nothing(self) -> None:
        """Show no row."""
        await self.show([], scope=self.scope)

    def _entitle(self) -> None:
        self.border_title = f"timeline {self.window_size.label} · {self.scope}"
