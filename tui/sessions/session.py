"""One session: what it came to, what was asked and learned in it, and the files it touched."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from textual import getters, on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.widget import Widget
from textual.widgets import ContentSwitcher

from memtui.store import ListRow

from ..keys.bindings import RESUME, key
from ..lists.paged_list import PagedList
from ..lists.provider import ListProvider
from ..parts.headings import TabLine
from ..parts.prompt_line import PromptInput
from ..parts.split import Split
from ..screen import MemScreen
from ..text.queries import filter_for
from ..timeline.lists import TimelineList
from ..timeline.moments import Moment, NamedSession, timeline_rows
from .lists import FileList
from .panes import SessionHead, SummaryCard
from .view import FileUse, SessionView, session_view

if TYPE_CHECKING:
    from ..finding.targets import Target

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
        key("right", "tab(1)", "Tabs", "The next tab", "session.next-tab", display="← →"),
        key("left", "tab(-1)", "Tabs", "The tab before", "session.previous-tab", show=False),
        key(
            "less_than_sign",
            "summary(-1)",
            "Summaries",
            "The summary before",
            "session.older",
            display="< >",
        ),
        key(
            "greater_than_sign",
            "summary(1)",
            "Summaries",
            "The next summary",
            "session.newer",
            show=False,
        ),
        key("f", "file_memories", "Memories", "All memories that name this file", "session.file"),
        replace(RESUME, show=True),
    ]

    AUTO_FOCUS = "TimelineList"

    place = "Session"
    command = "session show {session}"

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
        with Split("session", is_column=True, id="session"):
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

    @property
    def selected_file(self) -> FileUse | None:
        """The file under the cursor; None in other tabs."""
        in_front = self.is_mounted and self.switcher.visible_content is self.files
        return self.files.item if in_front else None

    @property
    def selected_path(self) -> str:
        return self.selected_file.path if self.selected_file is not None else ""

    @property
    def edited(self) -> str | None:
        """The summary while its card has the focus, the session where no memory is selected."""
        if self.is_mounted and self.card.has_focus and self.card.summary is not None:
            return f"s{self.card.summary.id}"
        return super().edited or f"@{self._session_id}"

    @property
    def added(self) -> tuple[str, str]:
        return "observation", self._view.row.session.project if self._view is not None else ""

    @property
    def list_in_front(self) -> Widget | None:
        return self.switcher.visible_content

    async def show_ref(self, ref: str) -> bool:
        """Select a memory, in the tab that is shown if it is there, else in another; return whether it is
        in any."""
        shown = self.switcher.current
        for at in sorted(range(len(KINDS)), key=lambda at: self.tabs.names[at] != shown):
            rows = self.query_one(f"#{self.tabs.names[at]}", TimelineList)
            if await rows.move_to_ref(ref):
                self.tabs.current = at
                return True
        return False

    def find_target(self, told: Callable[[str, bool], None]) -> Target | None:
        from .find import InSession

        selected = self.row.ref if self.row is not None else None
        return InSession(self, self.browser.reader, self._session_id, selected, told)

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

    async def action_file_memories(self) -> None:
        """All memories that name the selected file, in a search."""
        if query := filter_for("file", self.selected_path):
            await self.browser.show_search(query)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "session":
            return False
        if action == "file_memories":
            return bool(filter_for("file", self.selected_path))
        if action == "summary":
            place = self._summary + (1 if 1 in parameters else -1)
            return self._view is not None and 0 <= place < len(self._view.summaries)
        return super().check_action(action, parameters)

    @on(TabLine.Changed)
    def _switch(self, message: TabLine.Changed) -> None:
        self.switcher.current = message.name
        if not isinstance(self.focused, PromptInput):
            self.query_one(f"#{message.name}").focus()
        self._select()
        self.refresh_bindings()

    @on(TimelineList.Highlighted)
    def _select(self) -> None:
        if self.is_current and (row := self.row):
            self.browser.selection = row

    @on(PagedList.Selected)
    def _open(self, message: PagedList.Selected) -> None:
        match message.item:
            case Moment(row, session):
                self.browser.show_memory(row, session)
            case FileUse():
                self.action_open()

    @work(exclusive=True, group="session")
    async def _load(self, hold: bool = False) -> None:
        view = await self.browser.reader.run(lambda store: session_view(store, self._session_id))
        if self._view is None or not self._view.summaries:
            self._summary = len(view.summaries) - 1
        self._view = view
        self.head.show(view, self.browser.now())
        self._show_summary(view, hold=hold)
        await self._show_tabs(view, hold=hold)
        await self.show_sought()
        self.refresh_bindings()

    async def move_selection(self, ref: str, row: ListRow | None) -> None:  # noqa: ARG002
        if isinstance(shown := self.switcher.visible_content, TimelineList):
            await shown.move_to_ref(ref)

    async def _show_tabs(self, view: SessionView, hold: bool) -> None:
        row = view.row
        session = {row.session.id: NamedSession(row.session, row.title)}
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
        if view.summaries:
            self.card.show_one(view.summaries, self._summary, self.browser.now(), hold=hold)
        else:
            self.card.show_none(view.row.session)
