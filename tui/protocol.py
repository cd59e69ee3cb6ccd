"""What screens need of the app that shows them, and the values it tells them.

Screens and widgets name these instead of `MemApp`, which imports them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

if TYPE_CHECKING:
    from textual.app import App
    from textual.message_pump import MessagePump
    from textual.screen import Screen
    from textual.worker import Worker

    from memtui.store import ListRow, Session, Store
    from memtui.store.aio import AsyncStore
    from memtui.store.capture.health import CaptureHealth
    from memtui.store.config import BrowserSettings
    from memtui.store.links.destinations import Destination
    from memtui.store.records.sharing import AutomaticPlace, TeamMark

    from .tabs import Tab


LONGEST = 100_000
"""Characters shown of one text; what is longer says so."""


@dataclass(frozen=True, slots=True)
class ReadingMode:
    """How texts are read: `raw` as they are stored, `unfolded` with long code whole; of each text at
    most `most` characters."""

    raw: bool = False
    unfolded: bool = False
    most: int = LONGEST


@dataclass(frozen=True, slots=True)
class Holdings:
    """What the header tells of the store; `stored_at` is its newest memory's time in ms since the
    epoch, 0 for none; so many are `new` since the last visit, and weren't in view."""

    memories: int
    stored_at: int
    new: int = 0


@dataclass(frozen=True, slots=True)
class Capture:
    """How capture is doing, as far as is known; `trouble` is why nothing can be stored, else ``.

    `silent` maps agents that ran without sending an event to when they ran, ms since the epoch.
    `machines` are those that are met by themselves, `team` is how it stands with the team, None for who is
    in none; and `has_marks` is whether any memory may be a teammate's, or shared.
    """

    health: CaptureHealth | None = None
    excluded: tuple[str, ...] = ()
    trouble: str = ""
    silent: Mapping[str, int] = field(default_factory=dict)
    machines: tuple[AutomaticPlace, ...] = ()
    team: AutomaticPlace | None = None
    has_marks: bool = False


class QueryHistory(Protocol):
    """The queries used before, on whichever screen."""

    @property
    def texts(self) -> Sequence[str]:
        """The queries, the newest first."""

    async def remember(self, text: str) -> None:
        """Put a query at the front; a blank one is ignored."""


class Arrivals(Protocol):
    """What has arrived since the last visit."""

    def is_new(self, ref: str) -> bool:
        """Whether a record is new."""

    def show(self, ref: str) -> None:
        """Note that a record was in view."""


class TeamMarks(Protocol):
    """Whose memories are, and who may read them."""

    is_on: bool
    """Whether any memory may be a teammate's, or shared."""

    def of(self, app: App[Any], ref: str) -> TeamMark | None:
        """Return the mark of a memory as far as it is known; lists show it as soon as it is."""


class NamedScreen(Protocol):
    """What the header and the footer read of the screen they are on."""

    place: str
    """The screen's name in the header."""
    mode: str
    """The mode it is the first screen of; `` for none."""
    marks: Mapping[str, None]
    """The refs of what is marked on it."""
    at_work: str
    """What is being done to many, in words; `` when nothing is."""


