"""What every screen has: the header, the notice that stays, the footer, and the shared keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, cast

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import Screen
from textual.widgets import Static

from store import Entry

from .. import bindings, curation
from ..copying import as_text
from ..widgets.footer import KeysFooter
from ..widgets.header import Header
from ..widgets.notice import Notice

if TYPE_CHECKING:
    from ..app import MemApp

WRITING = {"pin", "hide", "delete", "edit", "undo", "save_search"}
"""What no key does to a memory that can only be read, and no help tells of there."""
WITH_ENTRY = {"timeline", "copy", "pin", "hide", "delete"}


class MemScreen(Screen[None]):
    """A screen of the browser. Subclasses give `body`, and override `store_changed` and `entry`."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings.SCREEN, *bindings.ENTRY]

    place: ClassVar[str] = ""
    """The screen's name in the header."""
    mode: ClassVar[str] = ""
    """The mode it is the first screen of, bold in the footer."""
    has_entries: ClassVar[bool] = True
    """Whether a memory can be selected here; where none can, the help leaves its keys out."""
    hints: ClassVar[tuple[tuple[str, str], ...]] = ()
    """What the help tells beside the keys: what can be typed, and what it means."""

    _seen_version: int | None = None

    @property
    def mem(self) -> MemApp:
        """The app, with its stores."""
        return cast("MemApp", self.app)

    @property
    def entry(self) -> Entry | None:
        """The entry that the keys work on; None when nothing is selected here."""
        return self.mem.selection if self.has_entries else None

    def body(self) -> ComposeResult:
        """The widgets between header and footer."""
        raise NotImplementedError

    def store_changed(self) -> None:
        """Show what was written meanwhile, without moving the selection."""

    def compose(self) -> ComposeResult:
        yield Header()
        yield Notice(self.mem.notice)
        yield from self.body()
        yield KeysFooter()
        yield Static("memtui needs 30 by 8 cells.", id="too-small")

    def on_screen_resume(self) -> None:
        self.catch_up()

    def catch_up(self) -> None:
        """Call `store_changed` when anything was committed since it was last called."""
        before, self._seen_version = self._seen_version, self.mem.version
        if before not in (None, self.mem.version):
            self.store_changed()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        if action in WRITING and self.mem.read_only:
            return False
        if action in WITH_ENTRY:
            return self.entry is not None
        if action == "session":
            return self.entry is not None and self.entry.session_id is not None
        return True

    def action_back(self) -> None:
        """To where you were before."""
        self.mem.go_back()

    def action_timeline(self) -> None:
        """What happened around the entry, on a screen of its own."""
        from .timeline import TimelineScreen

        if self.entry is not None:
            self.mem.push_screen(TimelineScreen(self.entry))

    def action_session(self) -> None:
        """The session that the entry belongs to."""
        from .session import SessionScreen

        if self.entry is not None and self.entry.session_id is not None:
            self.mem.push_screen(SessionScreen(self.entry.session_id))

    @work(group="copy")
    async def action_copy(self) -> None:
        """The entry's text to the clipboard."""
        if (entry := self.entry) is not None:
            record = await self.mem.side.run(lambda store: store.of(entry))
            self.mem.copy_to_clipboard(as_text(record))
            self.notify("Copied.")

    def action_pin(self) -> None:
        """Pin the entry, or unpin it."""
        self._curate(curation.toggle_pin)

    def action_hide(self) -> None:
        """Hide the entry as private, or show it again."""
        self._curate(curation.toggle_private)

    def action_delete(self) -> None:
        """Delete the entry, or restore it."""
        self._curate(curation.toggle_deleted)

    @work(group="write")
    async def _curate(self, change: curation.Change) -> None:
        if (entry := self.entry) is not None:
            await self.mem.write(lambda store: change(store, entry))
