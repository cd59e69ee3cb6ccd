"""The browser: its store, its modes, and what holds on every screen."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from time import time
from typing import TYPE_CHECKING, Any

from rich.cells import cached_cell_len
from textual import events, work
from textual._styles_cache import StylesCache
from textual.await_complete import AwaitComplete
from textual.dom import DOMNode
from textual.driver import Driver
from textual.filter import ANSIToTruecolor
from textual.reactive import var
from textual.screen import Screen
from textual.strip import Strip
from textual.style import Style
from textual.widget import AwaitMount, Widget
from textual.worker import WorkerFailed

from memtui.store import ListRow, Session, Store, StoreError
from memtui.store.aio import AsyncStore
from memtui.store.platform.translation import _

from .background import BackgroundIngest, ChangedFilesRefresh, Watcher
from .going import MODES, choose_destination, is_running, would_be_lost
from .keys import bindings
from .lists.paged_list import PagedList
from .optional import part
from .parts.dialog import JumpScreen, jump_targets, tell_change
from .parts.textual_gaps import is_of_what_is_gone
from .protocol import Browser, Capture, Holdings, ReadingMode
from .row_marks import KnownMarks, NewArrivals
from .screen import MemScreen
from .search.query_bar import History
from .settings import Found, SettledApp
from .startup import ending
from .startup.driver import pass_over_bytes

NEXT_SLICE = 0.1
PAINTED = (
    StylesCache.get_inner_outer,
    Strip.render_ansi,
    Style.__add__,
    ANSIToTruecolor.truecolor_style,
    cached_cell_len,
)
"""What Textual and Rich remember of what was painted, some MB after an hour's use."""

LEAVING = ("q", "ctrl+q")
"""The keys that leave the browser; any other means to stay."""
DEEPEST = 5
"""So many screens lie over each other in a mode."""


