"""Where the result list gets its rows: the newest that pass the filters, or the best of a search."""

from __future__ import annotations

from asyncio import wait_for, wrap_future
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from memtui.store import (
    Correction,
    Count,
    Hit,
    ListRow,
    NotFoundError,
    Page,
    Query,
    Snippet,
    Store,
    highlight,
    parse,
)
from memtui.store.aio import AsyncStore
from memtui.store.platform.translation import _

from ..text.rows import second_line
from .request import SearchRequest

if TYPE_CHECKING:
    from memtui.store.records.sharing import TeamMark

    from ..text.content import Passage

FIRST_HITS = 30
GROWTH = 4
SOON = 0.25
"""Seconds after which a search gives what it has found by then, and can search on."""
PATIENCE = 10.0
"""Seconds after which it is left at that."""

SLOWEST_MODEL = 2.0
"""Seconds that rows in the order of their meaning wait for what that is of the query."""


class Away(Protocol):
    """What isn't here: a server has it alone."""

    @property
    def mark(self) -> TeamMark:
        """Whose it is."""

    @property
    def why(self) -> str:
        """Why nothing can be done to it."""

    def passages(self, now: int) -> list[Passage]:
        """Return all that the server said of it."""


@dataclass(frozen=True)
class Found:
    """A hit, and its title with the matches highlighted."""

    hit: Hit
    title: Snippet
    away: Away | None = None
    """What the team's server said of it, where it has it alone."""

    @cached_property
    def second_line(self) -> Snippet | None:
        """What it says beyond its title; None where that is nothing."""
        return second_line(self.hit)


class Newest:
    """All that pass a query of filters only, the newest first, however many."""

    complete, related, end = True, 0, ""
    trouble, like, by_meaning, is_late = "", "", False, False
    ranked: int | None = None
    corrections: tuple[Correction, ...] = ()
    searches_on = False

    def __init__(self, reader: AsyncStore, asked: SearchRequest) -> None:
        self.reader = reader
        self.asked = asked
        self.query = self.query_highlighted = asked.query

    async def count(self) -> int:
        return await self.reader.run(lambda store: store.find(self.query).count().value)

    async def page(self, start: int, length: int) -> Sequence[Found]:
        def found(store: Store) -> list[Found]:
            return list(_found(store.find(self.query).page(start, length).hits, self.query))

        return await self.reader.run(found)

    async def position(self, item: Found) -> int | None:
        return await self.reader.run(lambda store: store.find(self.query).position(item.hit.row))

    async def not_before(self, at: int) -> int:
        """Return how many rows are as new as a moment (ms), or pinned before all others."""
        return await self.reader.run(lambda store: store.find(self.query).not_before(at))

    async def position_of(self, row: ListRow) -> int | None:
        """Return the index of a memory, None where it isn't among the rows."""

        def place(store: Store) -> int | None:
            hits = store.find(self.query)
            position = hits.position(row)
            there = hits.rows(position, 1)
            return position if there and there[0].ref == row.ref else None

        return await self.reader.run(place)


