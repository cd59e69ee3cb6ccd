"""Moments in time order, by day, around one that keeps its place on the screen; how far they reach to
either side, and what is asked of the store for them, in one go."""

from __future__ import annotations

import sys
from bisect import bisect_left
from collections.abc import Container, Hashable, Iterable, Sequence
from dataclasses import dataclass

from textual.content import Content
from textual.geometry import Region
from textual.strip import Strip

from memtui.store import ListRow, Scope, Store, Window
from memtui.store.platform.translation import N_, _

from ..lists.grouped import GroupedList
from ..protocol import browser
from ..text.ages import day
from ..text.content import DIM, plain
from ..text.records import short_id
from .moments import (
    COLOURS,
    Blank,
    Day,
    Moment,
    NamedSession,
    Rails,
    Row,
    lanes_for,
    moment_row,
    rails,
    timeline_rows,
)

NEAREST = 500
_HOUR = 60
_DAY = 24 * _HOUR
_YEAR = 365 * _DAY


@dataclass(frozen=True, slots=True)
class WindowSize:
    """How many minutes a window reaches before and after its anchor, and its name, `±2h`."""

    minutes: float
    label: str

    @property
    def in_days(self) -> bool:
        """Whether its ends are labelled with their day rather than with their time of day."""
        return self.minutes >= _DAY

    @classmethod
    def for_minutes(cls, minutes: float) -> WindowSize:
        """Return the smallest size that shows so many minutes; the largest where none does."""
        place = bisect_left(LADDER, minutes, key=lambda size: size.minutes)
        return LADDER[min(place, len(LADDER) - 1)]

    @classmethod
    def named(cls, name: str) -> WindowSize:
        """Return the size that the settings call so, `2h` for `±2h`."""
        return next(size for size in LADDER if size.label == f"±{name}")

    def wider(self) -> WindowSize:
        """Return the next larger size; the largest returns itself."""
        return LADDER[min(LADDER.index(self) + 1, len(LADDER) - 1)]

    def narrower(self) -> WindowSize:
        """Return the next smaller size; the smallest returns itself."""
        return LADDER[max(LADDER.index(self) - 1, 0)]


LADDER = (
    WindowSize(1, N_("±1m")),
    WindowSize(5, N_("±5m")),
    WindowSize(15, N_("±15m")),
    WindowSize(30, N_("±30m")),
    WindowSize(_HOUR, N_("±1h")),
    WindowSize(2 * _HOUR, N_("±2h")),
    WindowSize(6 * _HOUR, N_("±6h")),
    WindowSize(12 * _HOUR, N_("±12h")),
    WindowSize(_DAY, N_("±1d")),
    WindowSize(3 * _DAY, N_("±3d")),
    WindowSize(7 * _DAY, N_("±1w")),
    WindowSize(30 * _DAY, N_("±1mo")),
    WindowSize(91 * _DAY, N_("±3mo")),
    WindowSize(_YEAR, N_("±1y")),
    WindowSize(3 * _YEAR, N_("±3y")),
    WindowSize(10 * _YEAR, N_("±10y")),
)
USUAL = WindowSize.named("2h")


@dataclass(frozen=True, slots=True)
class TimelineView:
    """An anchor, what happened around it, and the sessions of all that by their ids."""

    anchor: ListRow
    window: Window
    sessions: dict[int, NamedSession]

    @property
    def extent(self) -> str:
        """Of what the window is, and how much of it there is, in words."""
        window, anchor = self.window, self.anchor
        own = self.sessions.get(anchor.session_id or 0)
        of = {
            "session": _("session {id}", id=short_id(own.session)) if own else _("no session"),
            "project": _("project {name}", name=anchor.project) if anchor.project else _("no project"),
            "all": _("everything"),
        }
        many = str(len(window.rows))
        if window.truncated:
            many = _("nearest {count} shown", count=many)
        return f"{of[window.scope]} · {many}"


def timeline_view(
    store: Store, anchor: ListRow | None, *, steps: int = 0, minutes: float, scope: Scope
) -> TimelineView | None:
    """Return what happened around an anchor, or around the observation so many steps later.

    Without an anchor it is the newest memory; None when there is none at all.
    """
    if anchor is None:
        newest = store.find("").rows(0, 1)
        if not newest:
            return None
        anchor = newest[0]
    if steps:
        anchor = store.neighbour(anchor, steps, scope) or anchor
    # As it is now: it may have been pinned, edited or deleted since it was selected.
    anchor = store.list_row(store.record_of(anchor))
    window = store.timeline(anchor, minutes=minutes, scope=scope, limit=NEAREST)
    return TimelineView(anchor, window, sessions_of(store, window.rows))


def filling_size(store: Store, anchor: ListRow, scope: Scope, rows: int) -> WindowSize:
    """Return the smallest size, of two hours at least, whose window holds so many rows, or all of them."""
    near = store.timeline(anchor, minutes=LADDER[-1].minutes, scope=scope, limit=2 * rows).rows
    far = sorted(abs(row.created_at - anchor.created_at) for row in near)[:rows]
    return WindowSize.for_minutes(max(USUAL.minutes, far[-1] / 60_000))


def sessions_of(store: Store, rows: Iterable[ListRow]) -> dict[int, NamedSession]:
    """Return the sessions that rows belong to, by their ids."""
    ids = {row.session_id for row in rows if row.session_id is not None}
    titles = store.sessions.titles(ids)
    return {session.id: NamedSession(session, titles[session.id]) for session in store.sessions.by_ids(ids)}


SCOPES: dict[Scope, str] = {"session": _("session"), "project": _("project"), "all": _("all")}
"""What each is called, in the order that a key steps through them."""


