"""One fact with the memories that it rests on, and one note: as a pane beside the list, and as a whole
screen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from textual import events, getters, on, work
from textual.app import ComposeResult
from textual.containers import Vertical

from memtui.store import Fact, FactSource, ListRow, Note, NotFoundError, Pointers, Query, Store, ref
from memtui.store.context.broken_rules import RuleUse, rule_use
from memtui.store.platform.translation import N_, _
from memtui.store.text.markup import sections
from memtui.store.text.plural import count_noun

from ..parts.document_view import DocumentView, GrowingDocument
from ..protocol import ReadingMode, browser
from ..screen import MemScreen
from ..text.ages import ago
from ..text.content import DIM, Passage, joined, plain
from ..text.markdown.blocks import document
from ..text.records import Surroundings, record_passages
from ..text.team_mark import mark_of
from ..timeline.lists import TimelineList, sessions_of
from ..timeline.moments import Moment, NamedSession, timeline_rows
from .insist import INSIST, InsistingScreen
from .supersede import SUPERSEDE

if TYPE_CHECKING:
    from memtui.store.records.sharing import TeamMark


class FactPane(Vertical):
    """Shows a `FactView`."""

    DEFAULT_CSS = """
    FactPane {
        & GrowingDocument { max-height: 60%; }
        & TimelineList { height: 1fr; }
    }
    """

    text = getters.query_one(GrowingDocument)
    evidence = getters.query_one(TimelineList)

    view: FactView | None = None
    """What is shown."""

    @property
    def row(self) -> ListRow | None:
        """The selected piece of evidence while the focus is there, else the fact."""
        selected = self.evidence.row if self.evidence.has_focus else None
        if self.view is None or selected is None:
            return self.view.row if self.view else None
        return self.view.subject(selected)

    def is_line(self, row: ListRow) -> bool:
        """Whether a piece of evidence is a line that the fact was read from, not a memory of its own."""
        return self.view is not None and row.document_id in self.view.lines

    def compose(self) -> ComposeResult:
        yield GrowingDocument()
        yield TimelineList(id="evidence")

    def on_mount(self) -> None:
        self.text.entitle(_("Fact"))

    async def show(self, view: FactView, now: int, *, hold: bool = False) -> None:
        """Show a fact as it is at `now`; with `hold` it is the same one again."""
        self.view = view
        # The evidence is listed below, by what it is called rather than by its uids.
        # So are the places of the lines that it was read from.
        places = {place for source in view.lines.values() for place in source.places}
        others = tuple(text for text in view.fact.sources if text not in places)
        fact = replace(view.fact, evidence=(), sources=others)
        read_only = browser(self).read_only

        def render(reading: ReadingMode) -> list[Passage]:
            return record_passages(
                fact, view.row, None, Query(), now,
                read_only=read_only, reading=reading,
                beside=Surroundings(
                    pointers=view.pointers, use=view.use, machine=view.machine, mark=view.mark
                ),
            )  # fmt: skip

        self.text.show_document(render, hold=hold)
        times = len(
            {(fact_source.source, fact_source.session, fact_source.places) for fact_source in view.sources}
        )
        parts = (
            f"{len(view.fact.evidence):,}",
            _("told {times} times", times=times) if times > 1 else "",
            _("{count} not in this store", count=view.gone) if view.gone else "",
        )
        self.evidence.entitle(_("Evidence"), joined(*parts))
        self.evidence.unmarkable = view.lines
        moments = list(timeline_rows(view.evidence, view.sessions))
        await self.evidence.show(moments, scope="all", hold=hold)


class NoteView(DocumentView):
    """Shows a note; as it is stored, with the numbers of its lines."""

    def on_mount(self) -> None:
        self.entitle(_("Note"))

    def show_note(self, note: Note, now: int, *, hold: bool = False) -> None:
        """Show a note as it is at `now`; with `hold` it is the same one again."""
        self.show_document(lambda reading: list(_passages(note, now, reading)), hold=hold)


MOST = 200


@dataclass(frozen=True, slots=True)
class FactView:
    """A fact, its row, and the rows of its evidence in time order; `gone` counts those not here, and
    `machine` is the other one that it was made on, if it was; `mark` its own in a team.

    A piece of evidence is a memory, or a line that the fact was read from. `lines` maps the document
    numbers of such lines, which are below zero, to their sources; they lead to their session.
    """

    fact: Fact
    row: ListRow
    evidence: list[ListRow]
    sessions: dict[int, NamedSession]
    gone: int
    sources: list[FactSource]
    lines: dict[int, FactSource]
    pointers: Pointers
    use: RuleUse
    machine: str
    mark: TeamMark | None

    def subject(self, row: ListRow) -> ListRow:
        """Return what the keys work on where this piece of evidence is selected: the memory, or the
        fact with the session and time of the line."""
        if row.document_id not in self.lines:
            return row
        return replace(self.row, session_id=row.session_id, created_at=row.created_at)


def fact_view(store: Store, fact_id: int, *, has_marks: bool) -> FactView:
    """Return a fact by its number with its evidence. Raises NotFoundError."""
    fact = store.facts.get(fact_id)
    own = store.list_row(fact)
    sources = store.facts.sources_of(fact)
    by_uid = {source.uid: source for source in sources}
    rows: list[ListRow] = []
    lines: dict[int, FactSource] = {}
    for number, uid in enumerate(fact.evidence[:MOST], start=1):
        if uid in by_uid:
            lines[-number] = by_uid[uid]
            rows.append(_line_row(store, own, -number, by_uid[uid]))
            continue
        try:
            rows.append(store.list_row(store.record(uid)))
        except NotFoundError:
            continue
    use = rule_use(store, fact)
    broke = {row.ref: row for row in use.turns}
    gone = len(fact.evidence) - len(rows)
    rows = [row for row in rows if row.ref not in broke]
    rows += [replace(row, title=f"‼ {row.title}") for row in use.turns]
    rows.sort(key=lambda row: (row.created_at, row.document_id))
    pointers = store.superseding.pointers(fact)
    machine = store.machine_name(fact.origin)
    mark = mark_of(store, fact) if has_marks else None
    return FactView(
        fact, own, rows, sessions_of(store, rows), gone, sources, lines, pointers, use, machine, mark
    )


class FactScreen(InsistingScreen):
    """The fact with this number."""

    CSS_PATH = "fact.tcss"
    BINDINGS = [SUPERSEDE, INSIST]
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


def _passages(note: Note, now: int, reading: ReadingMode) -> Iterator[Passage]:
    yield Passage(plain(note.path, "bold"))
    changed = ago(note.updated_at, now)
    passages = sections(note.text)
    headed = sum(1 for section in passages if section.level)
    bullets = sum(len(section.bullets) for section in passages)
    parts = (
        note.project,
        changed and _("changed {when}", when=changed),
        count_noun(headed, "sections") if headed else "",
        count_noun(bullets, "bullets") if bullets else "",
        count_noun(len(note.text), "characters"),
    )
    yield Passage(plain(joined(*parts), DIM))
    if not reading.raw:
        for number, passage in enumerate(document(note.text, Query(), reading)):
            yield passage if number else replace(passage, space=1)
        return
    headings = {section.line for section in passages if section.level}
    for number, line in enumerate(note.text.splitlines(), start=1):
        style = "bold $text-primary" if number in headings else ""
        label = str(number).rjust(len(str(note.text.count("\n") + 1)))
        yield Passage(plain(line.rstrip(), style), label, space=0 if number > 1 else 1)


def _line_row(store: Store, own: ListRow, number: int, source: FactSource) -> ListRow:
    """Return a line that a fact was read from as a list row."""
    session = store.sessions.find(source.session) if source.session else None
    sure = f"{source.confidence:.0%}"
    where = _(", ").join(source.places)
    return replace(
        own,
        document_id=number,
        title=_("told with {confidence} in {places}", confidence=sure, places=where)
        if where
        else _("told with {confidence}", confidence=sure),
        session_id=session.id if session else None,
        agent=session.agent if session else "",
        created_at=source.told_at,
        pinned=False,
    )
