"""A page of hits: which documents a query finds, in which order, and what is shown of each.

What only queries with few hits need is imported for these.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain, islice
from typing import TYPE_CHECKING

import apsw

from ..database.deadline import Deadline
from ..platform.clock import horizon_ms
from ..platform.translation import _
from ..records.dataclasses import dataclass, replace
from ..records.rows import SNIPPET, Hit, Snippet
from .index.documents import Document, fetch
from .listing import rows as listing
from .listing.rows import describe
from .matching import BLOCK, Matcher, bm25_candidates
from .query.filters import where
from .query.language import Query, SimilarDocuments, Term, as_plain_words, parse
from .related.meaning import Meaning, Near, Recorded

if TYPE_CHECKING:
    from .related.ranking import RankedDocument
    from .turns import TurnKey, Units
    from .typos import Correction

COUNTED = 10_000
PAGE = 20
"""Related hits fill so many, unless another number is asked for."""
WEIGHED = 30
"""So many of the best turns are put in the order of what they are worth."""


@dataclass(frozen=True, slots=True)
class Page:
    """Some of the hits of a query, in their order. `partial`: the time was up before all were looked at."""

    hits: list[Hit]
    partial: bool = False
    complete: bool = True
    """Whether there are no more hits behind these."""
    ranked: int | None = None
    """None when the order is by relevance throughout; otherwise only so many of the newest word
    matches were ranked, and the others follow, the newest first."""
    corrections: tuple[Correction, ...] = ()
    """What the words that no memory holds may have meant; empty where something matches exactly."""
    trouble: str = ""
    """Why the user's model doesn't tell of meaning, in a sentence."""
    is_late: bool = False
    """Whether hits by meaning may come before long: the model was too slow."""
    by_meaning: bool = False
    """Whether hits are ordered by meaning alone, whatever words they hold."""


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
    start: int = 0,
    related: bool = False,
    fill: int = PAGE,
    deadline: Deadline | None = None,
    meaning: Meaning | None = None,
    turns: bool = False,
) -> Page:
    """Return the best `limit` hits of a query from `start` on; with a deadline, what was found by then.

    With `related`, where there are fewer hits than would `fill` a page, documents that hold any of the
    words in any inflection follow, or that are near in `meaning`, marked as such. Long texts in which a
    question's words stand nowhere together are ranked among these. Pasted text that finds nothing as it
    reads is looked for by its plain words. With `turns` the records of a turn are one hit, where the
    query has words.
    """
    if query.is_filter_only:
        return _newest(db, query, start, limit, deadline or Deadline(db))
    asked = None if meaning is None else Recorded(meaning)
    page = _searched(
        db, query, start + limit, related=related, fill=fill, deadline=deadline, meaning=asked, turns=turns
    )
    page = replace(page, hits=page.hits[start:])
    if asked is None:
        return page
    near = asked.near
    return replace(
        page,
        hits=[_with_similarity(hit, near) for hit in page.hits],
        trouble=page.trouble or near.trouble,
        is_late=near.is_late,
    )


def _with_similarity(hit: Hit, near: Near) -> Hit:
    """Return a related hit with how near it is, where that counts."""
    cosine = near.cosines.get(hit.row.document_id)
    if hit.tier == "exact" or hit.similarity is not None or cosine is None or not near.trust:
        return hit
    return replace(hit, similarity=cosine)


def _searched(
    db: apsw.Connection,
    query: Query,
    limit: int,
    *,
    related: bool,
    fill: int,
    deadline: Deadline | None,
    meaning: Meaning | None,
    turns: bool,
    typed_first: bool = True,
) -> Page:
    matcher = Matcher(db, query, deadline)
    query = matcher.query
    if query.similar:
        return _similar(matcher, limit)
    if query.sort == "pinned":
        exactly = partial(search, db, deadline=deadline, turns=turns)
        return _pinned_first(
            query, limit, exactly, partial(exactly, related=related, fill=fill, meaning=meaning)
        )
    if typed_first and query.is_by_relevance and query.has_other_characters:
        asked = partial(_searched, db, fill=fill, deadline=deadline, meaning=meaning, turns=turns)
        every = asked(query, limit + 1, related=related, typed_first=False)
        return _followed(asked(query.as_typed, limit, related=False), every, limit)
    from .turns import Units

    deadline = matcher.deadline
    units = Units(db, turns=turns)
    is_by_meaning = query.sort == "meaning" and bool(query.clauses)
    # No more is decided by how much was asked for than where a list ends: pages go on from each other.
    wanted = max(limit, PAGE)
    if is_by_meaning:
        from .related.similar import MOST

        wanted = max(limit, MOST)
    elif turns:
        wanted = _whole_blocks(wanted)
    exact = _Exact(matcher, wanted, units)
    complete = exact.number <= wanted and not deadline.passed
    hits = describe(db, query, exact.scored, exact.documents)
    trouble = ""
    if is_by_meaning:
        result = _by_meaning(matcher, meaning, hits, limit, related=related)
        if isinstance(result, Page):
            return replace(result, hits=units.once(result.hits))
        # Not asked once more: what came meanwhile would not be in the order of its meaning.
        trouble, meaning = result, None
    meant: tuple[Correction, ...] = ()
    if complete and not hits:
        with deadline:
            from .typos import corrections

            meant = corrections(matcher)
    is_short = related and complete and exact.number <= PAGE
    apart = _apart(query, exact.documents.values()) if is_short else set()
    late = [replace(hit, tier="related") for hit in hits if hit.row.document_id in apart]
    hits = _exact_hits(units, [hit for hit in hits if hit.row.document_id not in apart], query)
    if related and complete and (room := fill - len(hits)) > 0:
        most = _whole_blocks(room)
        others = _as_meant(matcher, meant, most, turns=turns) if meant else []
        known = {*exact.documents, *(hit.row.document_id for hit in others)} - apart
        if len(others) < room:
            near = describe_related(matcher, most, known, units, meaning)
            others += _with_late(near, late, PAGE - len(hits))
        others = units.once(others)
        if query.is_by_time:
            horizon, sign = horizon_ms(), 1 if query.sort == "oldest" else -1
            others = [
                hit
                for block in _blocks(units, others)
                for hit in sorted(
                    block, key=lambda hit: (hit.row.created_at > horizon, sign * hit.row.created_at)
                )
            ]
        hits += others[:room]
        if not hits and (plain := as_plain_words(query)):
            loose = Matcher(db, plain, deadline)
            hits = describe_related(loose, fill, set(), units, meaning)
    complete = complete and len(hits) <= limit
    return Page(hits[:limit], deadline.passed, complete, exact.ranked, meant, trouble)


def _whole_blocks(number: int) -> int:
    return -(-number // WEIGHED) * WEIGHED


def _blocks(units: Units, hits: list[Hit]) -> Iterator[list[Hit]]:
    """Yield hits in blocks of `WEIGHED` turns, in which alone they are put in another order: none moves
    from one into another when more are looked for."""
    block: list[Hit] = []
    known: set[TurnKey | int] = set()
    for unit, hit in zip(units.of([hit.row.document_id for hit in hits]), hits, strict=True):
        if unit not in known and known and len(known) % WEIGHED == 0:
            yield block
            block = []
        known.add(unit)
        block.append(hit)
    yield block


def _exact_hits(units: Units, hits: list[Hit], query: Query) -> list[Hit]:
    """Return the hits that hold every term, each turn once; the rest of a turn adds to the score of its
    best record where words alone decide."""
    if query.is_by_relevance:
        from .turns import unusual_first

        hits = [hit for block in _blocks(units, hits) for hit in unusual_first(_with_shares(units, block))]
    return _of_turns(units, hits, query)


def _with_shares(units: Units, hits: list[Hit]) -> list[Hit]:
    if not units.are_turns:
        return hits
    from .related.ranking import with_turn_shares

    turns = units.turns([hit.row.document_id for hit in hits])
    shares = dict(with_turn_shares([(hit.row.document_id, hit.score) for hit in hits], turns))
    shared = (_with_share(hit, shares[hit.row.document_id]) for hit in hits)
    return sorted(shared, key=lambda hit: -hit.score)


def _with_share(hit: Hit, score: float) -> Hit:
    """Return an exact hit with the score that it has with the rest of its turn."""
    if score == hit.score:
        return hit
    return replace(hit, score=score, parts=(("words", hit.score), ("turn", score - hit.score)))


def _apart(query: Query, documents: Iterable[Document]) -> set[int]:
    """Return the ids of the documents that hold every word of a question, but nowhere together."""
    if not query.is_question:
        return set()
    from .related.second_tier import scattered

    return scattered(query, documents)


def _with_late(others: list[Hit], late: list[Hit], room: int) -> list[Hit]:
    """Return related hits with those that hold every term, but are not among the best of them, in the last
    places of their first page."""
    listed = {hit.row.document_id for hit in others[:room]}
    missing = [hit for hit in late if hit.row.document_id not in listed]
    first = [*others[: max(0, room - len(missing))], *missing]
    listed = {hit.row.document_id for hit in first}
    return [*first, *(hit for hit in others if hit.row.document_id not in listed)]


def _newest(db: apsw.Connection, query: Query, start: int, limit: int, deadline: Deadline) -> Page:
    """Return the newest (or oldest) that pass a query of filters only."""
    ids: list[int] = []
    with deadline:
        ids = listing.page_ids(db, where(db, query), start, limit + 1)
    hits = describe(db, query, ((number, 0.0) for number in ids[:limit]), {})
    return Page(hits, deadline.passed, complete=len(ids) <= limit and not deadline.passed)


def _similar(matcher: Matcher, limit: int) -> Page:
    """Return what is like the memory that a query names."""
    neighbours = matcher.query.neighbours or SimilarDocuments()
    from .related.similar import like_record

    hits: list[Hit] = []
    with matcher.deadline:
        hits = like_record(matcher, limit + 1)
    passed = matcher.deadline.passed
    return Page(
        hits[:limit],
        passed,
        complete=len(hits) <= limit and not passed,
        trouble=neighbours.trouble,
        by_meaning=neighbours.by_meaning,
    )


def _by_meaning(
    matcher: Matcher,
    meaning: Meaning | None,
    exact: list[Hit],
    limit: int,
    *,
    related: bool,
) -> Page | str:
    """Return what is nearest to a query by what it means, then its other exact hits; or why nothing can
    tell, in a sentence."""
    query = matcher.query
    from .related.second_tier import candidates
    from .related.similar import MOST, by_meaning

    best = [hit.row.document_id for hit in exact[:MOST]]
    hits: list[Hit] = []
    near = Near()
    with matcher.deadline:
        assert meaning is not None
        best += [row.id for row in candidates(matcher)[:MOST] if row.id not in best] if related else []
        near = meaning.near_text(matcher.db, query.plain_text, best)
        if near.cosines:
            hits = by_meaning(matcher, near, exact, related=related)
    if not near.cosines:
        return near.trouble or _("No vectors tell of these words, so the words themselves do.")
    passed = matcher.deadline.passed
    complete = len(hits) <= limit and not passed
    return Page(hits[:limit], passed, complete, by_meaning=True)


def _pinned_first(
    query: Query, limit: int, exactly: Callable[..., Page], as_asked: Callable[..., Page]
) -> Page:
    """Search twice: the pinned by relevance, and exactly, then the others."""
    by_relevance = replace(query, sort=None)
    pinned = exactly(replace(by_relevance, flags=query.flags | {"pinned"}), limit=limit)
    others = as_asked(by_relevance, limit=limit + 1)
    others.hits.sort(key=lambda hit: hit.tier == "related" and 2 - hit.row.pinned)
    return _followed(pinned, others, limit)


def _followed(first: Page, others: Page, limit: int) -> Page:
    """Return the hits of a page, then those others that aren't among them."""
    from .turns import in_front

    hits = in_front(first.hits, others.hits)
    complete = first.complete and others.complete and len(hits) <= limit
    return replace(others, hits=hits[:limit], partial=first.partial or others.partial, complete=complete)


