"""How keys and clicks change the query, beside what is typed."""

from __future__ import annotations

from textual import getters, on

from store import parse

from ..query_text import toggled, without
from ..widgets.chips import Chips
from ..widgets.did_you_mean import DidYouMean
from ..widgets.facet_lines import FacetLines
from ..widgets.no_hits import NoHits
from ..widgets.query_bar import QueryBar
from ..widgets.results import Results
from .base import MemScreen


class QueryEditing(MemScreen):
    """A screen with a query line and results; whatever changes the line searches as typing does."""

    bar = getters.query_one(QueryBar)
    results = getters.query_one(Results)

    def ask(self, text: str) -> None:
        """Put another query into the query line, and search."""
        self.bar.input.value = text
        self.bar.input.action_end()

    def action_query(self) -> None:
        """To the query line."""
        # Not focus(), which waits: what is typed right after the key would go to where it was.
        self.set_focus(self.bar.input)

    def action_drop_filter(self) -> None:
        """Remove the query's last filter."""
        query = parse(self.bar.input.value)
        self.ask(without(query.text, query.chips[-1]))

    def action_correct(self) -> None:
        """Search for what was meant."""
        self.results.did_you_mean.action_take()

    @on(Chips.Removed)
    def _remove(self, message: Chips.Removed) -> None:
        self.ask(without(self.bar.input.value, message.chip))

    @on(FacetLines.Chosen)
    def _narrow(self, message: FacetLines.Chosen) -> None:
        self.ask(toggled(self.bar.input.value, message.filter))

    @on(DidYouMean.Taken)
    def _correct(self, message: DidYouMean.Taken) -> None:
        self.ask(message.text)

    @on(NoHits.Taken)
    def _take(self, message: NoHits.Taken) -> None:
        self.ask(message.text)
        self.action_query()