class Ranked:
    """The best hits of a query with words: few at first, more when `grow` was called.

    Each reading of the provider (its `count`) searches anew. The first takes no longer than `SOON`;
    where that was too short, `searches_on` is true until `stop`, or until what `search_on` has
    let the next reading find is here. The order by meaning may be `is_late`: the next reading after it came
    has it, or, where the order is to stay (`keeps_order`), adds what is new below the rows there are.
    """

    def __init__(self, reader: AsyncStore, asked: SearchRequest) -> None:
        self.reader = reader
        self.asked = asked
        self.query = asked.query
        self.searches_on = False
        self.keeps_order = False
        self._limit = FIRST_HITS
        self._seconds = SOON
        self._stopped = False
        self._page = Page([])
        self._found: list[Found] = []
        self.like = ""
        """The title of the memory that the rows are like; `` where the query names none."""

    @property
    def complete(self) -> bool:
        """Whether the rows are all there are."""
        return self._page.complete

    @property
    def related(self) -> int:
        """How many of the rows hold only some of the words, or what was meant; they come last."""
        return sum(item.hit.tier == "related" for item in self._found)

    @property
    def exact(self) -> Count:
        """How many memories hold every term, as far as that is known: all records of the turns."""
        hits = (item.hit for item in self._found if item.hit.tier == "exact")
        return Count(sum(1 + (len(hit.turn.others) if hit.turn else 0) for hit in hits), self.complete)

    @property
    def ranked(self) -> int | None:
        """None when the rows are ranked throughout; else only the newest so many matches are."""
        return self._page.ranked

    @property
    def by_meaning(self) -> bool:
        """Whether hits are ordered by meaning alone."""
        return self._page.by_meaning

    @property
    def is_late(self) -> bool:
        """Whether the order by meaning may come yet."""
        return self._page.is_late

    @property
    def trouble(self) -> str:
        """Why there are no hits by meaning, in a sentence; `` where they are only late, or not kept."""
        return "" if self._page.is_late else self._page.trouble

    @property
    def query_highlighted(self) -> Query:
        """Whose words are highlighted: what was meant, where something else was typed."""
        return _query_highlighted(self.query, self.corrections)

    @property
    def corrections(self) -> tuple[Correction, ...]:
        """What the words that no memory holds may have meant."""
        return self._page.corrections

    @property
    def end(self) -> str:
        """Why these may not be all that match, in words; `` when they are all that was asked for."""
        if self.searches_on:
            return _("searching on…")
        if self.is_late:
            return _("meaning follows…")
        if not self._page.partial:
            return ""
        if self._stopped:
            return _("stopped")
        return _("stopped after {seconds} s", seconds=f"{PATIENCE:.0f}")

    async def count(self) -> int:
        was_late, before = self.is_late, self._found
        await self._search()
        if self.is_late and self.query.sort == "meaning" and await self.meaning_comes(SLOWEST_MODEL):
            await self._search()
        elif was_late and not self.is_late and self.keeps_order:
            self._found = _added(before, self._found)
        return len(self._found)

    async def _search(self) -> None:
        seconds = self._seconds

        def found(store: Store) -> tuple[Page, list[Found], str]:
            page = store.find(self.query).page(
                limit=self._limit,
                related=not self.asked.exact_only,
                seconds=seconds,
                turns=self.asked.turns,
            )
            rows = list(_found(page.hits, _query_highlighted(self.query, page.corrections)))
            return page, rows, _title_of(store, self.query.similar)

        self._page, self._found, self.like = await self.reader.run(found)
        self.searches_on = self._page.partial and seconds < PATIENCE

    async def meaning_comes(self, seconds: float | None = None) -> bool:
        """Wait till vectors that are late have come, or can't come; False where that is longer than
        some seconds."""
        text = self.query.plain_text
        coming = await self.reader.run(lambda store: store.meaning().awaited(text))
        try:
            await wait_for(wrap_future(coming), seconds) if coming else None
        except TimeoutError:
            return False
        return True

    async def page(self, start: int, length: int) -> Sequence[Found]:
        return self._found[start : start + length]

    async def not_before(self, at: int) -> int | None:
        """Return how many of the rows so far are as new as a moment (ms); None where they may go on so."""
        results = [item for item in self._found if item.hit.tier != "related"]
        place = next((n for n, entry in enumerate(results) if entry.hit.row.created_at < at), None)
        return len(results) if place is None and self.complete else place

    def grow(self) -> bool:
        """Look for more at the next reading; False where there are none, or that is still to come."""
        if self.complete or self.searches_on or self._limit > len(self._found):
            return False
        self._limit *= GROWTH
        return True

    def search_on(self) -> None:
        """Let the next reading take its time."""
        self._seconds = PATIENCE

    def stop(self) -> None:
        """Leave it at what was found so far."""
        self.searches_on, self._stopped = False, True


def provider(reader: AsyncStore, asked: SearchRequest) -> Newest | Ranked:
    """Return the provider of the rows that are asked for here."""
    return (Newest if asked.query.is_filter_only else Ranked)(reader, asked)


def _added(before: Sequence[Found], rows: Sequence[Found]) -> list[Found]:
    """The rows there were, as they are now and in the order that they had, and below them the new ones."""
    now = {item.hit.row.document_id: item for item in rows}
    kept = [now.pop(entry.hit.row.document_id, entry) for entry in before]
    return [*kept, *now.values()]


def _title_of(store: Store, ref: str) -> str:
    try:
        return store.list_row(store.record(ref)).title if ref else ""
    except NotFoundError:
        return ""


def _query_highlighted(query: Query, corrections: Sequence[Correction]) -> Query:
    return parse(corrections[0].query, typing=query.typing) if corrections else query


def _found(hits: Iterable[Hit], query: Query) -> Iterator[Found]:
    for hit in hits:
        if hit.tier == "related":
            # Cut here and kept: for these it asks the database, which only its own thread may.
            _ = hit.snippet
        yield Found(hit, highlight(hit.row.title, query))
