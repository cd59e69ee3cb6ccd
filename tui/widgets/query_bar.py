"""The query line: what is typed, what of it was understood, and how much it finds."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from textual import getters
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Static

from store import Query

from ..tally import Tally
from ..text import plain
from .chips import Chips
from .query_input import QueryInput

PATIENCE = 0.15
"""Seconds after which the bar says that it is at work."""
AROUND = 4
"""Cells for the prompt before the query, the cursor behind it, and a blank."""


class QueryBar(Horizontal):
    """`❯ token refresh   [type:bugfix ×]   38 hits`."""

    DEFAULT_CSS = """
    QueryBar {
        height: 1;
        padding: 0 1;
        & > #prompt { width: 2; color: $accent; }
        & > QueryInput { width: 1fr; background: $background; &:focus { background-tint: transparent; } }
        & > Chips { max-width: 60%; margin: 0 0 0 1; }
        &:focus-within > #prompt { text-style: bold; }
    }
    """

    input = getters.query_one(QueryInput)
    chips = getters.query_one(Chips)

    def compose(self) -> ComposeResult:
        yield Static("❯", id="prompt")
        yield QueryInput(id="query")
        yield Chips()

    def understood(self, query: Query) -> None:
        """Show the query's filters, as far as the query itself leaves room."""
        self.chips.beside = AROUND + plain(query.text).cell_length
        self.chips.chips = query.chips

    def found(self, tally: Tally) -> None:
        """Show how much a query finds, and in which order."""
        self.chips.count = tally.words

    @contextmanager
    def searching(self) -> Iterator[None]:
        """Where a search takes long enough to wonder, say so instead of the count."""
        timer = self.set_timer(PATIENCE, self._say_searching)
        try:
            yield
        finally:
            timer.stop()

    def _say_searching(self) -> None:
        self.chips.count = "searching…"