class Browser(Protocol):
    """The app over one memory: its connections, what holds on every screen, and the ways between
    screens. Textual's own methods are called on a widget's `app`."""

    path: Path
    """The memory's database."""
    read_only: bool
    is_demo: bool
    notice: str
    """A sentence that stays on every screen, `` for none."""
    owner: str
    """Whose memory it is, `` for the user's own."""
    as_of: str
    """Of when it is ("as of 2026-02-17 18:00"), `` for now."""
    here: str
    """The project that the search begins with, `` for all."""
    tabs: tuple[Tab, ...]
    """The screens that it has."""
    now: Callable[[], int]
    """The time in ms since the epoch."""

    settings: BrowserSettings
    """How the browser looks, starts and is driven; widgets may watch it."""
    keymap: Mapping[str, str]
    """The keys of the screen in front that the user chose, by the ids of bindings."""
    reading: ReadingMode
    """How texts are read, on whichever screen."""
    recent_commands: list[str] | None
    """The ids of what the palette did last, the newest first; None until they were read."""
    selection: ListRow | None
    """The row last highlighted on any screen."""
    holdings: Holdings | None
    """What the store holds; None until it was asked."""
    capture: Capture | None
    """How capture is doing; None until it was asked."""
    version: int
    """Changes with every commit to the store, by whichever process."""
    unsaved: tuple[str, ...]
    """The projects whose context was changed in the composer, and isn't saved."""

    reader: AsyncStore
    """For lists and searches."""
    side: AsyncStore
    """For details, timelines and writes, so that none of them waits for a list."""
    counter: AsyncStore
    """For counts, the slowest of all, so that nothing waits for them."""

    @property
    def arrivals(self) -> Arrivals:
        """What has arrived since the last visit."""

    @property
    def history(self) -> QueryHistory:
        """The queries used before, on whichever screen."""

    @property
    def team_marks(self) -> TeamMarks:
        """Whose memories are, and who may read them."""

    changing: asyncio.Lock
    """Held by the change of a key until it shows, so that the next key sees what this one left."""

    def look(self) -> Worker[None]:
        """See whether anything was committed, and let the screen in front show it."""

    def see_all(self) -> None:
        """Take all that is new for seen."""

    def count_new(self) -> None:
        """Tell how many of the new memories weren't in view by now."""

    def forget_unseen(self) -> None:
        """Keep of each screen only what it shows."""

    def ingest(self) -> object:
        """Store what hooks have left in the spool."""

    async def write(self, change: Callable[[Store], str | None], key: str = "") -> None:
        """Apply a change to the store, notify of the sentence it returns or the error it raises,
        and show the change at once. `key` is what the journal says was pressed."""

    def keep(self, **changes: Any) -> None:
        """Use other settings (`density="compact"`, `panes={"search": 40}`) at once, and write them to
        `config.toml`. Of panes, colors and keys only what is named changes."""

    def preview_theme(self, theme: str | None) -> None:
        """Show a theme without keeping it; None shows the kept one again."""

    def reread_settings(self) -> object:
        """Use what was changed in `config.toml`, by whomever."""

    def edit(self, ref: str) -> object:
        """Open the form of a record, and store what was changed there."""

    def edit_text(self, ref: str) -> object:
        """Open a record as Markdown in the user's editor, and store what was changed there."""

    def add_memory(self, kind: str, project: str) -> object:
        """Open the form of a new memory: an observation, a fact or a note."""

    def action_go(self, mode: str) -> Awaitable[None]:
        """Switch to the first screen of a mode, as it was left."""

    def has_mode(self, mode: str) -> bool:
        """Whether `action_go` leads to this mode."""

    @property
    def has_way_back(self) -> bool:
        """Whether `go_back` leads anywhere."""

    async def action_trash(self) -> None:
        """Show what is deleted, in the search; from there, the query before."""

    def go_back(self) -> None:
        """Return to the screen before: within the mode, else in the mode before."""

    async def search_for(self, text: str) -> None:
        """Switch to the search with this query."""

    async def find_in_files(self, words: str) -> None:
        """Switch to agents' files, narrowed to those that hold these words."""

    def show_memory(self, row: ListRow, session: Session | None) -> None:
        """Push a screen with one memory, which belongs to `session`."""

    def show_session(self, session_id: int, ref: str | None = None) -> None:
        """Push a screen with one session, with a ref at that memory."""

    def go_to(self, destinations: Sequence[Destination]) -> object:
        """Go to a memory, session or note, or to a search for all of a file, a commit or a date; where
        several are found, to the one that is chosen."""

    def show_versions(self, ref: str, title: str) -> None:
        """Push a screen with the versions of a memory."""

    def open_over(self, screen: Screen[None]) -> object:
        """Push a screen, or put it in the place of the one in front where many lie over each other."""

    def show_timeline(self, anchor: ListRow) -> None:
        """Push a screen with what happened around a row."""

    async def show_search(self, query: str, *, in_results: bool = False) -> None:
        """Push a search of its own, with this query; the search that is a mode stays as it is."""


def browser(node: MessagePump) -> Browser:
    """Return the app that a widget or a screen belongs to."""
    return cast("Browser", node.app)
