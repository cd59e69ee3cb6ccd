"""Facts and notes: what is held true, and core memory."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any

from textual import events, getters, on, work
from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content
from textual.widgets import Static
from textual.worker import Worker

from memtui.store import SHOWN_KINDS, Fact, FactKind, ListRow, Note, Store, ref
from memtui.store.platform.translation import N_, _
from memtui.store.search.narrowing import hold, words_of

from ..keys.bindings import key
from ..lists.paged_list import PagedList
from ..lists.picker import EVERYTHING, Choice, ChooseScreen
from ..lists.provider import ListProvider
from ..parts.frame import Heading, TabLine
from ..parts.split import Split
from ..text.content import DIM, plain
from ..timeline.lists import TimelineList
from ..timeline.moments import Moment
from .fact_and_note import FactPane, FactScreen, NoteScreen, NoteView, fact_view, note_ref
from .insist import INSIST, InsistingScreen
from .lists import SIGNS, FactList, NoteList, fact_provider
from .supersede import SUPERSEDE

if TYPE_CHECKING:
    from memtui.store.formats.scheme_c.notes import NoteWatch


LOOK_AT_FILES = 0.5
"""Seconds between two looks at the files that notes are."""
LETTERS: tuple[FactKind | None, ...] = (None, *SHOWN_KINDS)
"""What each tab of the kinds narrows the list to."""
NO_FACTS = _("""\
There are no facts yet. A fact is one sentence, with a confidence and its evidence:

mem fact add "Refresh tokens live 24 h" --kind fact --confidence 0.9

Its kind is fact, rule, preference or summary.""")
NO_NOTES = _("""\
There are no notes. They are core memory, such as MEMORY.md, and come with an import:

