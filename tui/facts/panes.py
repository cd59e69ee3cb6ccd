"""A fact in full with the memories that it rests on, and a note in full."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from textual import getters
from textual.app import ComposeResult
from textual.containers import Vertical

from memtui.store import ListRow, Note, Query
from memtui.store.text.markdown import sections
from memtui.store.text.plural import count_noun
from memtui.store.translation import _

from ..parts.document_view import DocumentView, GrowingDocument
from ..protocol import ReadingMode, browser
from ..text.ages import ago
from ..text.content import DIM, Passage, joined, plain
from ..text.markdown.blocks import document
from ..text.records import Surroundings, record_passages
from ..timeline.lists import TimelineList
from ..timeline.moments import timeline_rows
from .view import FactView


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
                beside=Surroundings(pointers=view.pointers, machine=view.machine, mark=view.mark),
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
