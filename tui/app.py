"""The browser: its store, its modes, and what holds on every screen."""

from __future__ import annotations

import gc
from collections.abc import Callable
from pathlib import Path
from time import time
from typing import TYPE_CHECKING, Any, ClassVar

from textual import work
from textual.app import App, SuspendNotSupported
from textual.binding import BindingType
from textual.css.query import NoMatches
from textual.reactive import var
from textual.worker import WorkerFailed

from store import ListRow, Note, Session, Store, StoreError
from store.aio import AsyncStore

from . import bindings, themes
from .ingest import BackgroundIngest
from .modes import MODES
from .protocol import Browser, Capture, Holdings
from .screen import MemScreen
from .search.query_bar import History

if TYPE_CHECKING:
    from textual.command import Provider


LOOK_EVERY = 0.5
INGEST_EVERY = 1.0
FIRST_INGEST = 0.3
"""Seconds after the first paint, with which it must not compete."""
NEXT_SLICE = 0.1

OF_AGENTS = (("agents",), ("queue",), ("composer",))
"""What `go` leads to only in one's own memory."""


def _commands() -> type[Provider]:
    from .commands import MemCommands

    return MemCommands


class MemApp(App[str]):
    """The browser over one memory. It leaves with "demo" when the demo memory was asked for."""

    TITLE = "memtui"
    CSS_PATH = "app.tcss"
    MODES = MODES
    DEFAULT_MODE = "search"
    HORIZONTAL_BREAKPOINTS = [
        (0, "-tiny"),
        (30, "-one"),
        (80, "-two"),
        (120, "-three"),
        (140, "-four"),
    ]
    VERTICAL_BREAKPOINTS = [(0, "-flat"), (8, "-low"), (32, "-tall")]
    BINDINGS: ClassVar[list[BindingType]] = bindings.APP
    COMMANDS: ClassVar[set[Any]] = {_commands}

    selection: var[ListRow | None] = var(None)
    """The row last highlighted on any screen."""
    holdings: var[Holdings | None] = var(None)
    """What the store holds; None until it was asked."""
    capture: var[Capture | None] = var(None)
    """How capture is doing; None until it was asked."""
    version: var[int] = var(0)
    """Changes with every commit to the store, by whomever."""

    unsaved: var[tuple[str, ...]] = var(())
    """The projects whose context was changed in the composer, and isn't saved."""

    reader: AsyncStore
    """For lists and searches."""
    side: AsyncStore
    """For details, timelines and writes, so that none of them waits for a list."""
    counter: AsyncStore
    """For counts, the slowest of all, so that nothing waits for them."""
    history: History
    """The queries used before, on whichever screen."""

    def __init__(
        self,
        path: Path,
        *,
        read_only: bool = False,
        notice: str = "",
        is_demo: bool = False,
        owner: str = "",
        now: Callable[[], int] | None = None,
    ) -> None:
        """`notice` is a sentence that stays on every screen; `owner` is whose memory it is, where it
        is not the user's; `now` gives ms since the epoch."""
        super().__init__()
        self.path = path
        self.read_only = read_only
        self.notice = notice
        self.is_demo = is_demo
        self.owner = owner
        self.animation_level = "none"
        self.now = now or (lambda: int(time() * 1000))
        self._stores: list[AsyncStore] = []
        self._background = BackgroundIngest(path, read_only=read_only)
        self._is_ingesting = False
        self._was_asked = False
        self._trail: list[str] = []
        for theme in themes.THEMES:
            self.register_theme(theme)
        self.theme = themes.preferred()

    async def on_load(self) -> None:
        for _ in range(3):
            self._stores.append(await AsyncStore.open(self.path, read_only=self.read_only))
        self.reader, self.side, self.counter = self._stores
        self.history = await History.load(self.side)
        version = await self.reader.run(lambda store: store.data_version())
        self.set_reactive(MemApp.version, version)

    def on_ready(self) -> None:
        # Off since the start, so that the first paint doesn't wait; what is here now is here to stay.
        gc.freeze()
        # A repaint makes thousands of short-lived objects; collecting so often costs frames.
        gc.set_threshold(50_000, 20, 50)
        gc.enable()
        self.look()
        self.set_interval(LOOK_EVERY, self.look)
        self.set_timer(FIRST_INGEST, self.ingest)
        self.set_interval(INGEST_EVERY, self.ingest)

    async def on_unmount(self) -> None:
        await self._background.close()
        for store in self._stores:
            await store.close()

    @work(group="look", exclusive=True)
    async def look(self) -> None:
        """See whether anything was committed, and let the screen in front show it."""
        version = await self.reader.run(lambda store: store.data_version())
        if version != self.version or self.holdings is None:
            self.holdings = await self.counter.run(_holdings)
            self.version = version

    @work(group="ingest")
    async def ingest(self) -> None:
        """Store what hooks left, and let the header and the agents' screen tell how that goes.

        What was stored shows as another process's write does.
        """
        # Not `exclusive`: that would stop a slice that takes long, again and again.
        if self._is_ingesting:
            return
        self._is_ingesting = True
        try:
            taken = await self._background.look()
        finally:
            self._is_ingesting = False
        self.capture = taken.capture
        if not taken.done:
            self.set_timer(NEXT_SLICE, self.ingest)

    async def write(self, change: Callable[[Store], str | None]) -> None:
        """Do something to the store, tell what it was, and show it at once. Errors are told too."""
        try:
            done = await self.side.run(change)
        except StoreError as error:
            self.notify(str(error), severity="error", markup=False)
            return
        if done:
            self.notify(done, markup=False)
        self.look()

    @work(group="edit", exclusive=True)
    async def edit_note(self, note: Note) -> None:
        """A note in the user's editor; what was changed there is stored, and shows at once. Of a
        memory that is only read no note is opened: it may be the source's own file."""
        from .facts.editor import edited

        if self.read_only:
            return
        file = await self.side.run(lambda store: _file_of(store, note))
        try:
            change = edited(note, file, self.suspend)
        except (OSError, SuspendNotSupported) as error:
            reason = str(error) or "this terminal can't be left for an editor"
            self.notify(f"The note can't be edited: {reason}.", severity="error", markup=False)
            return
        self.refresh()
        await self.write(change)

    def action_go(self, mode: str) -> None:
        """Switch to one of the seven screens, as it was left; within it, to its first screen."""
        if mode == self.current_mode:
            while len(self.screen_stack) > 1:
                self.pop_screen()
            return
        self._trail = [*(past for past in self._trail if past != mode), self.current_mode]
        self.switch_mode(mode)

    def go_back(self) -> None:
        """Return to the screen before: within the mode, else in the mode before."""
        if len(self.screen_stack) > 1:
            self.pop_screen()
        elif self._trail:
            self.switch_mode(self._trail.pop())

    async def action_quit(self) -> None:
        """Leave; where a context isn't saved, when asked twice."""
        if self.unsaved and not self._was_asked:
            from store.text.display import safe

            from .composer.text import project_name

            self._was_asked = True
            names = ", ".join(safe(project_name(name)) for name in self.unsaved)
            told = f"The context of {names} is not saved: 7, then s saves it; q leaves without."
            self.notify(told, severity="warning", markup=False)
            return
        await super().action_quit()

    @work(group="write")
    async def action_undo(self) -> None:
        """Take the newest change of the journal back."""
        await self.write(
            lambda store: f"Undone: {what}." if (what := store.undo()) else "Nothing to undo."
        )

    def action_help(self) -> None:
        """Show all keys of the screen in front."""
        from .help.screen import HelpScreen

        if isinstance(self.screen, MemScreen):
            self.push_screen(HelpScreen(self.screen))

    def show_memory(self, row: ListRow, session: Session | None) -> None:
        """Push a screen with one memory, which belongs to `session`."""
        from .memory.screen import MemoryScreen

        self.push_screen(MemoryScreen(row, session))

    def show_session(self, session_id: int) -> None:
        """Push a screen with one session."""
        from .sessions.session import SessionScreen

        self.push_screen(SessionScreen(session_id))

    def show_timeline(self, anchor: ListRow) -> None:
        """Push a screen with what happened around a row."""
        from .timeline.screen import TimelineScreen

        self.push_screen(TimelineScreen(anchor))

    async def show_search(self, query: str) -> None:
        """Push a search of its own, with this query."""
        from .search.screen import SearchScreen

        search = SearchScreen()
        await self.push_screen(search)
        search.ask(query)

    async def search_for(self, text: str) -> None:
        """Switch to the search with this query."""
        from .search.screen import SearchScreen

        self.action_go("search")
        while len(self.screen_stack) > 1:
            await self.pop_screen()
        if isinstance(self.screen, SearchScreen):
            self.screen.ask(text)

    def _handle_exception(self, error: Exception) -> None:
        # What the store refuses is told, and the browser stays. Textual has no public hook for it.
        cause = error.error if isinstance(error, WorkerFailed) else None
        if isinstance(cause, StoreError):
            self.notify(str(cause), severity="error", markup=False)
        elif isinstance(cause, NoMatches) and not self.is_running:
            # Leaving takes a screen's widgets before its workers.
            return
        else:
            super()._handle_exception(error)

    def watch_selection(self) -> None:
        # It can enable or disable keys.
        self.screen.refresh_bindings()

    def watch_unsaved(self) -> None:
        self._was_asked = False

    def watch_version(self) -> None:
        # While the app ends, a last answer may come when its screens are gone.
        if self.screen_stack and isinstance(screen := self.screen, MemScreen):
            screen.catch_up()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "undo":
            return not self.read_only
        # Agents work with the user's own memory, never with what is gone afterwards.
        return not (self.owner and parameters in OF_AGENTS)


def _holdings(store: Store) -> Holdings:
    newest = store.listing("", 0, 1)
    return Holdings(store.listing_count(""), newest[0].created_at if newest else 0)


def _file_of(store: Store, note: Note) -> Path | None:
    from store.formats.scheme_c.note_watch import file_of_note

    return file_of_note(store, note)


if TYPE_CHECKING:

    def _browser(app: MemApp) -> Browser:
        # Type checkers compare the two here; everywhere else screens name the protocol.
        return app