mem import scheme-c ~/path/to/memory""")
NO_FACTS_THERE = _("There are no facts in this store.")
NO_NOTES_THERE = _("There are no notes in this store.")
"""Of another's memory: nothing that is done in one's own adds to it."""


class FactsScreen(InsistingScreen):
    """Two tabs; beside the list, where there is room, the whole of what is selected."""

    CSS_PATH = "screen.tcss"
    BINDINGS = [
        key("right,left", "tab", "Facts/notes", "To the notes, and back", "facts.tab", display="← →"),
        key("f", "kind", "Kind", "Facts of the next kind, or of all", "facts.kind"),
        key("w", "entity", "About", "Only facts that name one person or thing", "facts.entity"),
        SUPERSEDE,
        INSIST,
    ]

    place = N_("Facts & notes")
    mode = "facts"

    tabs = getters.query_one("#tabs", TabLine)
    kinds = getters.query_one("#kinds", TabLine)
    facts = getters.query_one(FactList)
    notes = getters.query_one(NoteList)
    pane = getters.query_one(FactPane)
    note_view = getters.query_one(NoteView)
    heading = getters.query_one("#entity", Heading)

    def __init__(self) -> None:
        super().__init__()
        self._entity = EVERYTHING
        self._watch: NoteWatch | None = None

    @property
    def row(self) -> ListRow | None:
        if not self.is_mounted or self.tabs.current == 1:
            return None
        # The pane is a moment behind the cursor, and no key may hit the fact that was there before.
        fact, shown = self.facts.item, self.pane.view
        return self.pane.row if fact and shown and fact.id == shown.fact.id else None

    @property
    def edited(self) -> str | None:
        if self.is_mounted and self.tabs.current == 1:
            return f"n{self.notes.item.id}" if self.notes.item is not None else None
        return super().edited

    @property
    def added(self) -> tuple[str, str]:
        on_notes = self.is_mounted and self.tabs.current == 1
        chosen = self.notes.item if on_notes else self.facts.item
        return "note" if on_notes else "fact", chosen.project if chosen is not None else ""

    @property
    def named(self) -> tuple[str, str] | None:
        if self.is_mounted and self.tabs.current == 1 and (note := self.notes.item):
            return note_ref(note), note.path
        return super().named

    def body(self) -> ComposeResult:
        kinds = (f"{SIGNS[kind]} {_(word)}" for kind, word in SHOWN_KINDS.items())
        with Container(id="lines"):
            yield TabLine(_("Facts"), _("Notes"), id="tabs")
            yield TabLine(_("all"), *kinds, id="kinds")
        yield Heading(id="entity")
        is_own = not (self.browser.owner or self.browser.as_of)
        yield Static(NO_FACTS if is_own else NO_FACTS_THERE, id="no-facts", markup=False)
        yield Static(NO_NOTES if is_own else NO_NOTES_THERE, id="no-notes", markup=False)
        with Split("facts"):
            yield FactList(self.browser.now)
            yield FactPane()
            yield NoteList(self.browser.now)
            yield NoteView()

    def on_mount(self) -> None:
        self.facts.name_items(_("Facts"))
        self.notes.name_items(_("Notes"))
        self._load()
        self.set_interval(LOOK_AT_FILES, self.look_at_files)

    def store_changed(self) -> None:
        self._load(hold=True)

    def action_tab(self) -> None:
        """From facts to notes, and back."""
        self.tabs.step(1)

    def action_kind(self) -> None:
        """Facts of the next kind, and after the last kind of all."""
        self.kinds.step(1)

    def action_entity(self) -> None:
        """Facts that name one thing, which is chosen by a few letters."""
        kind = LETTERS[self.kinds.current]
        screen = ChooseScreen(
            self._entity,
            partial(_entities, kind=kind),
            _("what they are about"),
            partial(_counted, kind=kind),
        )
        self.app.push_screen(screen, self._narrow_to)

    def _narrow_to(self, choice: Choice | None) -> None:
        if choice is not None and choice != self._entity:
            self._entity = choice
            self._load()

    @property
    def list_to_narrow(self) -> PagedList[Any] | None:
        if self.tabs.current == 1:
            return None if self.has_class("-no-notes") else self.notes
        return None if self.has_class("-no-facts") else self.facts

    def show_found(self) -> Worker[None]:
        return self._load()

    @property
    def facts_chosen(self) -> tuple[str, ...]:
        if self.tabs.current == 1 or self.facts.item is None:
            return ()
        marked = tuple(mark for mark in self.marks if mark.startswith("f"))
        return marked or (ref("fact", self.facts.item.id),)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in ("kind", "entity"):
            return self.tabs.current == 0 and not self.has_class("-no-facts")
        return super().check_action(action, parameters)

    @on(TabLine.Changed, "#tabs")
    def _switch(self) -> None:
        on_notes = self.tabs.current == 1
        self.set_class(on_notes, "-notes")
        (self.notes if on_notes else self.facts).focus()
        self.refresh_bindings()

    @on(TabLine.Changed, "#kinds")
    def _narrow(self) -> None:
        self._load()

    @on(FactList.Highlighted, "FactList")
    def _look(self, message: FactList.Highlighted) -> None:
        self._show_fact(message.item.id)

    @on(NoteList.Highlighted, "NoteList")
    def _look_at_note(self, message: NoteList.Highlighted) -> None:
        self.note_view.show_note(message.item, self.browser.now())

    @on(events.DescendantFocus)
    @on(TimelineList.Highlighted, "TimelineList")
    def _select(self) -> None:
        if self.is_current:
            self.browser.selection = self.row or self.browser.selection

    @on(PagedList.Selected)
    def _open(self, message: PagedList.Selected) -> None:
        match message.item:
            case Fact():
                self.app.push_screen(FactScreen(message.item.id))
            case Note():
                self.app.push_screen(NoteScreen(message.item))
            case Moment(row, session) if not self.pane.is_line(row):
                self.browser.show_memory(row, session)
            case Moment(_, session) if session is not None:
                self.browser.show_session(session.id)

    @work(exclusive=True, group="fact")
    async def _show_fact(self, fact_id: int, hold: bool = False) -> None:
        has_marks = self.browser.team_marks.is_on
        view = await self.browser.side.run(lambda store: fact_view(store, fact_id, has_marks=has_marks))
        await self.pane.show(view, self.browser.now(), hold=hold)
        self._select()
        # Of what is shown only now, the footer's keys can do something.
        self.refresh_bindings()

    @work(group="files", exclusive=True)
    async def look_at_files(self) -> None:
        """Take in what was changed in the files that notes are, while any of these is in view."""
        if self.app.current_mode == self.mode and not self.browser.read_only:
            if self._watch is None:
                from memtui.store.formats.scheme_c.notes import NoteWatch

                self._watch = NoteWatch()
            if await self.browser.side.run(self._watch.look):
                self.browser.look()

    @work(exclusive=True, group="facts")
    async def _load(self, hold: bool = False) -> None:
        entity = self._entity.entity
        kind, words = LETTERS[self.kinds.current], self.words
        provider = fact_provider(self.browser.reader, kind, entity, words)
        counts, notes = await self.browser.side.run(partial(_holdings, entity=entity))
        self.heading.left = Content.assemble((_("that name "), DIM), plain(entity or "", "bold"))
        self.heading.right = plain(_("press w for another, or for all"), DIM)
        self.set_class(entity is not None, "-entity")
        self.kinds.counts = dict(zip(self.kinds.names[1:], counts[1:], strict=True))
        self.tabs.counts = {_("Facts"): counts[0], _("Notes"): len(notes)}
        self.set_class(not counts[0] and entity is None, "-no-facts")
        self.set_class(not notes, "-no-notes")
        self.refresh_bindings()
        if words:
            notes = await asyncio.to_thread(_holding, notes, words)
        await self.notes.set_provider(ListProvider(notes), keep=self.notes.key if hold else None)
        await self.facts.set_provider(provider, keep=self.facts.key if hold else None)
        self.set_class(not self.facts.count, "-none")
        await self.show_sought()
        self.refresh_bindings()
        if hold and self.pane.view is not None:
            self._show_fact(self.pane.view.fact.id, hold=True)

    async def move_selection(self, ref: str, row: ListRow | None) -> None:
        if row is not None and row.kind == "fact":
            self.tabs.current = 0
            await self.facts.move_to(lambda fact: f"f{fact.id}" == ref)
        elif ref.startswith("n"):
            self.tabs.current = 1
            await self.notes.move_to(lambda note: f"n{note.id}" == ref)


def _holdings(store: Store, entity: str | None) -> tuple[list[int], list[Note]]:
    """How many facts that name an entity there are in all and of each kind, and the notes."""
    return [store.facts.count(letter, entity=entity) for letter in LETTERS], store.notes.list()


def _holding(notes: list[Note], words: str) -> list[Note]:
    wanted = words_of(words)
    return [note for note in notes if hold(wanted, note.path, note.project, note.text)]


def _entities(store: Store, kind: FactKind | None) -> list[Choice]:
    """Everything that facts of a kind name, the most often named first."""
    entities = store.facts.entities(kind)
    return [EVERYTHING, *(Choice(entity=name, count=many) for name, many in entities)]


def _counted(store: Store, kind: FactKind | None) -> str:
    """Return of which facts of a kind it is counted what they name; `` where of all."""
    if kind is None or store.facts.count(kind) <= store.facts.asked:
        return ""
    return _("newest {count} counted", count=f"{store.facts.asked:,}")
