"""The log of contexts: which session was given which memories."""

from __future__ import annotations

from typing import ClassVar

from textual import getters, on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Static

from store.context.log_entries import named_log_entries
from store.text.plural import count_noun

from ..bindings import key
from ..lists.provider import ListProvider
from ..parts.headings import Heading
from ..parts.text_view import TextView
from ..screen import MemScreen
from ..text.content import DIM, plain
from .lists import ContextLogList
from .text import NOTHING_AT_ALL, NOTHING_LOGGED, log_passages, project_name


class ContextLogScreen(MemScreen):
    """A row a session; beside it, where there is room, the memories that the selected one was given."""

    CSS_PATH = "log.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        key("f", "filter", "Filter", "Sessions of this project, or of all", "given.filter"),
    ]

    place = "Given"
    has_rows = False

    heading = getters.query_one(Heading)
    nothing = getters.query_one("#nothing", Static)
    sessions = getters.query_one(ContextLogList)
    view = getters.query_one("#log", TextView)

    def __init__(self, project: str) -> None:
        super().__init__()
        self._project = project
        self._is_of_all = False

    def body(self) -> ComposeResult:
        yield Heading()
        yield Static(id="nothing", markup=False)
        with Horizontal():
            yield ContextLogList(self.browser.now)
            yield TextView(id="log")

    def on_mount(self) -> None:
        self.sessions.focus()
        self._load()

    def store_changed(self) -> None:
        self._load(hold=True)

    def action_back(self) -> None:
        """From one session to the list; from there to the composer."""
        if self.view.has_focus or self.has_class("-open"):
            self.remove_class("-open")
            self.sessions.focus()
        else:
            super().action_back()

    def action_filter(self) -> None:
        """From the sessions of one project to those of all, and back."""
        self._is_of_all = not self._is_of_all
        self._load()

    @on(ContextLogList.Highlighted)
    def _look(self) -> None:
        self._tell()

    @on(ContextLogList.Selected)
    def _open(self) -> None:
        self.add_class("-open")
        self.view.focus()

    @work(exclusive=True, group="log")
    async def _load(self, hold: bool = False) -> None:
        project = None if self._is_of_all else self._project
        found = await self.browser.side.run(lambda store: named_log_entries(store, project))
        self.sessions.one_project = project is not None
        keep = self.sessions.key if hold else None
        await self.sessions.set_provider(ListProvider(found), keep=keep)
        whose = "all projects" if project is None else project_name(project)
        self.heading.left = Content.assemble(("given to sessions of ", DIM), plain(whose, "bold"))
        self.heading.right = plain(count_noun(len(found), "sessions"), DIM)
        nothing = NOTHING_AT_ALL if project is None else NOTHING_LOGGED.format(whose=whose)
        self.nothing.update(plain(nothing, newlines=True))
        self.set_class(not found, "-none")
        self._tell(hold)

    def _tell(self, hold: bool = False) -> None:
        item = self.sessions.item
        self.view.show(list(log_passages(item, self.browser.now())) if item else [], hold=hold)
