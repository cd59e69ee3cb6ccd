"""A fact in full, and under it the memories that it rests on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, cast

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

if TYPE_CHECKING:
    from ..app import MemApp


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
        selected = self.evidence.entry if self.evidence.has_focus else None
        if self.view is None or selected is None:
            return self.view.entry if self.view else None
        return self.view.subject(selected)

    def is_telling(self, entry: Entry) -> bool:
        """Whether a piece of evidence is a line that told the fact, and no memory of its own."""
        return self.view is not None and entry.document_id in self.view.tells

    def compose(self) -> ComposeResult:
        yield GrowingText()
        yield Heading()
        yield TimelineList(id="evidence")

    async def show(self, view: FactView, now: int, *, hold: bool = False) -> None:
        """Show a fact as it is at `now`; with `hold` it is the same one again."""
        self.view = view
        # The evidence is listed below, by what it is called rather than by its uids.
        # So are the places in which it was told.
        places = {place for one in view.tells.values() for place in one.places}
        others = tuple(one for one in view.fact.sources if one not in places)
        fact = replace(view.fact, evidence=(), sources=others)
        read_only = cast("MemApp", self.app).read_only
        passed = passages(fact, view.entry, None, Query(), now, read_only=read_only)
        self.text.show(passed, hold=hold)
        self.heading.left = Content.assemble(
            ("Evidence", "bold"), (f" {len(view.fact.evidence)}", DIM)
        )
        told = len({(one.source, one.session, one.places) for one in view.told})
        parts = (
            f"told {told} times" if told > 1 else "",
            f"{view.gone} not in this store" if view.gone else "",
        )
        self.heading.right = plain(" · ".join(filter(None, parts)), DIM)
        moments = list(rows(view.evidence, view.sessions))
        await self.evidence.show(moments, scope="all", hold=hold)
