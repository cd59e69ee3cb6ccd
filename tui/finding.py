"""Where the result list gets its rows: the newest that pass the filters, or the best of a search."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from store import Hit, Query, Snippet, Store, light
from store.aio import AsyncStore

FIRST_HITS = 30
GROWTH = 4
SECONDS = 2.0
"""After so long a search gives what it has found by then."""


@dataclass(frozen=True, slots=True)
class Found:
    """A hit, and its title with the matches lit."""

    hit: Hit
    title: Snippet


class Newest:
    """All that pass a query of filters only, the newest first, however many."""

    complete, related = True, 0

    def __init__(self, reader: AsyncStore, query: Query) -> None:
        self.reader = reader
        self.query = query

    async def count(self) -> int:
        return await self.reader.run(lambda store: store.entries_count(self.query))

    async def page(self, start: int, length: int) -> Sequence[Found]:
        def found(store: Store) -> list[Found]:
            return list(_found(store.hits(self.query, start, length), self.query))

        return await self.reader.run(found)

    async def position(self, item: Found) -> int | None:
        return await self.reader.run(lambda store: store.position(self.query, item.hit.entry))


class Ranked:
    """The best hits of a query with words: few at first, more when `grow` was called.

    Each reading of the source (its `count`) searches anew. `related` says how many of the rows
    hold only some of the words; they come last.
    """

    def __init__(self, reader: AsyncStore, query: Query, *, exact_only: bool) -> None:
        self.reader = reader
        self.query = query
        self.complete = False
        self.related = 0
        self._exact_only = exact_only
        self._limit = FIRST_HITS
        self._found: list[Found] = []

    async def count(self) -> int:
        def found(store: Store) -> tuple[list[Found], bool]:
            results = store.results(
                self.query, limit=self._limit, related=not self._exact_only, seconds=SECONDS
            )
            return list(_found(results.hits, self.query)), results.complete

        self._found, self.complete = await self.reader.run(found)
        self.related = sum(one.hit.tier == "related" for one in self._found)
        return len(self._found)

    async def page(self, start: int, length: int) -> Sequence[Found]:
        return self._found[start : start + length]

    def grow(self) -> bool:
        """Look for more at the next reading; False where there are none, or that is still to come."""
        if self.complete or self._limit > len(self._found):
            return False
        self._limit *= GROWTH
        return True


def source(reader: AsyncStore, query: Query, *, exact_only: bool = False) -> Newest | Ranked:
    """What a query lists; `exact_only` leaves out what holds only some of its words."""
    if query.is_filter_only:
        return Newest(reader, query)
    return Ranked(reader, query, exact_only=exact_only)


def _found(hits: Iterable[Hit], query: Query) -> Iterable[Found]:
    return (Found(hit, light(hit.entry.title, query)) for hit in hits)