class MemApp(SettledApp):
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
    VERTICAL_BREAKPOINTS = [(0, "-flat"), (8, "-short"), (14, "-low"), (32, "-tall")]
    BINDINGS = bindings.APP

    # What each is, `Browser` says.
    reading: ReadingMode = ReadingMode()
    recent_commands: list[str] | None = None
    selection: var[ListRow | None] = var(None)
    holdings: var[Holdings | None] = var(None)
    capture: var[Capture | None] = var(None)
    version: var[int] = var(0)
    unsaved: var[tuple[str, ...]] = var(())
    reader: AsyncStore
    side: AsyncStore
    counter: AsyncStore
    history: History

    def __init__(
        self,
        path: Path,
        *,
        read_only: bool = False,
        notice: str = "",
        is_demo: bool = False,
        owner: str = "",
        as_of: str = "",
        here: str = "",
        now: Callable[[], int] | None = None,
        settings: Found | None = None,
    ) -> None:
        """`notice` is a sentence that stays on every screen; `owner` is whose memory it is, where it
        is not the user's; `as_of` says of when it is ("as of 2026-02-17 18:00"), where it is not of
        now; `here` is the project that the search begins with, `` for all; `now` gives ms since the epoch;
        `settings` is what `config.toml` says, if it was read."""
        super().__init__(settings, owner, as_of)
        self.path = path
        self.read_only = read_only
        self.notice = notice
        self.is_demo = is_demo
        self.owner = owner
        self.as_of = as_of
        self.here = here
        self.animation_level = "none"
        self.now = now or (lambda: int(time() * 1000))
        self.changing = asyncio.Lock()
        self._stores: list[AsyncStore] = []
        self.team_marks = KnownMarks()
        self.arrivals = NewArrivals(is_kept=not (read_only or owner or as_of))
        self._background = BackgroundIngest(path, read_only=read_only)
        self._changed_files = ChangedFilesRefresh()
        self.watcher = Watcher(path)
        self._was_asked = False

    async def on_load(self) -> None:
        for _number in range(3):
            self._stores.append(await AsyncStore.open(self.path, read_only=self.read_only))
        self.reader, self.side, self.counter = self._stores
        self.history = await History.load(self.side)
        await self.side.run(lambda store: store.made_by("memtui"))
        version = await self.reader.run(lambda store: store.data_version())
        self.set_reactive(MemApp.version, version)

    def on_ready(self) -> None:
        # Off since the start, so that the first paint doesn't wait; what is here now is here to stay.
        gc.freeze()
        # A repaint makes thousands of short-lived objects. Garbage that outlives it isn't left to wait:
        # what stays would lie between, over more memory than is ever given back.
        gc.set_threshold(5_000, 2, 2)
        gc.enable()
        if not self.is_headless:
            ending.listen(partial(self.exit, return_code=ending.STATUS))
        self.start_settings()
        self.look()
        self.watcher.start(self)
        self._changed_files.start(self, self.side)

    async def on_unmount(self) -> None:
        self._changed_files.close()
        await self.arrivals.keep(self._stores)
        await self.write_settings_left()
        await self._background.close()
        for store in self._stores:
            await store.close()

    def count_new(self) -> None:
        """Tell how many of the new memories weren't in view by now."""
        if self.holdings is not None and self.holdings.new != self.arrivals.count:
            self.holdings = self.arrivals.counted(self.holdings)

    def see_all(self) -> None:
        """Take all that is new for seen, in every list."""
        self.arrivals.see_all()
        self.count_new()
        self._show_again()

    def forget_unseen(self) -> None:
        """Keep of each screen only what it shows, and nothing of those that were left."""
        for watchers in getattr(self, "__watchers", {}).values():
            # Textual holds widgets that watched the app until that changes, which `settings` seldom do.
            watchers[:] = [watcher for watcher in watchers if watcher[0].is_running]
        for screen in (item for stack in self._screen_stacks.values() for item in stack):
            if isinstance(screen, MemScreen):
                screen.forget_unseen()
        # Textual remembers a thousand widgets too, with all that was painted of each, and thousands of
        # styles and texts.
        for remembered in PAINTED:
            remembered.cache_clear()

    @work(group="look", exclusive=True)
    async def look(self) -> None:
        """See whether anything was committed, and let the screen in front show it."""
        version = await self.reader.run(lambda store: store.data_version())
        if version != self.version or self.holdings is None:
            self.holdings = await self.arrivals.look(self.counter, self.screen)
            self.version = version
        self.count_new()

    @work(group="ingest")  # Not exclusive: that would stop what takes long, again and again.
    async def ingest(self) -> None:
        """Store what hooks left, and let the header and the screen of capture tell how that goes. What was
        stored shows as another process's write does."""
        taken = await self._background.look()
        self.capture = taken.capture
        if taken.capture.has_marks != self.team_marks.is_on:
            self.team_marks.is_on = taken.capture.has_marks
            self._show_again()
        if self.watcher.files.store_may_have_changed():
            self.look()
        if not taken.done:
            self.set_timer(NEXT_SLICE, self.ingest)

    def _show_again(self) -> None:
        """Have the screen in front show its lists and texts anew."""
        if isinstance(screen := self.screen, MemScreen):
            for rows in screen.query(PagedList):
                rows.measure()
                rows.repaint_rows()
            screen.store_changed()

    async def write(self, change: Callable[[Store], str | None], key: str = "") -> None:
        """Do something to the store, tell what it was, and show it at once. Errors are told too. `key`
        is what the journal says was pressed."""

        def changed(store: Store) -> str | None:
            with store.pressed(key):
                return change(store)

        try:
            tell_change(self, await self.side.run(changed))
        except StoreError as error:
            self.notify(str(error), severity="error", markup=False)
            return
        self.look()

    @work(group="edit", exclusive=True)
    async def edit(self, ref: str) -> None:
        """Open the form of a record; what was changed there is stored, and shows at once."""
        from .editing.actions import edit_in_form

        if not self.read_only:
            await edit_in_form(self, ref)

    @work(group="edit", exclusive=True)
    async def edit_text(self, ref: str) -> None:
        """Open a record as Markdown in the user's editor, and store what was changed there."""
        from .editing.actions import edit_in_editor

        if not self.read_only:
            await edit_in_editor(self, ref)

    def add_memory(self, kind: str, project: str) -> None:
        """Open the form of a new memory of this kind."""
        from .editing.actions import add_memory

        if not self.read_only:
            add_memory(self, kind, project)

    def action_go(self, mode: str) -> AwaitComplete | AwaitMount:
        """Switch to the first screen of a mode, as it was left; awaited, that is there."""
        switched = self.switch_mode(mode) if mode != self.current_mode else AwaitComplete()
        while len(self.screen_stack) > 1:
            self.pop_screen()
        return switched

    def has_mode(self, mode: str) -> bool:
        """Whether there is such a screen over this memory."""
        return any(tab.mode == mode for tab in self.tabs)

    @property
    def has_way_back(self) -> bool:
        """Whether there is a screen to go back to, from the one in front or behind a dialog."""
        return not all(screen.is_modal for screen in self.screen_stack[1:])

    def go_back(self) -> None:
        """Return to the screen before, within the mode."""
        if len(self.screen_stack) > 1:
            self.pop_screen()

    async def action_quit(self) -> None:
        """Leave; where something isn't saved, or a change is on its way, when asked twice in a row."""
        screens = [screen for stack in self._screen_stacks.values() for screen in stack]
        content = is_running(screens) or would_be_lost(self.screen_stack, self.unsaved)
        if content and not self._was_asked:
            self._was_asked = True
            self.notify(content, severity="warning", markup=False)
            return
        await super().action_quit()

    async def on_event(self, event: events.Event) -> None:
        self.watcher.rest.heard(event)
        if isinstance(event, events.Key) and not event.is_forwarded:
            if event.key not in LEAVING:
                self._was_asked = False
            if event.key.startswith("alt+"):
                # Widgets would type the letter.
                event.character = None
        await super().on_event(event)

    @work(group="write")
    async def action_undo(self) -> None:
        """Take the newest change of the journal back; the selection goes to what came back."""
        from .editing.actions import take_back, undo

        await take_back(self, undo, _("Undoing…"))

    @work(group="write")
    async def action_redo(self) -> None:
        """Do again what was undone last."""
        from .editing.actions import redo, take_back

        await take_back(self, redo, _("Doing it again…"))

    async def action_trash(self) -> None:
        """Show what is deleted, in the search; from there, the query before."""
        from .search.screen import SearchScreen

        await self.action_go("search")
        if isinstance(self.screen, SearchScreen):
            self.screen.action_trash()

    def action_command_palette(self) -> None:
        """Show what can be done on the screen in front, and everywhere, by its name."""
        from .palette.opening import open_palette

        if isinstance(self.screen, MemScreen):
            open_palette(self.screen)

    def action_jump(self) -> None:
        """Put a letter on every pane and field in front, and go to the one whose letter follows."""
        if isinstance(screen := self.screen, JumpScreen):
            screen.dismiss()
        elif len(targets := jump_targets(screen)) > 1:
            self.push_screen(JumpScreen(targets), partial(_focus, screen))
        else:
            self.notify(_("Nothing else here can have the focus."))

    def action_help(self) -> None:
        """Show all keys of the screen in front."""
        from .help.screen import HelpScreen

        if isinstance(self.screen, MemScreen):
            self.push_screen(HelpScreen(self.screen))

    def open_over(self, screen: Screen[None]) -> AwaitComplete | AwaitMount:
        """Push a screen; from `DEEPEST` screens on it takes the place of the one in front, since each
        keeps what it shows for whoever comes back."""
        if len(self.screen_stack) < DEEPEST:
            return self.push_screen(screen)
        return self.switch_screen(screen)

    def show_memory(self, row: ListRow, session: Session | None) -> None:
        """Push a screen with one memory, which belongs to `session`."""
        from .memory import MemoryScreen

        self.open_over(MemoryScreen(row, session))

    @work(group="go", exclusive=True)
    async def go_to(self, destinations: Sequence[Destination]) -> None:
        """Go to what was found, or to the one of it that is chosen."""
        await choose_destination(self, destinations)

    def show_versions(self, ref: str, title: str) -> None:
        """Push a screen with the versions of a memory."""
        from .history.screen import VersionsScreen

        self.open_over(VersionsScreen(ref, title))

    def action_changes(self) -> None:
        """Push a screen with all changes of the store, unless it is in front."""
        from .history.screen import ChangesScreen

        if isinstance(self.screen, MemScreen) and not isinstance(self.screen, ChangesScreen):
            self.open_over(ChangesScreen())

    def action_review(self) -> None:
        """Push a screen with what waits for the user's word, unless it is in front."""
        from .review import ReviewScreen

        if isinstance(self.screen, MemScreen) and not isinstance(self.screen, ReviewScreen):
            self.open_over(ReviewScreen())

    def action_merge(self) -> None:
        """Push a screen that makes the marked memories one, or, with none marked, shows what is alike."""
        from .merge.screen import open_merge_room

        open_merge_room(self)

    def show_session(self, session_id: int, ref: str | None = None) -> None:
        """Push a screen with one session, with a ref at that memory."""
        from .sessions.session import SessionScreen

        self.open_over(SessionScreen(session_id, ref))

    def show_timeline(self, anchor: ListRow) -> None:
        """Push a screen with what happened around a row."""
        from .timeline.screen import TimelineScreen

        self.open_over(TimelineScreen(anchor))

    async def show_search(self, query: str, *, in_results: bool = False) -> None:
        """Push a search of its own, with this query; the focus goes to its line, or to its results."""
        from .search.screen import SearchScreen

        search = SearchScreen()
        search.first_query, search.starts_in_results = query, in_results
        await self.open_over(search)

    async def search_for(self, text: str) -> None:
        """Switch to the search with this query, or to Sessions with one that asks for these."""
        from memtui.store.search.narrowing import asks_for_sessions

        from .search.screen import SearchScreen
        from .sessions.screen import SessionsScreen

        if asks_for_sessions(text):
            await self.action_go("sessions")
            if isinstance(self.screen, SessionsScreen):
                await self.screen.show_query(text)
            return
        await self.action_go("search")
        if isinstance(self.screen, SearchScreen):
            self.screen.ask(text)

    async def find_in_files(self, words: str) -> None:
        """Switch to agents' files, narrowed to those that hold these words."""
        screen = part("files.screen").FilesScreen
        await self.action_go("files")
        if isinstance(self.screen, screen):
            await self.screen.find_words(words)

    def _build_driver(self, *given: Any, **named: Any) -> Driver:
        driver = super()._build_driver(*given, **named)
        pass_over_bytes(driver)
        return driver

    def _handle_exception(self, error: Exception) -> None:
        # What the store refuses is told, and the browser stays. Textual has no public hook for it.
        cause = error.error if isinstance(error, WorkerFailed) else None
        if isinstance(cause, StoreError):
            self.notify(str(cause), severity="error", markup=False)
        elif cause is not None and is_of_what_is_gone(cause):
            # Leaving a screen takes its widgets before its workers.
            return
        else:
            super()._handle_exception(error)

    def _parse_action(
        self, action: Any, default_namespace: DOMNode, namespaces: Any = None
    ) -> tuple[DOMNode, str, tuple[object, ...]]:
        # `screen.` means the screen that the binding is on. Textual takes the one in front, also where
        # the footer behind a dialog asks what can be done; it has no public hook.
        own = [node for node in default_namespace.ancestors_with_self if isinstance(node, Screen)]
        screens = dict(zip(("screen",), own, strict=False))
        return super()._parse_action(action, default_namespace, {**screens, **(namespaces or {})})

    def watch_selection(self) -> None:
        # It can enable or disable keys.
        self.screen.refresh_bindings()

    def watch_unsaved(self) -> None:
        self._was_asked = False

    def watch_version(self) -> None:
        self.team_marks.look_anew()
        # While the app ends, a last answer may come when its screens are gone.
        if self.screen_stack and isinstance(screen := self.screen, MemScreen):
            screen.catch_up()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in ("undo", "redo"):
            return not self.read_only
        if action == "merge" and any(ref.startswith("@") for ref in getattr(self.screen, "marks", ())):
            return False
        return action != "go" or self.has_mode(str(parameters[0]))


def _focus(screen: Screen[Any], widget: Widget | None) -> None:
    if widget is not None:
        screen.set_focus(widget)


if TYPE_CHECKING:
    from memtui.store.links.destinations import Destination

    def _browser(app: MemApp) -> Browser:
        # Type checkers compare the two here; everywhere else screens name the protocol.
        return app