def _as_meant(matcher: Matcher, meant: tuple[Correction, ...], limit: int, *, turns: bool) -> list[Hit]:
    """Return the hits of the query as it was probably meant; none of them holds what was typed."""
    asked, deadline = matcher.query, matcher.deadline
    query = replace(parse(meant[0].query, typing=asked.typing), for_agents=asked.for_agents)
    page = search(matcher.db, query, limit=limit, related=True, deadline=deadline, turns=turns)
    best = max((hit.score for hit in page.hits if hit.tier == "exact"), default=0.0) or 1.0
    # As of all related hits, 1 is the best there is.
    return [
        replace(hit, tier="related", score=hit.score / best, parts=(("words", hit.score / best),))
        if hit.tier == "exact"
        else hit
        for hit in page.hits
    ]


def count(db: apsw.Connection, query: Query, at_most: int = COUNTED) -> Count:
    """Count the documents that match; beyond `at_most`, only that there are more."""
    if query.is_filter_only:
        return Count(listing.count(db, where(db, query)), exact=True)
    matcher = Matcher(db, query)
    result = sum(1 for _ in islice(matcher.matching(matcher.candidates()), at_most + 1))
    return Count(min(result, at_most), exact=result <= at_most)


def describe_related(
    matcher: Matcher,
    limit: int,
    without: set[int],
    units: Units,
    meaning: Meaning | None = None,
) -> list[Hit]:
    """Return the second tier's hits, with the sentences that answer best, their words highlighted in
    whatever inflection they stand."""
    from .excerpts import asked_words, in_a_line
    from .related.second_tier import BEST, highlight_stems, searched_words
    from .related.second_tier import related as second_tier

    words = searched_words(matcher.db, matcher.query)
    loose = Query(clauses=tuple((Term(word),) for word in words))
    results: dict[int, RankedDocument] = {}
    with matcher.deadline:
        most = BEST if units.are_turns else limit
        results.update((document.id, document) for document in second_tier(matcher, most, without, meaning))
    best = units.best(results, limit, without)
    documents = {document.id: document for document in fetch(matcher.db, best)}
    scored = [(number, results[number].score) for number in best]
    asked = asked_words(matcher.db, matcher.query, words) if matcher.query.is_plain else frozenset()
    hits = []
    for hit in describe(matcher.db, loose, scored, documents):
        key = hit.row.document_id
        line = in_a_line(matcher.db, asked, documents[key], SNIPPET) if asked else ""
        # Highlighted now: who asks for it later may have no connection at hand.
        snippet = highlight_stems(matcher.db, words, Snippet(line) if line else hit.snippet)
        cut = partial(_cut, hit.cut, snippet)
        hits.append(replace(hit, tier="related", parts=results[key].parts, cut=cut))
    return _of_turns(units, hits, matcher.query)


