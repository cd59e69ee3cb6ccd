"""A fact in full with the memories that it rests on, and a note in full."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from textual import getters
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from store import ListRow, Note, Query
from store.text.markdown import sections
from store.text.plural import count_noun

from ..parts.headings import Heading
from ..parts.text_view import GrowingText, TextView
from ..protocol import browser
from ..text.ages import ago
from ..text.content import DIM, Passage, joined, plain
from ..text.records import record_passages
from ..timeline.lists import TimelineList
from ..timeline.moments import timeline_rows
from .view import FactView


class FactPane(Vertical):
    """Shows a `FactView`."""

    DEFAULT_CSS = """
    FactPane {
        & GrowingText { max-height: 60%; }
        & Heading { margin-top: 1; }
        & TimelineList { height: 1fr; }
    }
    """

    text = getters.query_one(GrowingText)
    heading = getters.query_one(Heading)
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
        yield GrowingText()
        yield Heading()
        yield TimelineList(id="evidence")

    async def show(self, view: FactView, now: int, *, hold: bool = False) -> None:
        """Show a fact as it is at `now`; with `hold` it is the same one again."""
        self.view = view
        # The evidence is listed below, by what it is called rather than by its uids.
        # So are the places of the lines that it was read from.
        places = {place for one in view.lines.values() for place in one.places}
        others = tuple(one for one in view.fact.sources if one not in places)
        fact = replace(view.fact, evidence=(), sources=others)
        read_only = browser(self).read_only
        passed = record_passages(fact, view.row, None, Query(), now, read_only=read_only)
        self.text.show(passed, hold=hold)
        self.heading.left = Content.assemble(
            ("Evidence", "bold"), (f" {len(view.fact.evidence)}", DIM)
        )
        times = len({(one.source, one.session, one.places) for one in view.sources})
        parts = (
            f"told {times} times" if times > 1 else "",
            f"{view.gone} not in this store" if view.gone else "",
        )
        self.heading.right = plain(joined(*parts), DIM)
        moments = list(timeline_rows(view.evidence, view.sessions))
        await self.evidence.show(moments, scope="all", hold=hold)


class NoteView(TextView):
    """Shows a note; plain lines, so that a long one costs no more than what is in view."""

    def show_note(self, note: Note, now: int, *, hold: bool = False) -> None:
        """Show a note as it is at `now`; with `hold` it is the same one again."""
        self.show(list(_passages(note, now)), hold=hold)


def _passages(note: Note, now: int) -> Iterator[Passage]:
    yield Passage(plain(note.path, "bold"))
    changed = ago(note.updated_at, now)
    found = sections(note.text)
    headed = sum(1 for section in found if section.level)
    bullets = sum(len(section.bullets) for section in found)
    parts = (
        note.project,
        changed and f"changed {changed}",
        count_noun(headed, "sections") if headed else "",
        count_noun(bullets, "bullets") if bullets else "",
        f"{len(note.text):,} characters",
    )
    yield Passage(plain(joined(*parts), DIM))
    headings = {section.line for section in found if section.level}
    for number, line in enumerate(note.text.splitlines(), start=1):
        style = "bold $text-primary" if number in headings else ""
        label = str(number).rjust(len(str(note.text.count("\n") + 1)))
        yield Passage(plain(line.rstrip(), style), label, space=0 if number > 1 else 1)
