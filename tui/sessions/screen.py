"""The sessions: every working session of every agent, newest first."""

from __future__ import annotations

from typing import ClassVar

from textual import getters, on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Static

from ..bindings import key
from ..lists.choose import EVERYTHING, Choice, ChooseScreen
from ..parts.headings import Heading
from ..screen import MemScreen
from ..text.content import DIM, plain
from .lists import SessionList, SessionProvider
from .session import SessionScreen

EMPTY = """\
No session has been recorded yet. An agent's hooks record one each time it works:

mem install claude-code      hooks an agent up; so do 5 and then i
mem import                   brings in the sessions that are on this machine already
mem session start            begins one by hand"""


class SessionsScreen(MemScreen):
    """All of them, or those of one project or agent."""

    CSS_PATH = "screen.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        key(
            "f,slash",
            "choose",
            "Filter",
            "Only those of one project, or of one agent",
            "sessions.filter",
        ),
    ]

    place = "Sessions"
    mode = "sessions"
    has_rows = False

    sessions = getters.query_one(SessionList)
    heading = getters.query_one(Heading)

    def __init__(self) -> None:
        super().__init__()
        self._choice = EVERYTHING

    def body(self) -> ComposeResult:
        yield Heading()
        yield SessionList(self.browser.now)
        yield Static(EMPTY, id="empty", markup=False)

    def on_mount(self) -> None:
        self._load()

    def store_changed(self) -> None:
        self._load(hold=True)

    def action_choose(self) -> None:
        """Narrow the list to a project or an agent."""
        self.app.push_screen(ChooseScreen(self._choice), self._narrow)

    def _narrow(self, choice: Choice | None) -> None:
        if choice is not None and choice != self._choice:
            self._choice = choice
            self._load()

    @on(SessionList.Selected)
    def _open(self, message: SessionList.Selected) -> None:
        self.app.push_screen(SessionScreen(message.item.session.id))

    @work(exclusive=True, group="sessions")
    async def _load(self, hold: bool = False) -> None:
        choice = self._choice
        provider = SessionProvider(self.browser.reader, choice.project, choice.agent)
        self.sessions.one_project = choice.project is not None
        await self.sessions.set_provider(provider, keep=self.sessions.key if hold else None)
        total = await self.browser.side.run(lambda store: store.sessions.count())
        self.set_class(not total, "-empty")
        chosen = plain(choice.name, "bold") if choice.name else Content("all")
        self.heading.left = Content.assemble(("sessions · ", DIM), chosen)
        self.heading.right = plain(f"{self.sessions.count:,} of {total:,}", DIM)
