"""Why a hit is a hit: the terms that stand in it, where, and what each adds to its score."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .. import Hit, Why

Json = dict[str, object]


def why_json(why: Why, rank: int) -> Json:
    """The place among the hits (from 1), and of each matched term how often each field holds it.

    A term's score is its part of the whole; null for one that only stands inside words.
    """
    return {
        "rank": rank,
        "tier": why.tier,
        "score": why.score,
        "terms": [
            {"term": one.term, "columns": dict(one.places), "score": one.score} for one in why.terms
        ],
    }


def why_lines(why: Why, hit: Hit, rank: int) -> Iterator[str]:
    """The same for people: a line on the hit, and one for each matched term."""
    score = f"score {_shown(why.score)}" if why.score else "not ranked"
    yield f"{rank}. {hit.entry.ref}  {why.tier}, {score}  {hit.entry.title}"
    for one in why.terms:
        places = ", ".join(f"{column} {count}" for column, count in one.places)
        if one.score is None:
            yield f'{"-":>8}  "{one.term}" in {places}, only inside words'
        else:
            yield f'{_shown(one.score):>8}  "{one.term}" in {places}'


def _shown(score: float) -> str:
    """A score to two places; a word that most memories hold counts for next to nothing."""
    return "<0.01" if 0 < score < 0.005 else f"{score:.2f}"
