"""What a search found: its rows, how they divide, and where there are none, suggestions."""

from __future__ import annotations

from asyncio import sleep
from dataclasses import dataclass, replace

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.widget import Widget

from memtui.store import Correction, Count, ListRow, Query, Store
from memtui.store.platform.leaves import leaf
from memtui.store.platform.translation import _
from memtui.store.text.display import safe
from memtui.store.text.plural import count_noun

from ..protocol import Browser
from .facet_column import FacetColumn
from .facets import FacetGrid, FacetLines, FacetView
from .panes import ResultList
from .providers import Newest, Ranked
from .request import ResultCounts, SearchRequest
from .suggestions import DidYouMean, MoreInFiles, NoHits, Suggestions, asks_for_files, suggest

FURTHEST = 5_000
"""Hits of a search with words among which a date is looked for."""
PAUSE = 0.12
"""Seconds without a search after which hits are counted: no counting while someone types."""


class Results(Vertical):
    """The rows of a provider. Counts follow by and by, and come last to nobody's delay.

    A search that is not through soon shows what it has found, and goes on in the background.
    """

    @dataclass
    class Counted(Message):
        """How much a query finds, as far as is known."""

        counts: ResultCounts

    class Arrived(Message):
        """A search that went on in the background has brought other rows, or was stopped."""

    def __init__(
        self, browser: Browser, rows: type[ResultList] = ResultList, *, id: str | None = None
    ) -> None:
        super().__init__(id=id)
        self._browser = browser
        # Not looked up: what arrives after the screen was left finds them too.
        self.list = rows(browser.now)
        self.no_hits = NoHits()
        self.facet_lines = FacetLines()
        self.facet_column = FacetColumn()
        """Stands beside it, where there is room; else there are the lines."""
        self.did_you_mean = DidYouMean()
        self.more_in_files = MoreInFiles()
        self._provider: Newest | Ranked | None = None
        self.counts = ResultCounts(SearchRequest(), Count(0, exact=True))

    @property
    def asked(self) -> SearchRequest:
        """What the rows are of."""
        return self._provider.asked if self._provider else SearchRequest()

    @property
    def query_highlighted(self) -> Query:
        """Whose words the rows show as matched."""
        return self._provider.query_highlighted if self._provider else Query()

    @property
    def corrections(self) -> tuple[Correction, ...]:
        """What mistyped words of the query may have meant."""
        return self._provider.corrections if self._provider else ()

    @property
    def searches_on(self) -> bool:
        """Whether more is being looked for."""
        return self._provider is not None and self._provider.searches_on

    @property
    def are_none(self) -> bool:
        """Whether there is no row, and none to come."""
        is_late = self._provider is not None and self._provider.is_late
        return not self.list.count and not self.searches_on and not is_late

    @property
    def facets(self) -> FacetView:
        """How the rows divide: the column or the lines, whichever there is room for."""
        return self.facet_column if self.facet_column.display else self.facet_lines

    @property
    def front(self) -> Widget:
        """What can have the focus."""
        return self.no_hits if self.are_none else self.list

    def compose(self) -> ComposeResult:
        yield self.did_you_mean
        yield self.list
        yield self.no_hits
        yield self.more_in_files
        yield self.facet_lines

    async def show(self, provider: Newest | Ranked) -> None:
        """Replace the rows, when the new ones are there."""
        for group in ("later", "late", "count", "facets"):
            self.workers.cancel_group(self, group)
        self.list.shows_told = provider.asked.query.asks_how_often
        await self.list.set_provider(provider)
        self._provider = provider
        if self.list.is_following and not self.asked.is_by_time:
            self.list.follow(on=False)
        self._arrived()

    async def show_again(self) -> None:
        """Show what was written meanwhile; the selected row stays selected."""
        await self.list.reload(reveal=True)
        self._arrived()

    async def not_before(self, at: int) -> int:
        """Return how many rows are as new as a moment (ms); of a search with words more are looked for
        until these are all, or `FURTHEST`."""
        provider = self._provider
        while isinstance(provider, Ranked):
            place = await provider.not_before(at)
            if place is not None:
                return place
            if self.list.count >= FURTHEST or not provider.grow():
                return self.list.count
            await self.list.reload()
        return 0 if provider is None else await provider.not_before(at)

    async def move_to(self, row: ListRow) -> bool:
        """Select a memory, if it is among the rows; return whether it is."""
        if isinstance(self._provider, Newest):
            place = await self._provider.position_of(row)
            if place is not None:
                self.list.cursor = place
                return True
        return await self.list.move_to(lambda result: result.hit.row.ref == row.ref)

    def stop(self) -> None:
        """Leave it at what was found so far."""
        if isinstance(self._provider, Ranked) and self._provider.searches_on:
            self.workers.cancel_group(self, "later")
            self._provider.stop()
            self._arrived()
            self.post_message(self.Arrived())

    @on(ResultList.NearEnd)
    @work(group="later")
    async def _grow(self) -> None:
        # Other rows may have come since the message was sent.
        more = isinstance(self._provider, Ranked) and self.list.is_near_end and self._provider.grow()
        if more:
            await self.list.reload()
            self._go_on()

    @work(exclusive=True, group="later")
    async def _search_on(self, provider: Ranked) -> None:
        provider.search_on()
        await self.list.reload(reveal=True)
        self._arrived()
        self.post_message(self.Arrived())

    @work(exclusive=True, group="late")
    async def _add_late(self, provider: Ranked) -> None:
        """Show the order by meaning when its model has answered, unless a row is selected that it would
        move."""
        await provider.meaning_comes()
        provider.keeps_order = self.list.cursor > 0
        if provider.keeps_order:
            await self.list.reload()
        else:
            await self.list.set_provider(provider)
        self._arrived()
        self.post_message(self.Arrived())

    def _arrived(self) -> None:
        if self._provider is None:
            return
        self.did_you_mean.corrections = self.corrections
        self.did_you_mean.trouble = self._provider.trouble
        for facets in (self.facet_lines, self.facet_column):
            facets.asked = self.asked
        if self.are_none:
            trouble = self._provider.trouble if self.asked.is_on_server else ""
            self.no_hits.suggestions = Suggestions(self.asked.query, (), trouble=trouble)
        provider = self._provider
        exact = provider.exact if isinstance(provider, Ranked) else Count(self.list.count, True)
        self._tell(provider, exact)
        self._go_on()
        if isinstance(provider, Ranked) and provider.is_late:
            self._add_late(provider)
        if self.list.is_at_end:
            self._grow()
        if not provider.searches_on:
            self._count(provider)
            if self.facets.display and self.counts.count.value:
                self.count_facets()

    def _go_on(self) -> None:
        if isinstance(self._provider, Ranked) and self._provider.searches_on:
            self._search_on(self._provider)

    def _tell(self, provider: Newest | Ranked, exact: Count) -> None:
        rows = self.list.count - provider.related
        self.counts = ResultCounts(
            provider.asked,
            exact,
            provider.related,
            provider.ranked,
            provider.end,
            provider.by_meaning,
            rows if provider.complete and rows != exact.value else None,
        )
        is_search = bool(provider.query.text.strip())
        title = _("Results") if is_search else _("Memories")
        if provider.like:
            memory, name = safe(provider.query.similar), safe(provider.like)
            title = _("Like {memory}: {title}", memory=memory, title=name)
        shown = self.counts.rows
        beside = str(self.counts.count)
        if shown is not None:
            beside = _("{count} in {rows}", count=beside, rows=count_noun(shown, "rows"))
        if provider.related:
            beside = _("{count} + {related} related", count=beside, related=provider.related)
        self.list.entitle(title, beside)
        self.post_message(self.Counted(self.counts))

    @on(Counted)
    def _show_facets(self, message: Counted) -> None:
        for facets in (self.facet_lines, self.facet_column):
            facets.set_class(not message.counts.count.value, "-empty")

    @work(exclusive=True, group="count")
    async def _count(self, provider: Newest | Ranked) -> None:
        query, counter = provider.query, self._browser.counter
        await sleep(PAUSE)
        await self._count_in_files(query)
        if (counts := await self.counted(self.counts)) is not self.counts:
            self._tell(provider, counts.count)
        if self.are_none and not self.asked.is_on_server:
            self.no_hits.suggestions = await counter.run(
                lambda store: suggest(store, provider.asked, provider.corrections)
            )

    async def counted(self, counts: ResultCounts) -> ResultCounts:
        """Return the counts with all exact hits, where these were not all found and nothing ended it."""
        if counts.count.exact or counts.end:
            return counts
        count = await self._browser.counter.run(lambda store: store.find(counts.query).count())
        return replace(counts, count=count)

    async def _count_in_files(self, query: Query) -> None:
        self.more_in_files.words = query.text
        count = 0
        asks = query.has_words or asks_for_files(query.text)
        if asks and self._browser.has_mode("files"):
            count = await self._browser.counter.run(lambda store: _in_files(store, query))
        self.more_in_files.count = count

    @on(FacetView.Shown)
    @work(exclusive=True, group="facets")
    async def count_facets(self) -> None:
        """Count how the results divide."""
        # Whoever is in them waits for the counts.
        await sleep(0 if self.facets.has_focus else PAUSE)
        asked, counter = self.asked, self._browser.counter
        grid = await counter.run(
            lambda store: FacetGrid.of(store.find(asked.query).facets(), asked.filters)
        )
        self.facet_lines.grid = self.facet_column.grid = grid


def _in_files(store: Store, query: Query) -> int:
    if asks_for_files(query.text):
        return len(leaf("files.overview").files_with(store, query.text))
    index = leaf("files.index")
    return int(index.count_in(index.index_path(store.path), query))
