"""A query's answer: which documents, in which order, and what is shown of each."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice

import apsw

from .. import entries
from ..records import Entry, Fact, Hit, Observation, Prompt, Record, Summary
from ..rows import columns, to_record
from .documents import LETTERS, SHAPES, fetch
from .matching import Matcher
from .query import Query, Term
from .related import asked, light_stems
from .related import related as second_tier
from .snippets import snippet

NEWEST_RANKED = 5_000
COUNTED = 10_000
PAGE = 20
"""Where fewer hits than this hold every term, related ones fill the page."""

RECORDS: dict[str, type[Record]] = {
    "o": Observation,
    "p": Prompt,
    "s": Summary,
    "f": Fact,
}


@dataclass(frozen=True, slots=True)
class Results:
    """The hits of a query, best first. `partial`: the time was up before all were looked at."""

    query: Query
    hits: list[Hit]
    partial: bool = False
    complete: bool = True
    """Whether these are all hits there are, rather than the first `limit`."""


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
    clock = _Clock(seconds)
    matcher = Matcher(db, query)
    if query.is_filter_only:
        found = entries.page(db, matcher.where, 0, limit + 1)
        return Results(
            query,
            describe(db, query, ((entry.document_id, 0.0) for entry in found[:limit])),
            complete=len(found) <= limit,
        )
    scored = list(islice(_exact(matcher, limit, clock), limit + 1))
    hits = describe(db, query, scored[:limit])
    complete = len(scored) <= limit and not clock.over
    if related and complete and len(hits) < min(PAGE, limit):
        hits += describe_related(matcher, min(PAGE, limit) - len(hits), {n for n, _ in scored})
    return Results(query, hits, clock.over, complete)


def count(db: apsw.Connection, query: Query, at_most: int = COUNTED) -> Count:
    """How many documents match; beyond `at_most`, only that there are more."""
    matcher = Matcher(db, query)
    if query.is_filter_only:
        return Count(entries.count(db, matcher.where), exact=True)
    found = sum(1 for _ in islice(matcher.verified(matcher.candidates()), at_most + 1))
    return Count(min(found, at_most), exact=found <= at_most)


def describe(db: apsw.Connection, query: Query, scored: Iterable[tuple[int, float]]) -> list[Hit]:
    """Documents with their scores as hits: entry, record and snippet of each."""
    wanted = list(scored)
    ids = [number for number, _ in wanted]
    shown = entries.by_ids(db, ids)
    records = _records(db, shown.values())
    snippets = {document.id: snippet(document, query) for document in fetch(db, ids)}
    return [
        Hit(shown[number], records[number], snippets[number], score)
        for number, score in wanted
        if number in snippets
    ]


def describe_related(matcher: Matcher, limit: int, without: set[int]) -> list[Hit]:
    """The second tier's hits, their words lit in whatever inflection they stand."""
    words = asked(matcher.query)
    loose = Query(clauses=tuple((Term(word),) for word in words))
    scored = list(second_tier(matcher, limit, without))
    documents = {one.id: one for one in fetch(matcher.db, [number for number, _ in scored])}
    return [
        replace(
            hit,
            tier="related",
            snippet=light_stems(
                matcher.db, words, snippet(documents[hit.entry.document_id], loose)
            ),
        )
        for hit in describe(matcher.db, loose, scored)
    ]


def _exact(matcher: Matcher, limit: int, clock: _Clock) -> Iterator[tuple[int, float]]:
    """Word matches by BM25, then whatever else holds the terms, newest first."""
    query = matcher.query
    if query.sort == "recent":
        candidates = clock.until_over(matcher.candidates())
        while chunk := list(islice(candidates, COUNTED)):
            in_time = matcher.newest_first(chunk)
            yield from ((number, 0.0) for number in matcher.verified(in_time))
        return
    ranked = dict(matcher.ranked(NEWEST_RANKED, max(4 * limit, 200)))
    seen = set()
    for number in matcher.verified(clock.until_over(iter(ranked))):
        seen.add(number)
        yield number, ranked[number]
    others = (number for number in matcher.candidates() if number not in ranked)
    rest = list(islice(matcher.verified(clock.until_over(others)), max(0, limit + 1 - len(seen))))
    yield from ((number, 0.0) for number in matcher.newest_first(rest))


def _records(db: apsw.Connection, shown: Iterable[Entry]) -> dict[int, Record]:
    found: dict[int, Record] = {}
    by_kind: dict[str, dict[int, int]] = {}
    for entry in shown:
        by_kind.setdefault(LETTERS[entry.kind], {})[entry.record_id] = entry.document_id
    for letter, numbers in by_kind.items():
        record = RECORDS[letter]
        sql = (
            f"SELECT {columns(record)} FROM {SHAPES[letter].table} "
            "WHERE id IN (SELECT value FROM json_each(?))"
        )
        for row in db.execute(sql, (json.dumps(list(numbers)),)):
            found[numbers[row[0]]] = to_record(record, row)
    return found


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
