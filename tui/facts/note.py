"""One note, to read."""

from __future__ import annotations

from typing import ClassVar

from textual import getters, work
from textual.app import ComposeResult
from textual.binding import BindingType

from store import Note

from ..bindings import key
from ..screen import MemScreen
from .panes import NoteView

NOTE_EDIT = key("e", "edit", "Edit", "The note in your $EDITOR", "note.edit")


class NoteScreen(MemScreen):
    """A note, the whole screen."""

    CSS_PATH = "note.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [NOTE_EDIT]
    place = "Note"
    has_rows = False

    view = getters.query_one(NoteView)

    def __init__(self, note: Note) -> None:
        super().__init__()
        self._note = note

    def body(self) -> ComposeResult:
        yield NoteView()

    def on_mount(self) -> None:
        self.view.show_note(self._note, self.browser.now())

    def action_edit(self) -> None:
        """The note in the editor."""
        self.browser.edit_note(self._note)

    def store_changed(self) -> None:
        self._load()

    @work(exclusive=True, group="note")
    async def _load(self) -> None:
        self._note = await self.browser.side.run(lambda store: store.notes.get(self._note.id))
        self.view.show_note(self._note, self.browser.now(), hold=True)
