"""Where the result list gets its rows: the newest that pass the filters, or the best of a search;
and how much a query finds, in few words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from store import Correction, Count, Hit, ListRow, Query, Results, Snippet, Store, highlight, parse
from store.aio import AsyncStore

from ..text.second_line import second_line

FIRST_HITS = 30
GROWTH = 4
SOON = 0.25
"""Seconds after which a search gives what it has found by then, and can search on."""
PATIENCE = 10.0
"""Seconds after which it is left at that."""

SORTS = {"recent": "newest first", "pinned": "pinned first"}
RELATED = "~"
"""What the count says of related hits, and each of them says of itself."""


@dataclass(frozen=True)
class Found:
    """A hit, and its title with the matches highlighted."""

    hit: Hit
    title: Snippet

    @cached_property
    def second_line(self) -> Snippet | None:
        """What it says beyond its title; None where that is nothing."""
        return second_line(self.hit)


class Newest:
    """All that pass a query of filters only, the newest first, however many."""

    complete, related, end = True, 0, ""
    ranked: int | None = None
    corrections: tuple[Correction, ...] = ()
    searches_on = False

    def __init__(self, reader: AsyncStore, query: Query, *, exact_only: bool) -> None:
        self.reader = reader
        self.query = self.query_highlighted = query
        self.exact_only = exact_only

    async def count(self) -> int:
        return await self.reader.run(lambda store: store.listing_count(self.query))

    async def page(self, start: int, length: int) -> Sequence[Found]:
        def found(store: Store) -> list[Found]:
            return list(_found(store.listing_hits(self.query, start, length), self.query))

        return await self.reader.run(found)

    async def position(self, item: Found) -> int | None:
        return await self.reader.run(lambda store: store.position(self.query, item.hit.row))

    async def not_before(self, at: int) -> int:
        """Return how many rows are as new as a moment (ms), or pinned before all others."""
        return await self.reader.run(lambda store: store.not_before(self.query, at))

    async def position_of(self, row: ListRow) -> int | None:
        """Return the index of a memory, None where it isn't among the rows."""

        def place(store: Store) -> int | None:
            found = store.position(self.query, row)
            there = store.listing(self.query, found, 1)
            return found if there and there[0].ref == row.ref else None

        return await self.reader.run(place)


class Ranked:
    """The best hits of a query with words: few at first, more when `grow` was called.

    Each reading of the provider (its `count`) searches anew. The first takes no longer than `SOON`;
    where that was too short, `searches_on` is true until `stop`, or until what `search_on` has
    let the next reading find is here.
    """

    def __init__(self, reader: AsyncStore, query: Query, *, exact_only: bool) -> None:
        self.reader = reader
        self.query = query
        self.searches_on = False
        self.exact_only = exact_only
        self._limit = FIRST_HITS
        self._seconds = SOON
        self._stopped = False
        self._results = Results(query, [])
        self._found: list[Found] = []

    @property
    def complete(self) -> bool:
        """Whether the rows are all there are."""
        return self._results.complete

    @property
    def related(self) -> int:
        """How many of the rows hold only some of the words, or what was meant; they come last."""
        return sum(one.hit.tier == "related" for one in self._found)

    @property
    def ranked(self) -> int | None:
        """None when the rows are ranked throughout; else only the newest so many matches are."""
        return self._results.ranked

    @property
    def query_highlighted(self) -> Query:
        """Whose words are highlighted: what was meant, where something else was typed."""
        return _query_highlighted(self._results)

    @property
    def corrections(self) -> tuple[Correction, ...]:
        """What the words that no memory holds may have meant."""
        return self._results.corrections

    @property
    def end(self) -> str:
        """Why these may not be all that match, in words; `` when they are all that was asked for."""
        if self.searches_on:
            return "searching on…"
        if not self._results.partial:
            return ""
        return "stopped" if self._stopped else f"stopped after {PATIENCE:.0f} s"

    async def count(self) -> int:
        seconds = self._seconds

        def found(store: Store) -> tuple[Results, list[Found]]:
            results = store.results(
                self.query, limit=self._limit, related=not self.exact_only, seconds=seconds
            )
            return results, list(_found(results.hits, _query_highlighted(results)))

        self._results, self._found = await self.reader.run(found)
        self.searches_on = self._results.partial and seconds < PATIENCE
        return len(self._found)

    async def page(self, start: int, length: int) -> Sequence[Found]:
        return self._found[start : start + length]

    async def not_before(self, at: int) -> int | None:
        """Return how many of the rows so far are as new as a moment (ms); None where they may go on so."""
        found = [one for one in self._found if one.hit.tier != "related"]
        place = next((n for n, one in enumerate(found) if one.hit.row.created_at < at), None)
        return len(found) if place is None and self.complete else place

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


def provider(reader: AsyncStore, query: Query, *, exact_only: bool = False) -> Newest | Ranked:
    """Return the provider of a query's rows; `exact_only` leaves out what holds only some of its words."""
    if query.is_filter_only:
        return Newest(reader, query, exact_only=exact_only)
    return Ranked(reader, query, exact_only=exact_only)


def _query_highlighted(results: Results) -> Query:
    corrections = results.corrections
    return (
        parse(corrections[0].query, typing=results.query.typing) if corrections else results.query
    )


def _found(hits: Iterable[Hit], query: Query) -> Iterator[Found]:
    for hit in hits:
        if hit.tier == "related":
            # Cut here and kept: for these it asks the database, which only its own thread may.
            _ = hit.snippet
        yield Found(hit, highlight(hit.row.title, query))


@dataclass(frozen=True, slots=True)
class ResultCounts:
    """`count` is of the exact hits. `ranked` is None where all of these are ranked, else how many
    of the newest are. `end` says why there may be more, `` where there aren't. `exact_only`: related
    hits were left out."""

    query: Query
    count: Count
    related: int = 0
    ranked: int | None = None
    end: str = ""
    exact_only: bool = False

    @property
    def hits(self) -> str:
        """`38 hits`."""
        return f"{self.count} hit" if self.count.value == 1 else f"{self.count} hits"

    @property
    def words(self) -> str:
        """`10,000+ hits · newest 5,000 ranked`; of the empty query only its order."""
        if self.query.text.strip():
            return " · ".join([self.hits, *self._more()])
        only = " · exact only" if self.exact_only else ""
        return f"newest first{only}" if self.count.value else ""

    def _more(self) -> Iterator[str]:
        if self.exact_only:
            yield "exact only"
        if self.related:
            yield f"{self.related} related {RELATED}"
        if self.query.sort in SORTS:
            yield SORTS[self.query.sort]
        if self.ranked is not None:
            yield f"newest {self.ranked:,} ranked"
        if self.end:
            yield self.end
