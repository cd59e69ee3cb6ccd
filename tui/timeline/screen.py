"""The timeline: what happened around a moment, the whole screen high."""

from __future__ import annotations

from typing import ClassVar

from textual import getters, on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.widgets import Static

from store import ListRow, Query, Scope

from ..bindings import key
from ..memory.screen import Detail
from ..screen import MemScreen
from .header import WindowLines
from .lists import TimelinePane
from .moments import Moment, timeline_rows
from .view import WindowSize, timeline_view

EMPTY = """\
There are no memories yet, so there is nothing to put in order.

mem add "What I learned"   stores one
mem import                 brings in what your agents remember already
memtui --demo              shows a made-up memory to look around in"""


class TimelineScreen(MemScreen):
    """Around `anchor`; without one, around what was selected when its mode was last entered."""

    CSS_PATH = "screen.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        key(
            "left_square_bracket",
            "resize_window(-1)",
            "Window",
            "Less far",
            "timeline.narrower",
            display="[ ]",
        ),
        key(
            "right_square_bracket",
            "resize_window(1)",
            "Window",
            "Further",
            "timeline.wider",
            show=False,
        ),
        key("s", "scope", "Scope", "Its session, its project, or everything", "timeline.scope"),
        key(
            "J", "step(1)", "Anchor", "Around the next observation", "timeline.later", display="J K"
        ),
        key("K", "step(-1)", "Anchor", "Around the one before", "timeline.earlier", show=False),
    ]

    place = "Timeline"
    mode = "timeline"

    lines = getters.query_one(WindowLines)
    pane = getters.query_one(TimelinePane)
    detail = getters.query_one(Detail)

    def __init__(
        self, anchor: ListRow | None = None, minutes: float = 120, scope: Scope = "project"
    ) -> None:
        super().__init__()
        self._anchor = anchor
        self._follows_selection = anchor is None
        self._was_left = False
        self._steps = 0
        self._minutes = minutes
        self._scope = scope

    def body(self) -> ComposeResult:
        yield WindowLines()
        with Horizontal():
            yield TimelinePane()
            yield Detail()
        yield Static(EMPTY, id="empty", markup=False)

    @property
    def row(self) -> ListRow | None:
        return self.pane.row if self.is_mounted else None

    def on_mount(self) -> None:
        self._anchor = self._anchor or self.browser.selection
        self.pane.window_size, self.pane.scope = WindowSize.for_minutes(self._minutes), self._scope
        self._load()

    def on_screen_suspend(self) -> None:
        self._was_left = self.app.current_mode != self.mode

    def on_screen_resume(self) -> None:
        chosen = self.browser.selection
        if self._follows_selection and self._was_left and chosen != self.row:
            self._anchor = chosen
            self._load()
        self._was_left = False

    def store_changed(self) -> None:
        self._load(hold=True)

    def action_resize_window(self, steps: int) -> None:
        """Look further, or less far, around the same anchor."""
        self.pane.step_window(steps)
        self._load(hold=True, fill=steps > 0)

    def action_scope(self) -> None:
        """What happened in the anchor's session, in its project, or anywhere."""
        self.pane.step_scope()
        self._load(hold=True, fill=True)

    def action_step(self, step: int) -> None:
        """Make a later or earlier observation the anchor."""
        self._steps += step
        self._load()

    def action_timeline(self) -> None:
        """The same view around the selected moment, on a screen of its own."""
        if self.row is not None and self.row != self._anchor:
            pane = self.pane
            self.app.push_screen(TimelineScreen(self.row, pane.window_size.minutes, pane.scope))

    @on(TimelinePane.Highlighted)
    def _select(self, message: TimelinePane.Highlighted) -> None:
        if self.is_current and isinstance(message.item, Moment):
            self.browser.selection = message.item.row
            self._read(message.item)

    @on(TimelinePane.Selected)
    def _open(self, message: TimelinePane.Selected) -> None:
        match message.item:
            case Moment(row, session):
                self.browser.show_memory(row, session)

    @work(exclusive=True, group="timeline")
    async def _load(self, hold: bool = False, fill: bool = False) -> None:
        anchor, steps, pane = self._anchor, self._steps, self.pane
        minutes, scope = pane.window_size.minutes, pane.scope
        found = await self.browser.reader.run(
            lambda store: timeline_view(store, anchor, steps=steps, minutes=minutes, scope=scope)
        )
        # Not sooner: a key pressed meanwhile cancels this, and its steps are still to be made.
        self._steps = 0
        self.set_class(found is None, "-empty")
        if found is not None:
            self._anchor, window = found.anchor, found.window
            self.lines.show(found, pane.window_size, self.browser.now())
            moments = list(timeline_rows(window.rows, found.sessions, window.anchor))
            await pane.show(moments, scope=window.scope, hold=hold, fill=fill)

    @work(exclusive=True, group="detail")
    async def _read(self, moment: Moment) -> None:
        record = await self.browser.side.run(lambda store: store.record_of(moment.row))
        self.detail.show_record(record, moment.row, moment.session, Query(), self.browser.now())
