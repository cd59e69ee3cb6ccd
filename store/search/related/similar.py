"""What is like a memory, or near to what a query means: hits in that order, ahead of what words tell."""

from __future__ import annotations

from itertools import islice

import apsw

from ...records.dataclasses import replace
from ...records.rows import Hit
from ...text.language.words import STOP_WORDS
from ..index.documents import fetch
from ..listing.rows import describe, document_of
from ..matching import Matcher
from ..query.language import Query, SimilarDocuments, Term
from ..terms import frequency, tokens
from .meaning import Meaning, Near
from .second_tier import related

Scored = list[tuple[int, float]]
"""Documents with their scores, best first."""

MOST = 100
"""So many are listed at most: who is after them is hardly like it any more."""
WORDS, LOOKED_AT = 16, 3_000
"""A memory is looked for by so many of its rarest words, of so much of its text."""
ALWAYS, LEAST = 10, 0.25
"""So many are listed whatever their score; of the others by words, those that have such a part of the best
score."""
COMMON = 2_000
"""Documents with a word up to which they are counted."""


def looked_up(db: apsw.Connection, query: Query, meaning: Meaning | None) -> Query:
    """Return a query with the memories that are like the one it names, which it may not name at all.

    They are those that share its rarest words and pass its filters, nearest in meaning first; what it says
    in words narrows these.
    """
    if not query.similar or query.neighbours is not None:
        return query
    document = document_of(db, query.similar)
    documents = SimilarDocuments()
    if document is not None:
        filters = replace(query, similar="", clauses=(), excluded=(), sort=None)
        documents = _neighbours(Matcher(db, filters), meaning, document)
    return replace(query, neighbours=documents)


def _neighbours(matcher: Matcher, meaning: Meaning | None, document: int) -> SimilarDocuments:
    scored = like_by_words(matcher, document, MOST)
    near = Near()
    if meaning is not None:
        best = [number for number, _ in scored]
        near = meaning.near_document(matcher.db, document, best)
    if near.cosines and near.trust:
        nearest = sorted(near.cosines.items(), key=lambda pair: (-pair[1], -pair[0]))
        return SimilarDocuments(_close(nearest, near.floor), by_meaning=True)
    least = LEAST * max((score for _, score in scored), default=0.0)
    return SimilarDocuments(_close(scored, least), trouble=near.trouble)


def _close(scored: Scored, least: float) -> tuple[tuple[int, float], ...]:
    """Return the first `ALWAYS`, and of the others those of such a score."""
    others = [pair for pair in scored[ALWAYS:] if pair[1] >= least]
    return (*scored[:ALWAYS], *others)


def like_record(matcher: Matcher, limit: int) -> list[Hit]:
    """Return the hits of a query that names a memory, nearest first unless it asks for another order."""
    query = matcher.query
    neighbours = query.neighbours or SimilarDocuments()
    scored = list(neighbours.scored)
    if query.clauses or query.excluded:
        held = set(matcher.matching(number for number, _ in scored))
        scored = [pair for pair in scored if pair[0] in held]
    if query.sort == "recent":
        score = dict(scored)
        scored = [(number, score[number]) for number in matcher.newest_first(score)]
    hits = describe(matcher.db, query, scored, {})
    if query.sort == "pinned":
        hits.sort(key=lambda hit: not hit.row.pinned)
    if neighbours.by_meaning:
        hits = [_by_its_meaning(hit) for hit in hits]
    return hits[:limit]


def by_meaning(matcher: Matcher, near: Near, exact: list[Hit], *, related: bool) -> list[Hit]:
    """Return what is nearest to what a query says, nearest first, then the other `exact` hits.

    What holds every term is exact; with `related` the others are listed too.
    """
    documents = {document.id: document for document in fetch(matcher.db, near.cosines)}
    passing = {number: row for number, row in documents.items() if matcher.allows(row)}
    holding = {number for number, entry in passing.items() if matcher.holds(entry)}
    listed = passing if related else holding
    ordered = sorted(near.cosines.items(), key=lambda pair: (-pair[1], -pair[0]))
    scored = [(number, cosine) for number, cosine in ordered if number in listed]
    nearest = [
        _by_its_meaning(hit if hit.row.document_id in holding else replace(hit, tier="related"))
        for hit in describe(matcher.db, matcher.query, scored, documents)
    ]
    return [*nearest, *(hit for hit in exact if hit.row.document_id not in near.cosines)]


def _by_its_meaning(hit: Hit) -> Hit:
    """A hit whose score is its cosine."""
    return replace(hit, similarity=hit.score, parts=(("meaning", hit.score),))


def like_by_words(matcher: Matcher, document: int, limit: int) -> Scored:
    """Return the documents that share another one's rarest words, best first."""
    db = matcher.db
    words: list[str] = []
    for row in fetch(db, [document]):
        title, body, lists = row.parts()
        results = tokens(Term(" ".join((title, body, lists))[:LOOKED_AT]))
        words = [word for word in dict.fromkeys(results) if word not in STOP_WORDS]
    if not matcher.has_words:
        return []
    known = {word: frequency(db, word, COMMON) for word in words}
    rarest = sorted((word for word in words if known[word] > 1), key=lambda word: known[word])
    loose = replace(matcher.query, clauses=tuple((Term(word),) for word in rarest[:WORDS]))
    sought = Matcher(db, replace(loose, excluded=()), matcher.deadline)
    return [
        (ranked_document.id, ranked_document.score)
        for ranked_document in islice(related(sought, limit, {document}), limit)
    ]
