"""Why a hit is a hit: where the terms stand in it, and what each adds to its score."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Literal

import apsw

from ..records.dataclasses import dataclass
from ..records.rows import Hit
from ..text.language.folding import fold, prepare
from .index.documents import SHAPES, Document, fetch
from .index.stems import stems
from .listing.document_sql import BM25
from .matching import Matcher
from .query.language import Query, Term, as_plain_words, parse
from .related.meaning import StoreMeaning
from .related.second_tier import content_words, is_strict
from .terms import phrase
from .typos import corrections

Places = Callable[[Term, str], int]
"""How often a term stands in a text."""


@dataclass(frozen=True, slots=True)
class Matched:
    """A term of the query in one record.

    `places` are the columns it stands in (named as the record's fields) and how often. `score` is
    its part of the BM25 score; None where it only stands inside words, which isn't ranked.
    """

    term: str
    places: tuple[tuple[str, int], ...]
    score: float | None


@dataclass(frozen=True, slots=True)
class Why:
    """A hit explained: its tier, its score, and the terms it was found by.

    The scores of an exact hit's terms add up to its own. That of a related hit is relative to the best
    one, and its `parts` add up to it, by their names: the words, pieces of words (n-grams), the session,
    the date, the meaning. `similarity` is how near that is, as `Hit` has it, and `nearest` the passage
    that is so near, as far as it is known.
    """

    tier: Literal["exact", "related"]
    score: float
    terms: tuple[Matched, ...]
    parts: tuple[tuple[str, float], ...] = ()
    similarity: float | None = None
    nearest: str = ""


def why(db: apsw.Connection, query: Query, hit: Hit, meaning: StoreMeaning) -> Why:
    """Explain a hit of a query by its text as it is now."""
    matcher = Matcher(db, query)
    terms: Iterable[Term] = query.lit
    places = _substrings
    if hit.tier == "related":
        nothing = next(matcher.verified(matcher.candidates()), None) is None
        meant = corrections(matcher) if nothing else ()
        asked_for = parse(meant[0].query, typing=query.typing) if meant else query
        if (plain := as_plain_words(asked_for)) and not _meets_demands(db, asked_for, hit):
            asked_for = plain
        terms = [*map(Term, content_words(asked_for)), *filter(_is_strict, asked_for.lit)]
        places = partial(_stems, db)
    results = [
        matched
        for document in fetch(db, [hit.row.document_id])
        for term in terms
        if (matched := _matched(matcher, document, term, places)).places
    ]
    nearest = ""
    if hit.similarity is not None and not query.similar:
        nearest = meaning.nearest_passage(db, query.plain_text, hit.row.document_id)
    return Why(hit.tier, hit.score, tuple(results), hit.parts, hit.similarity, nearest)


def _meets_demands(db: apsw.Connection, query: Query, hit: Hit) -> bool:
    """Whether a related hit holds the phrases of a query, and nothing that it excludes."""
    strict = tuple(filter(is_strict, query.clauses))
    demanded = Matcher(db, Query(clauses=strict, excluded=query.excluded))
    return next(demanded.verified([hit.row.document_id]), None) is not None


def _is_strict(term: Term) -> bool:
    return is_strict((term,))


def _matched(matcher: Matcher, document: Document, term: Term, places: Places) -> Matched:
    texts = zip(SHAPES[document.kind].columns, document.texts, strict=True)
    results = (
        (column, places(term, text))
        for column, text in texts
        if term.columns is None or column in term.columns
    )
    return Matched(
        term.text,
        tuple((column, number) for column, number in results if number),
        _score(matcher, document, term),
    )


def _substrings(term: Term, text: str) -> int:
    return fold(text).count(term.folded)


def _stems(db: apsw.Connection, term: Term, text: str) -> int:
    """How often a term stands in a text, in whatever inflection."""
    if _is_strict(term) or not text:
        return _substrings(term, text)
    wanted = [stem for _, _, stem in stems(db, prepare(term.text))][:1]
    return sum(stem in wanted for _, _, stem in stems(db, prepare(text)))


def _score(matcher: Matcher, document: Document, term: Term) -> float | None:
    expression = phrase(term, apart=True)
    if not expression or not matcher.has_words:
        return None
    sql = f"SELECT {BM25} FROM words WHERE words MATCH ? AND rowid = ?"
    score: float | None = matcher.db.execute(sql, (expression, document.id)).get
    return score
