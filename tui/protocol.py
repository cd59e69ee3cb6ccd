"""What screens need of the app that shows them, and the values it tells them.

Screens and widgets name these instead of `MemApp`, which imports them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

if TYPE_CHECKING:
    from textual.command import Provider
    from textual.message_pump import MessagePump

    from store import ListRow, Note, Session, Store
    from store.aio import AsyncStore
    from store.capture.status.health import CaptureHealth


@dataclass(frozen=True, slots=True)
class Holdings:
    """What the header tells of the store; `stored_at` is its newest memory's time in ms since the
    epoch, 0 for none."""

    memories: int
    stored_at: int


@dataclass(frozen=True, slots=True)
class Capture:
    """How capture is doing, as far as is known; `trouble` is why nothing can be stored, else ``.

    `silent` maps agents that ran without sending an event to when they ran, ms since the epoch.
    """

    health: CaptureHealth | None = None
    excluded: tuple[str, ...] = ()
    trouble: str = ""
    silent: Mapping[str, int] = field(default_factory=dict)


class QueryHistory(Protocol):
    """The queries used before, on whichever screen."""

    @property
    def texts(self) -> Sequence[str]:
        """The queries, the newest first."""
        ...

    async def remember(self, text: str) -> None:
        """Put a query at the front; a blank one is ignored."""
        ...


class NamedScreen(Protocol):
    """What the header and the footer read of the screen they are on."""

    place: str
    """The screen's name in the header."""
    mode: str
    """The mode it is the first screen of, bold in the footer; `` for none."""


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
    now: Callable[[], int]
    """The time in ms since the epoch."""

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
    def history(self) -> QueryHistory:
        """The queries used before, on whichever screen."""
        ...

    def look(self) -> object:
        """See whether anything was committed, and let the screen in front show it."""
        ...

    def ingest(self) -> object:
        """Store what hooks have left in the spool."""
        ...

    async def write(self, change: Callable[[Store], str | None]) -> None:
        """Apply a change to the store, notify of the sentence it returns or the error it raises,
        and show the change at once."""
        ...

    def edit_note(self, note: Note) -> object:
        """Open a note in the user's editor, and store what was changed there."""
        ...

    def action_go(self, mode: str) -> None:
        """Switch to one of the seven screens, as it was left; within it, to its first screen."""
        ...

    def action_help(self) -> None:
        """Show all keys of the screen in front."""
        ...

    def go_back(self) -> None:
        """Return to the screen before: within the mode, else in the mode before."""
        ...

    async def search_for(self, text: str) -> None:
        """Switch to the search with this query."""
        ...

    def show_memory(self, row: ListRow, session: Session | None) -> None:
        """Push a screen with one memory, which belongs to `session`."""
        ...

    def show_session(self, session_id: int) -> None:
        """Push a screen with one session."""
        ...

    def show_timeline(self, anchor: ListRow) -> None:
        """Push a screen with what happened around a row."""
        ...

    async def show_search(self, query: str) -> None:
        """Push a search of its own, with this query; the search that is a mode stays as it is."""
        ...


def browser(node: MessagePump | Provider) -> Browser:
    """Return the app that a widget, a screen or the command palette belongs to."""
    return cast("Browser", node.app)
