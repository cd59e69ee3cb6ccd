"""A query's answer: which documents, in which order, and what is shown of each."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice

import apsw

from .. import entries
from ..records import Hit, Snippet
from .documents import Document
from .hits import describe
from .matching import Matcher
from .query import Query, Term, parse
from .related import asked, light_stems
from .related import related as second_tier
from .scoring import ranked
from .typos import Correction, corrections

COUNTED = 10_000
PAGE = 20
"""Where fewer hits than this hold every term, related ones fill the page."""


@dataclass(frozen=True, slots=True)
class Results:
    """The hits of a query, best first. `partial`: the time was up before all were looked at."""

    query: Query
    hits: list[Hit]
    partial: bool = False
    complete: bool = True
    """Whether these are all hits there are, rather than the first `limit`."""
    ranked: int | None = None
    """None when the order is by relevance throughout; otherwise only so many of the newest word
    matches were ranked, and the others follow, the newest first."""
    corrections: tuple[Correction, ...] = ()
    """What the words that no memory holds may have meant; empty where something matches exactly."""


@dataclass(frozen=True, slots=True)
class Count:
    """How many; when not `exact`, at least so many."""

    value: int
    exact: bool

    def __str__(self) -> str:
        return f"{self.value:,}" + ("" if self.exact else "+")


def search(
    db: apsw.Connection,
    query: Query,
    *,
    limit: int,
    related: bool = False,
    seconds: float | None = None,
) -> Results:
    """The best `limit` hits; what was found by then when `seconds` are over.

    With `related`, where fewer than a page hold every term, documents that hold any of the words
    in any inflection follow, marked as such.
    """
    if query.sort == "pinned" and not query.is_filter_only:
        return _pinned_first(db, query, limit=limit, related=related, seconds=seconds)
    matcher = Matcher(db, query)
    if query.is_filter_only:
        found = entries.page(db, matcher.where, 0, limit + 1)
        newest = ((entry.document_id, 0.0) for entry in found[:limit])
        return Results(query, describe(db, query, newest, {}), complete=len(found) <= limit)
    clock = _Clock(seconds)
    exact = _Exact(matcher, limit, clock)
    hits = describe(db, query, exact.scored[:limit], exact.documents)
    if query.sort != "recent":
        hits.sort(key=lambda hit: (-hit.score, -hit.entry.created_at, -hit.entry.document_id))
    complete = len(exact.scored) <= limit and not clock.over
    meant = corrections(matcher) if complete and not hits else ()
    if related and complete and len(hits) < min(PAGE, limit):
        room = min(PAGE, limit) - len(hits)
        hits += _as_meant(db, meant, room, seconds) if meant else []
        known = {*exact.documents, *(hit.entry.document_id for hit in hits)}
        hits += describe_related(matcher, room - len(hits), known) if len(hits) < room else []
    return Results(query, hits, clock.over, complete, exact.ranked, meant)


def _pinned_first(
    db: apsw.Connection, query: Query, *, limit: int, related: bool, seconds: float | None
) -> Results:
    """Two searches in one: the pinned by relevance, then the others."""
    ranked = replace(query, sort=None)
    only = replace(ranked, flags=query.flags | {"pinned"})
    pinned = search(db, only, limit=limit, seconds=seconds)
    room = limit - len(pinned.hits)
    others = search(db, ranked, limit=limit + 1, related=related, seconds=seconds)
    known = {hit.entry.document_id for hit in pinned.hits}
    rest = [hit for hit in others.hits if hit.entry.document_id not in known]
    return replace(
        others,
        query=query,
        hits=pinned.hits + rest[:room],
        partial=pinned.partial or others.partial,
        complete=pinned.complete and others.complete and len(rest) <= room,
    )


def _as_meant(
    db: apsw.Connection, meant: tuple[Correction, ...], limit: int, seconds: float | None
) -> list[Hit]:
    """The hits of the query as it was probably meant; none of them holds what was typed."""
    found = search(db, parse(meant[0].query), limit=limit, related=True, seconds=seconds)
    return [replace(hit, tier="related") for hit in found.hits]


def count(db: apsw.Connection, query: Query, at_most: int = COUNTED) -> Count:
    """How many documents match; beyond `at_most`, only that there are more."""
    matcher = Matcher(db, query)
    if query.is_filter_only:
        return Count(entries.count(db, matcher.where), exact=True)
    found = sum(1 for _ in islice(matcher.verified(matcher.candidates()), at_most + 1))
    return Count(min(found, at_most), exact=found <= at_most)


def describe_related(matcher: Matcher, limit: int, without: set[int]) -> list[Hit]:
    """The second tier's hits, their words lit in whatever inflection they stand."""
    words = asked(matcher.query)
    loose = Query(clauses=tuple((Term(word),) for word in words))
    scored = list(second_tier(matcher, limit, without))
    return [
        # Lit now: who asks for it later may have no connection at hand.
        replace(
            hit, tier="related", cut=partial(_same, light_stems(matcher.db, words, hit.snippet))
        )
        for hit in describe(matcher.db, loose, scored, {})
    ]


def _same(snippet: Snippet) -> Snippet:
    return snippet


class _Exact:
    """The first tier: word matches by BM25, then whatever else holds the terms, newest first.

    `scored` has one hit more than `limit` where there is one.
    """

    def __init__(self, matcher: Matcher, limit: int, clock: _Clock) -> None:
        self.matcher = matcher
        self.clock = clock
        self.documents: dict[int, Document] = {}
        self.scored: list[tuple[int, float]] = []
        self.ranked: int | None = None
        if matcher.query.sort == "recent":
            self._by_time(limit + 1)
        else:
            self._by_relevance(limit + 1)

    def _by_relevance(self, wanted: int) -> None:
        best, newest = ranked(self.matcher, max(4 * wanted, 200))
        score = dict(best)
        for document in self._verified((number for number, _ in best), wanted):
            self._take(document, score[document.id])
        if len(self.scored) < wanted:
            others = (one for one in self.matcher.candidates() if one not in score)
            rest = {one.id: one for one in self._verified(others, wanted - len(self.scored))}
            for number in self.matcher.newest_first(rest):
                self._take(rest[number], 0.0)
        self.ranked = newest

    def _by_time(self, wanted: int) -> None:
        candidates = self.matcher.candidates()
        while len(self.scored) < wanted and (chunk := list(islice(candidates, COUNTED))):
            in_time = self.matcher.newest_first(chunk)
            for document in self._verified(iter(in_time), wanted - len(self.scored)):
                self._take(document, 0.0)

    def _verified(self, ids: Iterator[int], wanted: int) -> Iterator[Document]:
        return islice(self.matcher.verified(self.clock.until_over(ids), wanted), wanted)

    def _take(self, document: Document, score: float) -> None:
        self.documents[document.id] = document
        self.scored.append((document.id, score))


class _Clock:
    """Stops an iteration when its time is over."""

    def __init__(self, seconds: float | None) -> None:
        self.deadline = None if seconds is None else time.monotonic() + seconds
        self.over = False

    def until_over(self, ids: Iterator[int]) -> Iterator[int]:
        for number in ids:
            yield number
            if self.deadline is not None and time.monotonic() > self.deadline:
                self.over = True
                return
