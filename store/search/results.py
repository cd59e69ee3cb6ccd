"""The results of a query: which documents, in which order, and what is shown of each.

What only queries with few hits need is imported for these.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

import apsw

from ..clock import horizon_ms
from ..database.deadline import Deadline
from ..records import Hit, ListRow, Snippet
from ..records.dataclasses import dataclass, replace
from .index.documents import Document
from .listing import rows as listing
from .listing.rows import describe
from .matching.matcher import Matcher, bm25_candidates
from .query.language import Query, SimilarDocuments, Term, parse
from .related.meaning import Meaning, Near, Recorded

if TYPE_CHECKING:
    from .related.ranking.candidates import RankedDocument
    from .typos.corrections import Correction

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
    trouble: str = ""
    """Why there are no hits by meaning though vectors are kept, in a sentence."""
    is_late: bool = False
    """Whether hits by meaning may come before long: the model was too slow."""
    by_meaning: bool = False
    """Whether hits are ordered by meaning alone, whatever words they hold."""

    def left_out(self, db: apsw.Connection) -> str:
        """Return why nothing was found where a minus or NOT leaves it out, in a sentence; '' elsewhere."""
        if not self.query.excluded:
            return ""
        found = count(db, replace(self.query, excluded=()))
        if not found.value:
            return ""
        words = " or ".join(f'"{term.text}"' for term in self.query.excluded)
        them = "1 memory has" if str(found) == "1" else f"{found} memories have"
        return f"What holds {words} was left out: {them} all else. In quotes, with its minus, it is a word."


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
    page: int = PAGE,
    deadline: Deadline | None = None,
    meaning: Meaning | None = None,
) -> Results:
    """Return the best `limit` hits of a query; with a deadline, what was found by then.

    With `related`, where fewer than a `page` hold every term, documents that hold any of the words
    in any inflection follow, or that are near in `meaning`, marked as such. Long texts in which a
    question's words stand nowhere together are ranked among these. Pasted text that finds nothing as it
    reads is looked for by its plain words.
    """
    asked = None if meaning is None else Recorded(meaning)
    found = _searched(
        db, query, limit, related=related, page=page, deadline=deadline, meaning=asked
    )
    if asked is None:
        return found
    near = asked.near
    return replace(
        found,
        hits=[_with_similarity(hit, near) for hit in found.hits],
        trouble=found.trouble or near.trouble,
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
    page: int,
    deadline: Deadline | None,
    meaning: Meaning | None,
) -> Results:
    matcher = Matcher(db, query, deadline)
    if query.similar:
        return _similar(matcher, limit)
    if query.is_filter_only:
        return _newest(matcher, limit)
    if query.sort == "pinned":
        return _pinned_first(
            db, query, limit, related=related, page=page, deadline=deadline, meaning=meaning
        )
    deadline = matcher.deadline
    is_by_meaning = query.sort == "meaning" and bool(query.clauses)
    wanted = limit
    if is_by_meaning:
        from .related.similar import MOST

        wanted = max(limit, MOST)
    exact = _Exact(matcher, wanted)
    hits = describe(db, query, exact.scored[:wanted], exact.documents)
    if not query.is_by_time:
        hits.sort(key=lambda hit: (-hit.score, -hit.row.created_at, -hit.row.document_id))
    complete = len(exact.scored) <= limit and not deadline.passed
    trouble = ""
    if is_by_meaning:
        found = _by_meaning(matcher, meaning, hits, limit, related=related)
        if isinstance(found, Results):
            return found
        # Not asked once more: what came meanwhile would not be in the order of its meaning.
        trouble, hits, meaning = found, hits[:limit], None
    meant: tuple[Correction, ...] = ()
    if complete and not hits:
        with deadline:
            from .typos.corrections import corrections

            meant = corrections(matcher)
    if related and complete:
        page = min(page, limit)
        others = _as_meant(matcher, meant, page) if meant else []
        apart = _apart(query, exact.documents.values())
        late = [replace(hit, tier="related") for hit in hits if hit.row.document_id in apart]
        hits = [hit for hit in hits if hit.row.document_id not in apart]
        known = {*exact.documents, *(hit.row.document_id for hit in others)} - apart
        if (room := page - len(hits) - len(others)) > 0:
            others += _with_late(describe_related(matcher, room, known, meaning), late, room)
        else:
            others += late
        if query.is_by_time:
            horizon, sign = horizon_ms(), 1 if query.sort == "oldest" else -1
            others.sort(key=lambda hit: (hit.row.created_at > horizon, sign * hit.row.created_at))
        hits += others
        if not hits:
            from .query.pasted import as_plain_words

            if plain := as_plain_words(query):
                hits = describe_related(Matcher(db, plain, deadline), page, set(), meaning)
    return Results(query, hits, deadline.passed, complete, exact.ranked, meant, trouble)


def _apart(query: Query, documents: Iterable[Document]) -> set[int]:
    """Return the ids of the documents that hold every word of a question, but nowhere together."""
    if not query.is_question:
        return set()
    from .related.scattered import scattered

    return scattered(query, documents)


def _with_late(others: list[Hit], late: list[Hit], room: int) -> list[Hit]:
    """Return related hits with those that hold every term but were not among the best of them."""
    listed = {hit.row.document_id for hit in others}
    missing = [hit for hit in late if hit.row.document_id not in listed]
    return [*others[: max(0, room - len(missing))], *missing]


def _newest(matcher: Matcher, limit: int) -> Results:
    """Return the newest (or oldest) that pass a query of filters only."""
    found: list[ListRow] = []
    with matcher.deadline:
        found = listing.page(matcher.db, matcher.where, 0, limit + 1)
    newest = ((row.document_id, 0.0) for row in found[:limit])
    hits = describe(matcher.db, matcher.query, newest, {})
    partial = matcher.deadline.passed
    return Results(matcher.query, hits, partial, complete=len(found) <= limit and not partial)


def _similar(matcher: Matcher, limit: int) -> Results:
    """Return what is like the memory that a query names."""
    neighbours = matcher.query.neighbours or SimilarDocuments()
    from .related.similar import like_record

    found: list[Hit] = []
    with matcher.deadline:
        found = like_record(matcher, limit + 1)
    passed = matcher.deadline.passed
    return Results(
        matcher.query,
        found[:limit],
        passed,
        complete=len(found) <= limit and not passed,
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
) -> Results | str:
    """Return what is nearest to a query by what it means, then its other exact hits; or why nothing can
    tell, in a sentence."""
    query = matcher.query
    if meaning is None:
        return (
            "No vectors are kept, so words tell. `mem embeddings set` names a model, "
            "`mem embeddings build` has it make some."
        )
    from .related.similar import MOST, by_meaning

    best = [hit.row.document_id for hit in exact[:MOST]]
    found: list[Hit] = []
    near = Near()
    with matcher.deadline:
        near = meaning.near_text(matcher.db, query.plain_text, matcher.where, MOST, best)
        if near.cosines:
            found = by_meaning(matcher, near, exact, related=related)
    if not near.cosines:
        return near.trouble or "No vectors tell of these words, so the words themselves do."
    passed = matcher.deadline.passed
    complete = len(found) <= limit and not passed
    return Results(query, found[:limit], passed, complete, by_meaning=True)


def _pinned_first(
    db: apsw.Connection,
    query: Query,
    limit: int,
    *,
    related: bool,
    page: int,
    deadline: Deadline | None,
    meaning: Meaning | None,
) -> Results:
    """Search twice: the pinned by relevance, then the others."""
    by_relevance = replace(query, sort=None)
    only = replace(by_relevance, flags=query.flags | {"pinned"})
    pinned = search(db, only, limit=limit, deadline=deadline)
    room = limit - len(pinned.hits)
    others = search(
        db,
        by_relevance,
        limit=limit + 1,
        related=related,
        page=page,
        deadline=deadline,
        meaning=meaning,
    )
    known = {hit.row.document_id for hit in pinned.hits}
    rest = [hit for hit in others.hits if hit.row.document_id not in known]
    rest.sort(key=lambda hit: (hit.tier == "related", hit.tier == "related" and not hit.row.pinned))
    return replace(
        others,
        query=query,
        hits=pinned.hits + rest[:room],
        partial=pinned.partial or others.partial,
        complete=pinned.complete and others.complete and len(rest) <= room,
    )


def _as_meant(matcher: Matcher, meant: tuple[Correction, ...], limit: int) -> list[Hit]:
    """Return the hits of the query as it was probably meant; none of them holds what was typed."""
    query, deadline = parse(meant[0].query, typing=matcher.query.typing), matcher.deadline
    found = search(matcher.db, query, limit=limit, related=True, deadline=deadline)
    best = max((hit.score for hit in found.hits if hit.tier == "exact"), default=0.0) or 1.0
    # As of all related hits, 1 is the best there is.
    return [
        replace(hit, tier="related", score=hit.score / best, parts=(("words", hit.score / best),))
        if hit.tier == "exact"
        else hit
        for hit in found.hits
    ]


def count(db: apsw.Connection, query: Query, at_most: int = COUNTED) -> Count:
    """Count the documents that match; beyond `at_most`, only that there are more."""
    matcher = Matcher(db, query)
    if query.is_filter_only:
        return Count(listing.count(db, matcher.where), exact=True)
    found = sum(1 for _ in islice(matcher.verified(matcher.candidates()), at_most + 1))
    return Count(min(found, at_most), exact=found <= at_most)


def describe_related(
    matcher: Matcher, limit: int, without: set[int], meaning: Meaning | None = None
) -> list[Hit]:
    """Return the second tier's hits, their words highlighted in whatever inflection they stand."""
    from .related.second_tier import content_words, highlight_stems
    from .related.second_tier import related as second_tier

    words = content_words(matcher.query)
    loose = Query(clauses=tuple((Term(word),) for word in words))
    found: list[RankedDocument] = []
    with matcher.deadline:
        found.extend(second_tier(matcher, limit, without, meaning))
    scored = [(one.id, one.score) for one in found]
    parts = {one.id: one.parts for one in found}
    return [
        # Highlighted now: who asks for it later may have no connection at hand.
        replace(
            hit,
            tier="related",
            parts=parts[hit.row.document_id],
            cut=partial(_same, highlight_stems(matcher.db, words, hit.snippet)),
        )
        for hit in describe(matcher.db, loose, scored, {})
    ]


