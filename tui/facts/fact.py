"""One fact, and the memories it rests on."""

from __future__ import annotations

from typing import ClassVar

from textual import events, getters, on, work
from textual.app import ComposeResult
from textual.binding import BindingType

from memtui.store import ListRow, ref
from memtui.store.translation import N_

from ..timeline.lists import TimelineList
from ..timeline.moments import Moment
from .panes import FactPane
from .superseding_screen import SUPERSEDE, SupersedingScreen
from .view import fact_view


class FactScreen(SupersedingScreen):
    """The fact with this number."""

    CSS_PATH = "fact.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [SUPERSEDE]
    place = N_("Fact")

    pane = getters.query_one(FactPane)

    def __init__(self, fact_id: int) -> None:
        super().__init__()
        self._fact_id = fact_id

    @property
    def facts_chosen(self) -> tuple[str, ...]:
        return (ref("fact", self._fact_id),)

    @property
    def row(self) -> ListRow | None:
        return self.pane.row if self.is_mounted else None

    @property
    def added(self) -> tuple[str, str]:
        row = self.row
        return "fact", row.project if row is not None else ""

    def body(self) -> ComposeResult:
        yield FactPane()

    def on_mount(self) -> None:
        self._load()

    def store_changed(self) -> None:
        self._load(hold=True)

    @on(events.DescendantFocus)
    @on(TimelineList.Highlighted)
    def _select(self) -> None:
        if self.is_current:
            self.browser.selection = self.row

    @on(TimelineList.Selected)
    def _open(self, message: TimelineList.Selected) -> None:
        match message.item:
            case Moment(row, session) if not self.pane.is_line(row):
                self.browser.show_memory(row, session)
            case Moment(_, session) if session is not None:
                self.browser.show_session(session.id)

    @work(exclusive=True, group="fact")
    async def _load(self, hold: bool = False) -> None:
        has_marks = self.browser.team_marks.is_on
        view = await self.browser.side.run(
            lambda store: fact_view(store, self._fact_id, has_marks=has_marks)
        )
        await self.pane.show(view, self.browser.now(), hold=hold)
        if not hold:
            (self.pane.evidence if view.evidence else self.pane.text).focus()