def _of_turns(units: Units, hits: list[Hit], query: Query) -> list[Hit]:
    """Return hits with each turn once, in the order of what these are worth where words alone decide."""
    once = units.once(hits)
    if not (units.are_turns and query.is_by_relevance and query.is_plain):
        return once
    from .turns import steps_of, superseded_of, weighed

    documents = [hit.row.document_id for hit in once[:WEIGHED]]
    older = superseded_of(units.db, documents)
    first = [
        replace(hit, row=replace(hit.row, superseded=True)) if hit.row.document_id in older else hit
        for hit in once[:WEIGHED]
    ]
    return [*weighed(first, steps_of(units.db, documents), query.text), *once[WEIGHED:]]


def _cut(cut: Callable[[int], Snippet], snippet: Snippet, length: int) -> Snippet:
    return snippet if length == SNIPPET else cut(length)


class _Exact:
    """The first tier: word matches by BM25, then whatever else holds the terms, by time.

    `scored` has the documents of one hit more than `limit` where there is one, in the order in which they
    were found, so that a greater limit adds to its end alone; `number` is of how many hits.
    """

    def __init__(self, matcher: Matcher, limit: int, units: Units) -> None:
        self.matcher = matcher
        self.documents: dict[int, Document] = {}
        self.ranked: int | None = None
        self._units = units
        self._found: set[TurnKey | int] = set()
        self._counted_later: list[int] = []
        self._scores: dict[int, float] = {}
        with matcher.deadline:
            if matcher.query.is_by_time or matcher.query.sort == "told":
                self._take_newest(matcher.candidates(), COUNTED, limit + 1)
            else:
                self._by_relevance(limit + 1)
        self.scored = [(number, self._scores.get(number, 0.0)) for number in self.documents]

    @property
    def number(self) -> int:
        """How many hits there are."""
        self._found |= set(self._units.of(self._counted_later))
        self._counted_later.clear()
        return len(self._found)

    def _by_relevance(self, wanted: int) -> None:
        enough = -(-4 * wanted // BLOCK) * BLOCK
        most = 10 * enough if self._units.are_turns else enough
        candidates = self.matcher.candidates()
        # To rank many takes longer than to see that none of them matches.
        possible = self._possible(candidates) if self.matcher.is_long else None
        best: list[tuple[int, float]] = []
        if possible is None or possible:
            best, self.ranked = bm25_candidates(self.matcher, most, enough)
        self._scores = dict(best[:enough])
        self._take(self._scores, wanted)
        if self.number < wanted and len(best) >= enough:
            # Many of the best are of the same turns,
            rest = best[enough:]
            if 2 * len(self.documents) < enough:
                # or most of them hold another form of a word, or what is excluded.
                possible = self._possible(candidates) if possible is None else possible
                rest = []
                if possible:
                    more, self.ranked = bm25_candidates(self.matcher, 10 * enough)
                    among = set(possible) - self._scores.keys()
                    rest = [(number, score) for number, score in more if number in among]
            self._scores |= rest
            self._take((number for number, _ in rest), wanted)
        self._take_newest(chain(possible or (), candidates), 5 * BLOCK, wanted)

    def _possible(self, candidates: Iterator[int]) -> list[int]:
        """Return the next 10,000 candidates; none where none of them matches but those that were ranked."""
        ids = list(islice(candidates, COUNTED))
        unranked = (number for number in ids if number not in self._scores)
        return [] if next(self.matcher.verified(unranked), None) is None else ids

    def _take_newest(self, candidates: Iterator[int], size: int, wanted: int) -> None:
        """Take of each so many candidates the newest first, but those that were ranked."""
        while self.number < wanted and (chunk := list(islice(candidates, size))):
            unranked = (number for number in chunk if number not in self._scores)
            self._take(self.matcher.newest_first(unranked), wanted)

    def _take(self, ids: Iterable[int], wanted: int) -> None:
        """Those of the documents that match, until there are as many hits as are wanted."""
        if (room := wanted - self.number) <= 0:
            return
        for document in self.matcher.verified(ids, room):
            self.documents[document.id] = document
            self._counted_later.append(document.id)
            # Asked for together: each is one hit more at most.
            if len(self._found) + len(self._counted_later) >= wanted and self.number >= wanted:
                return
