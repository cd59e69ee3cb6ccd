"""What every screen has: the header, the notice, the footer, the shared keys, and what these do to
a record.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import Screen
from textual.widgets import Static

from store import ListRow, Store
from store.text.display import safe

from . import bindings
from .parts.footer import KeysFooter
from .parts.header import Header, Notice
from .protocol import Browser, browser
from .text.records import as_text

WRITING = {"pin", "hide", "delete", "edit", "undo", "save_search"}
"""What no key does to a memory that can only be read, and no help tells of there."""
WITH_ROW = {"timeline", "copy", "pin", "hide", "delete"}

Change = Callable[[Store, ListRow], str]


class MemScreen(Screen[None]):
    """A screen of the browser. Subclasses give `body`, and override `store_changed` and `row`."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings.SCREEN, *bindings.ENTRY]

    place: ClassVar[str] = ""
    """The screen's name in the header."""
    mode: ClassVar[str] = ""
    """The mode it is the first screen of, bold in the footer."""
    has_rows: ClassVar[bool] = True
    """Whether a memory can be selected here; where none can, the help leaves its keys out."""
    hints: ClassVar[tuple[tuple[str, str], ...]] = ()
    """What the help tells beside the keys: what can be typed, and what it means."""

    _seen_version: int | None = None

    @property
    def browser(self) -> Browser:
        """The app, with its connections to the store."""
        return browser(self)

    @property
    def row(self) -> ListRow | None:
        """The row that the keys work on; None when nothing is selected here."""
        return self.browser.selection if self.has_rows else None

    def body(self) -> ComposeResult:
        """Yield the widgets between header and footer."""
        raise NotImplementedError

    def store_changed(self) -> None:
        """Show what was written meanwhile, without moving the selection."""

    def compose(self) -> ComposeResult:
        yield Header()
        yield Notice(self.browser.notice)
        yield from self.body()
        yield KeysFooter()
        yield Static("memtui needs 30 by 8 cells.", id="too-small")

    def on_screen_resume(self) -> None:
        self.catch_up()

    def catch_up(self) -> None:
        """Call `store_changed` when anything was committed since it was last called."""
        before, self._seen_version = self._seen_version, self.browser.version
        if before not in (None, self.browser.version):
            self.store_changed()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        if action in WRITING and self.browser.read_only:
            return False
        if action in WITH_ROW:
            return self.row is not None
        if action == "session":
            return self.row is not None and self.row.session_id is not None
        return True

    def action_back(self) -> None:
        """Return to where you were before."""
        self.browser.go_back()

    def action_timeline(self) -> None:
        """What happened around the row, on a screen of its own."""
        if self.row is not None:
            self.browser.show_timeline(self.row)

    def action_session(self) -> None:
        """The session that the row belongs to."""
        if self.row is not None and self.row.session_id is not None:
            self.browser.show_session(self.row.session_id)

    @work(group="copy")
    async def action_copy(self) -> None:
        """The row's text to the clipboard."""
        if (row := self.row) is not None:
            record = await self.browser.side.run(lambda store: store.record_of(row))
            self.app.copy_to_clipboard(as_text(record))
            self.notify("Copied.")

    def action_pin(self) -> None:
        """Pin the row, or unpin it."""
        self._curate(toggle_pin)

    def action_hide(self) -> None:
        """Hide the row as private, or show it again."""
        self._curate(toggle_private)

    def action_delete(self) -> None:
        """Delete the row, or restore it."""
        self._curate(toggle_deleted)

    @work(group="write")
    async def _curate(self, change: Change) -> None:
        if (row := self.row) is not None:
            await self.browser.write(lambda store: change(store, row))


def toggle_pin(store: Store, row: ListRow) -> str:
    """Pin a record, or unpin it."""
    pinned = not store.record_of(row).pinned
    _table(store, row).pin(row.record_id, pinned)
    return _told("Pinned" if pinned else "Unpinned", row)


def toggle_private(store: Store, row: ListRow) -> str:
    """Hide a record from every list, index and export, or show it again."""
    private = not store.record_of(row).private
    _table(store, row).set_private(row.record_id, private)
    return _told("Hidden as private" if private else "Shown again", row)


def toggle_deleted(store: Store, row: ListRow) -> str:
    """Delete a record, or restore it."""
    if store.record_of(row).deleted_at is None:
        _table(store, row).delete(row.record_id)
        return _told("Deleted", row)
    _table(store, row).restore(row.record_id)
    return _told("Restored", row)


def _table(store: Store, row: ListRow) -> Any:
    return {
        "observation": store.observations,
        "prompt": store.prompts,
        "summary": store.summaries,
        "fact": store.facts,
    }[row.kind]


def _told(done: str, row: ListRow) -> str:
    title = safe(row.title)
    return f"{done}: {title[:60]}{'…' if len(title) > 60 else ''} (u undoes)"
