"""What a search found: its rows, how they divide, and where there are none, the ways on."""

from __future__ import annotations

from asyncio import sleep
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import getters, on, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.widget import Widget

from store import Count, Query

from ..finding import Newest, Ranked
from ..ways_on import nothing
from .facet_lines import FacetLines
from .no_hits import NoHits, Nothing
from .result_list import ResultList

if TYPE_CHECKING:
    from ..app import MemApp

PAUSE = 0.12
"""Seconds without a search after which hits are counted: no counting while someone types."""


class Results(Vertical):
    """The rows of a source. Counts follow by and by, and come last to nobody's delay."""

    list = getters.query_one(ResultList)
    no_hits = getters.query_one(NoHits)
    facets = getters.query_one(FacetLines)

    @dataclass
    class Counted(Message):
        """How many exact hits a query has, as far as is known, and how many related ones follow."""

        query: Query
        count: Count
        related: int

    def __init__(self, mem: MemApp, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._mem = mem
        self._source: Newest | Ranked | None = None

    @property
    def query_shown(self) -> Query:
        """What the rows are of."""
        return self._source.query if self._source else Query()

    @property
    def are_none(self) -> bool:
        """Whether there is no row."""
        return not self.list.count

    @property
    def front(self) -> Widget:
        """What can have the focus."""
        return self.no_hits if self.are_none else self.list

    def compose(self) -> ComposeResult:
        yield ResultList(self._mem.now)
        yield NoHits()
        yield FacetLines()

    async def show(self, source: Newest | Ranked) -> None:
        """Replace the rows, when the new ones are there."""
        await self.list.set_source(source)
        self._source = source
        self._arrived()

    async def show_again(self) -> None:
        """Show what was written meanwhile; the selected row stays selected."""
        await self.list.refresh_source(reveal=True)
        self._arrived()

    @on(ResultList.NearEnd)
    @work(group="grow")
    async def _grow(self) -> None:
        # Other rows may have come since the message was sent.
        more = isinstance(self._source, Ranked) and self.list.is_near_end and self._source.grow()
        if more:
            await self.list.refresh_source()

    def _arrived(self) -> None:
        if self.are_none:
            self.no_hits.nothing = Nothing(self.query_shown, ())
        if self._source is not None:
            self._count(self._source)

    @work(exclusive=True, group="count")
    async def _count(self, source: Newest | Ranked) -> None:
        query, counter = source.query, self._mem.counter
        exact = Count(self.list.count - source.related, source.complete)
        self.post_message(self.Counted(query, exact, source.related))
        await sleep(PAUSE)
        if not exact.exact:
            exact = await counter.run(lambda store: store.count(query))
            self.post_message(self.Counted(query, exact, source.related))
        if self.are_none:
            self.no_hits.nothing = await counter.run(lambda store: nothing(store, query))
        if self.facets.display:
            self.facets.facets = await counter.run(lambda store: store.facets(query))