def _same(snippet: Snippet) -> Snippet:
    return snippet


class _Exact:
    """The first tier: word matches by BM25, then whatever else holds the terms, by time.

    `scored` has one hit more than `limit` where there is one.
    """

    def __init__(self, matcher: Matcher, limit: int) -> None:
        self.matcher = matcher
        self.documents: dict[int, Document] = {}
        self.ranked: int | None = None
        self._scores: dict[int, float] = {}
        with matcher.deadline:
            if matcher.query.is_by_time:
                self._by_time(limit + 1)
            else:
                self._by_relevance(limit + 1)
        best = [(one, score) for one, score in self._scores.items() if one in self.documents]
        others = matcher.newest_first(one for one in self.documents if one not in self._scores)
        self.scored = best + [(one, 0.0) for one in others]

    def _by_relevance(self, wanted: int) -> None:
        enough = max(4 * wanted, 200)
        best, self.ranked = bm25_candidates(self.matcher, enough)
        self._scores = dict(best)
        self._take(self._scores, wanted)
        if len(self.documents) < wanted and len(best) == enough:
            # Most of the best hold another form of a word, or what is excluded.
            possible = set(islice(self.matcher.candidates(), COUNTED)).difference(self._scores)
            more, self.ranked = bm25_candidates(self.matcher, 10 * enough)
            others = {one: score for one, score in more if one in possible}
            self._scores |= others
            self._take(others, wanted)
        self._take((one for one in self.matcher.candidates() if one not in self._scores), wanted)

    def _by_time(self, wanted: int) -> None:
        candidates = self.matcher.candidates()
        while len(self.documents) < wanted and (chunk := list(islice(candidates, COUNTED))):
            self._take(self.matcher.newest_first(chunk), wanted)

    def _take(self, ids: Iterable[int], wanted: int) -> None:
        """Those of the documents that match, until there are as many as are wanted."""
        room = wanted - len(self.documents)
        for document in islice(self.matcher.verified(ids, room), room):
            self.documents[document.id] = document
