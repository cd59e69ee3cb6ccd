"""A fact in full, and under it the memories that it rests on."""

from __future__ import annotations

from dataclasses import replace

from textual import getters
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from store import Entry, Query

from ..fact_view import FactView
from ..record_text import passages
from ..text import DIM, plain
from .growing_text import GrowingText
from .heading import Heading
from .moments import rows
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
        # The evidence is listed below, by what it is called rather than by its uids.
        fact = replace(view.fact, evidence=())
        self.text.show(passages(fact, view.entry, None, Query(), now), hold=hold)
        self.heading.left = Content.assemble(
            ("Evidence", "bold"), (f" {len(view.fact.evidence)}", DIM)
        )
        self.heading.right = plain(f"{view.gone} not in this store" if view.gone else "", DIM)
        moments = list(rows(view.evidence, view.sessions))
        await self.evidence.show(moments, scope="all", hold=hold)