class TimelineList(GroupedList[Row]):
    """The cursor passes over the lines that aren't moments."""

    may_have_marks = True
    unmarkable: Container[int] = ()
    """The document ids of rows that are no memories of their own."""

    _shown_scope: Scope | None = None

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(_key, id=id)
        self._railed: Sequence[Row] | None = None
        self._lanes = 0
        self._rails = Rails()
        self._places: dict[Hashable, int] = {}
        self._named: frozenset[int] = frozenset()

    @property
    def row(self) -> ListRow | None:
        """The row under the cursor."""
        return moment.row if isinstance(moment := self.current, Moment) else None

    def is_item(self, row: Row) -> bool:
        return isinstance(row, Moment)

    def ref_of(self, item: Row) -> str | None:
        if isinstance(item, Moment) and item.row.document_id not in self.unmarkable:
            return item.row.ref
        return None

    def title_of(self, item: Row) -> str:
        return item.row.title if isinstance(item, Moment) else ""

    def shared_ref_of(self, item: Row) -> str | None:
        return item.row.ref if isinstance(item, Moment) else None

    def is_heading(self, row: Row) -> bool:
        return isinstance(row, Day)

    async def show(
        self, rows: Sequence[Row], *, scope: Scope, hold: bool = False, fill: bool = False
    ) -> None:
        """Show other rows, with the anchor under the cursor, in the middle of as many as fit.

        With `hold` the anchor keeps its line of the screen, blank rows filling what is missing,
        and the cursor its moment; where no anchor is in view, the cursor keeps its line. With `fill`
        the anchor gives way before lines stay blank at one end and rows out of view at the other.
        Rows of another scope than before begin at the top, where all of them fit.
        """
        is_other_scope, self._shown_scope = scope != self._shown_scope, scope
        anchor = next((at for at, row in enumerate(rows) if _is_anchor(row)), None)
        held = self._anchor_line() if hold else None
        if anchor is None or (hold and held is None):
            await self.set_rows(rows, hold=hold)
            return
        height = max(1, self.size.height)
        line = min(anchor, height // 2) if held is None else held
        if is_other_scope and len(rows) <= height:
            line = anchor
        elif fill or held is None:
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

    async def move_to_ref(self, ref: str) -> bool:
        """Select the moment of a memory, if it is here; return whether it is."""
        return await self.move_to(lambda row: isinstance(row, Moment) and row.row.ref == ref)

    def render_row(self, item: Row, width: int, selected: bool) -> list[Content]:
        match item:
            case Day(at):
                return [plain(day(at, browser(self).now()), DIM)]
            case Moment():
                self._lay_rails()
                place = self._places[_key(item)]
                named_in = self._shown_scope if place in self._named else None
                return [moment_row(item, width, selected, self._rails.lanes[place], named_in, self.shared)]
        return [Content()]

    def render_lines(self, crop: Region) -> list[Strip]:
        # A session is named in the first of its rows that is in view.
        self._lay_rails()
        named = self._rows_to_name()
        for index in named ^ self._named:
            self.forget_row(index)
        self._named = named
        return super().render_lines(crop)

    def _lay_rails(self) -> None:
        """Lay the rails of the rows, as many as there is room for; none where all are of one session."""
        rows = self.rows
        lanes = 0 if self._shown_scope == "session" else lanes_for(self.size.width)
        if self._railed is rows and self._lanes == lanes:
            return
        self._railed, self._lanes = rows, lanes
        self._places = {_key(row): at for at, row in enumerate(rows)}
        sessions = [row.row.session_id if isinstance(row, Moment) else None for row in rows]
        if self._shown_scope == "session":
            sessions = [None] * len(rows)
        self._rails = rails(sessions, lanes, len(COLOURS))

    def _rows_to_name(self) -> frozenset[int]:
        """The rows in view that are the first ones there of their stretch of a session, or of none."""
        first = self.first_row
        seen: dict[object, int] = {}
        for place in range(first, min(first + self.size.height, len(self.rows))):
            if isinstance(row := self.rows[place], Moment):
                seen.setdefault(self._rails.stretches[place] or row.row.project, place)
        return frozenset(seen.values())

    def _anchor_line(self) -> int | None:
        """The line of the screen on which the anchor is; None when it is out of view."""
        top = self.scroll_offset.y
        in_view = self.rows[top : top + self.size.height]
        return next((line for line, row in enumerate(in_view) if _is_anchor(row)), None)


class TimelinePane(TimelineList):
    """A timeline list with its window in its title."""

    window_size = WindowSize.for_minutes(30)
    scope: Scope = "session"
    extent = ""
    """What the title says of the rows beside the window's size; where `` their scope and how many."""

    newest_is_last = True

    def on_mount(self) -> None:
        self.count_items()

    def step_window(self, steps: int) -> None:
        """Look further (1) or less far (-1); what is shown follows with the next `show_view`."""
        self.window_size = self.window_size.wider() if steps > 0 else self.window_size.narrower()
        self.count_items()

    def step_scope(self) -> None:
        """Step from the session to its project, to everything, and to the session again."""
        scopes = [*SCOPES]
        self.scope = scopes[(scopes.index(self.scope) + 1) % len(scopes)]
        self.count_items()

    async def show_view(self, view: TimelineView, *, hold: bool = False, fill: bool = False) -> None:
        """Show a window, with `hold` and `fill` as `show` has them."""
        window = view.window
        moments = list(timeline_rows(window.rows, view.sessions, window.anchor))
        await self.show(moments, scope=window.scope, hold=hold, fill=fill)

    async def show_nothing(self) -> None:
        """Show no row."""
        await self.show([], scope=self.scope)

    def count_items(self) -> None:
        extent = self.extent or f"{SCOPES[self.scope]} · {self.how_many:,}"
        self.entitle(_("Timeline"), f"{_(self.window_size.label)} · {extent}")


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
