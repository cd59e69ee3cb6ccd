"""One memory in full, and under it what happened around it."""

from __future__ import annotations

from collections.abc import Sequence

from textual import getters, on, work
from textual.app import ComposeResult

from memtui.store import ListRow, NotFoundError, Query, Record, Scope, Store
from memtui.store.platform.translation import _

from ..memory.screen import Detail
from ..parts.split import Split
from ..protocol import Browser
from ..text.content import Passage
from ..text.records import Surroundings
from ..timeline.lists import TimelinePane
from ..timeline.moments import Moment
from ..timeline.view import TimelineView, timeline_view


class Reading(Split):
    """Shows a row from the store; of many asked for at once only the last is read."""

    DEFAULT_CSS = "Reading { layout: vertical; }"

    detail = getters.query_one(Detail)
    pane = getters.query_one(TimelinePane)

    def __init__(self, browser: Browser, *, id: str | None = None) -> None:
        super().__init__("search-timeline", is_column=True, id=id)
        self._browser = browser
        self._anchor: ListRow | None = None
        self._asked: ListRow | None = None
        self._is_placed = False
        """Whether the timeline shows the time around the anchor by now."""
        self._query = Query()

    @property
    def row(self) -> ListRow | None:
        """What is shown, or will be as soon as it is read; None when nothing is."""
        under_cursor = self.pane.row if self.pane.has_focus else None
        return under_cursor or self._asked

    def compose(self) -> ComposeResult:
        yield Detail()
        yield TimelinePane()

    def on_mount(self) -> None:
        self.detail.entitle(_("Memory"))

    def on_show(self) -> None:
        # What was shown while there was no room for it was put in its place blindly.
        if self._anchor is not None:
            self._read(self._anchor)

    def show(self, row: ListRow, query: Query) -> None:
        """Show a row with the query's matches highlighted, and the time around it."""
        self._query = query
        self._read(row)

    def show_again(self) -> None:
        """Show what was written meanwhile, with everything in its place."""
        if self._anchor is not None:
            self._read(self._anchor, hold=self._is_placed)

    def show_nothing(self) -> None:
        """Nothing is selected."""
        self._anchor = self._asked = None
        self._empty()

    def show_other(self, passages: Sequence[Passage]) -> None:
        """Show what is no memory of the store."""
        self._anchor = self._asked = None
        self._empty(passages)

    @work(group="reading", exclusive=True)
    async def _empty(self, passages: Sequence[Passage] = ()) -> None:
        self.detail.show_nothing()
        if passages:
            self.detail.show_other(passages)
        await self.pane.show_nothing()

    def step_window(self, steps: int) -> None:
        """Let the timeline look further (1) or less far (-1)."""
        self.pane.step_window(steps)
        self.show_again()

    def step_scope(self) -> None:
        """Step the timeline from the session to its project, to everything, and back."""
        self.pane.step_scope()
        self.show_again()

    @on(TimelinePane.Highlighted)
    def _read_along(self, message: TimelinePane.Highlighted) -> None:
        if self.pane.has_focus and isinstance(message.item, Moment):
            self._browser.selection = message.item.row
            self._read(message.item.row, move=False)

    @on(TimelinePane.Selected)
    def _anchor_there(self, message: TimelinePane.Selected) -> None:
        if isinstance(message.item, Moment):
            self._read(message.item.row)

    def _read(self, row: ListRow, *, move: bool = True, hold: bool = False) -> None:
        """Show `row`, and unless `move` is False, the time around it."""
        # A key that follows at once means this row, not the one that is still painted.
        self._asked = row
        if move:
            # What is written meanwhile has this one read again, not the one before.
            self._anchor, self._is_placed = row, hold
        self._read_soon(row, move, hold)

    @work(group="reading", exclusive=True)
    async def _read_soon(self, row: ListRow, move: bool, hold: bool) -> None:
        minutes, scope = self.pane.window_size.minutes, self.pane.scope
        has_marks = self._browser.team_marks.is_on
        try:
            view, record, beside = await self._browser.side.run(
                lambda store: _read(store, row, minutes, scope, has_marks=has_marks)
            )
        except NotFoundError:
            self.show_nothing()
            return
        of = view.sessions.get(view.anchor.session_id or 0)
        session, now = (of.session if of is not None else None), self._browser.now()
        self.detail.show_record(record, view.anchor, session, self._query, now, beside)
        self.screen.refresh_bindings()
        if move:
            self._anchor = view.anchor
            await self.pane.show_view(view, hold=hold)
            self._is_placed = True


def _read(
    store: Store, row: ListRow, minutes: float, scope: Scope, *, has_marks: bool
) -> tuple[TimelineView, Record, Surroundings]:
    view = timeline_view(store, row, minutes=minutes, scope=scope)
    assert view is not None  # There is always something around a row: itself.
    record = store.record_of(view.anchor)
    return view, record, Surroundings.of(store, record, has_marks=has_marks)
