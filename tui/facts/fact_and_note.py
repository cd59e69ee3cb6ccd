"""One fact with the memories it rests on, and one note, to read."""

from __future__ import annotations

from typing import ClassVar

from textual import events, getters, on, work
from textual.app import ComposeResult
from textual.binding import BindingType

from memtui.store import ListRow, Note, ref
from memtui.store.platform.translation import N_

from ..screen import MemScreen
from ..timeline.lists import TimelineList
from ..timeline.moments import Moment
from .panes import FactPane, NoteView, fact_view
from .supersede import SUPERSEDE, SupersedingScreen


class FactScreen(SupersedingScreen):
    """The fact with this number."""

    CSS_PATH = "fact.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [SUPERSEDE]
    place = N_("Fact")

    pane = getters.query_one(FactPane)

    def __init__(self, fact_id: int) -> None:
        super().__init__()
        self._fact_id = fact_id

    @property
    def facts_chosen(self) -> tuple[str, ...]:
        return (ref("fact", self._fact_id),)

    @property
    def row(self) -> ListRow | None:
        return self.pane.row if self.is_mounted else None

    @property
    def added(self) -> tuple[str, str]:
        row = self.row
        return "fact", row.project if row is not None else ""

    def body(self) -> ComposeResult:
        yield FactPane()

    def on_mount(self) -> None:
        self._load()

    def store_changed(self) -> None:
        self._load(hold=True)

    @on(events.DescendantFocus)
    @on(TimelineList.Highlighted)
    def _select(self) -> None:
        if self.is_current:
            self.browser.selection = self.row

    @on(TimelineList.Selected)
    def _open(self, message: TimelineList.Selected) -> None:
        match message.item:
            case Moment(row, session) if not self.pane.is_line(row):
                self.browser.show_memory(row, session)
            case Moment(_, session) if session is not None:
                self.browser.show_session(session.id)

    @work(exclusive=True, group="fact")
    async def _load(self, hold: bool = False) -> None:
        has_marks = self.browser.team_marks.is_on
        view = await self.browser.side.run(
            lambda store: fact_view(store, self._fact_id, has_marks=has_marks)
        )
        await self.pane.show(view, self.browser.now(), hold=hold)
        if not hold:
            (self.pane.evidence if view.evidence else self.pane.text).focus()


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
