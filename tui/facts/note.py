"""One note, to read."""

from __future__ import annotations

from textual import getters, work
from textual.app import ComposeResult

from memtui.store import Note
from memtui.store.translation import N_

from ..screen import MemScreen
from .panes import NoteView


class NoteScreen(MemScreen):
    """A note, the whole screen."""

    CSS_PATH = "note.tcss"
    place = N_("Note")
    has_rows = False

    view = getters.query_one(NoteView)

    def __init__(self, note: Note) -> None:
        super().__init__()
        self._note = note

    @property
    def named(self) -> tuple[str, str] | None:
        return note_ref(self._note), self._note.path

    def body(self) -> ComposeResult:
        yield NoteView()

    def on_mount(self) -> None:
        self.view.show_note(self._note, self.browser.now())

    @property
    def edited(self) -> str | None:
        return f"n{self._note.id}"

    @property
    def added(self) -> tuple[str, str]:
        return "note", self._note.project

    def store_changed(self) -> None:
        self._load()

    @work(exclusive=True, group="note")
    async def _load(self) -> None:
        self._note = await self.browser.side.run(lambda store: store.notes.get(self._note.id))
        self.view.show_note(self._note, self.browser.now(), hold=True)


def note_ref(note: Note) -> str:
    """Return how people name a note."""
    return f"n{note.id}"
