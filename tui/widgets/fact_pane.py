"""A fact in full, and under it the memories that it rests on."""

from __future__ import annotations

from collections.abc import Iterator

from textual import getters
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from store import Entry

from ..ages import age, full
from ..fact_view import FactView
from ..text import DIM, plain
from .fact_list import KINDS, confidence
from .growing_text import GrowingText
from .heading import Heading
from .moments import rows
from .text_view import Passage
from .timeline_list import TimelineList


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
    def entry(self) -> Entry | None:
        """The selected piece of evidence while the focus is there, else the fact."""
        if self.evidence.has_focus and self.evidence.entry is not None:
            return self.evidence.entry
        return self.view.entry if self.view else None

    def compose(self) -> ComposeResult:
        yield GrowingText()
        yield Heading()
        yield TimelineList(id="evidence")

    async def show(self, view: FactView, now: int, *, hold: bool = False) -> None:
        """Show a fact as it is at `now`; with `hold` it is the same one again."""
        self.view = view
        self.text.show(list(_passages(view, now)), hold=hold)
        self.heading.left = Content.assemble(("Evidence", "bold"), (f" {len(view.fact.evidence)}", DIM))
        self.heading.right = plain(f"{view.gone} not in this store" if view.gone else "", DIM)
        moments = list(rows(view.evidence, view.sessions))
        await self.evidence.show(moments, scope="all", hold=hold)


def _passages(view: FactView, now: int) -> Iterator[Passage]:
    fact = view.fact
    word, style = KINDS[fact.kind]
    yield Passage(plain(fact.content, "bold", newlines=True))
    yield Passage(Content.styled(f"{fact.kind} {word}", style), "Kind", space=1)
    yield Passage(confidence(fact.confidence), "Confidence")
    if fact.project:
        yield Passage(plain(fact.project), "Project")
    if fact.entities:
        yield Passage(plain(", ".join(fact.entities)), "Entities")
    for number, source in enumerate(fact.sources):
        yield Passage(plain(source), "" if number else "Sources")
    yield Passage(
        plain(f"{full(fact.created_at)} · {age(fact.created_at, now)} · f{fact.id}"), "Since"
    )
