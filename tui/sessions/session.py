"""One session: what it came to, what was asked and learned in it, and the files it touched."""

from __future__ import annotations

from typing import ClassVar

from textual import getters, on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Vertical
from textual.widgets import ContentSwitcher

from store import ListRow

from ..bindings import key
from ..lists.paged_list import PagedList
from ..lists.provider import ListProvider
from ..parts.headings import TabLine
from ..screen import MemScreen
from ..text.queries import filter_for
from ..timeline.lists import TimelineList
from ..timeline.moments import Moment, timeline_rows
from .lists import FileList
from .panes import SessionHead, SummaryCard
from .view import FileUse, SessionView, session_view

KINDS = {
    "Prompts": ("prompt",),
    "Observations": ("observation",),
    "Timeline": ("prompt", "observation", "summary"),
}
FILES = "Files"


class SessionScreen(MemScreen):
    """The session with this number."""

    CSS_PATH = "session.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        key("right,l", "tab(1)", "Tabs", "The next tab", "session.next-tab", display="← →"),
        key("left,h", "tab(-1)", "Tabs", "The tab before", "session.previous-tab", show=False),
        key(
            "less_than_sign",
            "summary(-1)",
            "Summaries",
            "The one before",
            "session.older",
            display="< >",
        ),
        key(
            "greater_than_sign",
            "summary(1)",
            "Summaries",
            "The next one",
            "session.newer",
            show=False,
        ),
    ]

    AUTO_FOCUS = "TimelineList"

    place = "Session"

    head = getters.query_one(SessionHead)
    card = getters.query_one(SummaryCard)
    tabs = getters.query_one(TabLine)
    switcher = getters.query_one(ContentSwitcher)
    files = getters.query_one(FileList)

    def __init__(self, session_id: int) -> None:
        super().__init__()
        self._session_id = session_id
        self._view: SessionView | None = None
        self._summary = -1

    def body(self) -> ComposeResult:
        yield SessionHead()
        with Container(id="session"):
            yield SummaryCard()
            with Vertical():
                yield TabLine(*KINDS, FILES)
                with ContentSwitcher(initial="Prompts"):
                    for tab in KINDS:
                        yield TimelineList(id=tab)
                    yield FileList(id=FILES)

    @property
    def row(self) -> ListRow | None:
        shown = self.switcher.visible_content if self.is_mounted else None
        return shown.row if isinstance(shown, TimelineList) else None

    def on_mount(self) -> None:
        self._load()

    def store_changed(self) -> None:
        self._load(hold=True)

    def action_tab(self, step: int) -> None:
        """The prompts, the observations, all in time order, or the files."""
        self.tabs.step(step)

    def action_summary(self, step: int) -> None:
        """An older or newer summary of the session."""
        if self._view is not None:
            self._summary += step
            self._show_summary(self._view)
            self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "summary":
            place = self._summary + (1 if 1 in parameters else -1)
            return self._view is not None and 0 <= place < len(self._view.summaries)
        return super().check_action(action, parameters)

    @on(TabLine.Changed)
    def _switch(self, message: TabLine.Changed) -> None:
        self.switcher.current = message.name
        self.query_one(f"#{message.name}").focus()
        self._select()
        self.refresh_bindings()

    @on(TimelineList.Highlighted)
    def _select(self) -> None:
        if self.is_current and (row := self.row):
            self.browser.selection = row

    @on(PagedList.Selected)
    async def _open(self, message: PagedList.Selected) -> None:
        match message.item:
            case Moment(row, session):
                self.browser.show_memory(row, session)
            case FileUse(path) if query := filter_for("file", path):
                await self.browser.show_search(query)

    @work(exclusive=True, group="session")
    async def _load(self, hold: bool = False) -> None:
        view = await self.browser.reader.run(lambda store: session_view(store, self._session_id))
        if self._view is None or not self._view.summaries:
            self._summary = len(view.summaries) - 1
        self._view = view
        self.head.show(view, self.browser.now())
        self._show_summary(view, hold=hold)
        await self._show_tabs(view, hold=hold)
        self.refresh_bindings()

    async def _show_tabs(self, view: SessionView, hold: bool) -> None:
        session = {view.row.session.id: view.row.session}
        counts = {FILES: len(view.files)}
        for tab, kinds in KINDS.items():
            rows = [row for row in view.rows if row.kind in kinds]
            counts[tab] = len(rows)
            shown = self.query_one(f"#{tab}", TimelineList)
            await shown.show(list(timeline_rows(rows, session)), scope="session", hold=hold)
        keep = self.files.key if hold else None
        await self.files.set_provider(ListProvider(view.files), keep=keep)
        self.tabs.counts = counts
        if not hold:
            self.tabs.current = next(
                (at for at, tab in enumerate(self.tabs.names) if counts[tab]), 0
            )

    def _show_summary(self, view: SessionView, hold: bool = False) -> None:
        self.set_class(bool(view.summaries), "-summary")
        if view.summaries:
            self.card.show_one(view.summaries, self._summary, self.browser.now(), hold=hold)
        else:
            self.card.show_none(view.row.session)
