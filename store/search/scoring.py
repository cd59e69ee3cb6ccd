"""BM25 over the words index: how well documents match, of the newest that do."""

from __future__ import annotations

import json
from typing import NamedTuple

from .matching import Matcher
from .words import expression, has_phrases

NEWEST_RANKED = (5_000, 20_000)
"""So many of the newest word matches are ranked: the more where a filter leaves few of them."""
PHRASES_RANKED = (500, 2_000)
WEIGHTS = "4.0, 2.0, 1.0"
"""What a word counts for in the title, the body and the lists."""


class Candidates(NamedTuple):
    """Documents with their scores, best first; `newest` is None when all word matches were ranked,
    otherwise how many of the newest were."""

    scored: list[tuple[int, float]]
    newest: int | None


def bm25_candidates(matcher: Matcher, limit: int) -> Candidates:
    """Return up to `limit` of the newest documents that hold the terms as words, best first by BM25.

    A word that a third of the store holds costs little more than a rare one, because only so
    many matches are looked at; of what a filter lets pass, enough for a page or two.
    """
    sought = expression(matcher.query)
    if not sought or not matcher.has_words or matcher.where.source != "documents":
        return Candidates([], None)
    sizes = PHRASES_RANKED if has_phrases(matcher.query) else NEWEST_RANKED
    low, high = matcher.bounds
    for size in sizes:
        cut = cutoff(matcher, sought, size)
        found = _scored(matcher, sought, low if cut is None else cut, high, limit)
        if cut is None or len(found) >= limit:
            break
    return Candidates(found, None if cut is None else size)


def cutoff(matcher: Matcher, sought: str, number: int) -> int | None:
    """Return the lowest id of the newest `number` matches; None when there are no more than these."""
    cut: int | None = matcher.db.execute(
        "SELECT rowid FROM words WHERE words MATCH ? AND rowid BETWEEN ? AND ? "
        "ORDER BY rowid DESC LIMIT 1 OFFSET ?",
        (sought, *matcher.bounds, number),
    ).get
    return None if cut is None else cut + 1


def _scored(
    matcher: Matcher, sought: str, low: int, high: int, limit: int
) -> list[tuple[int, float]]:
    """Return the best `limit` matches with ids from `low` to `high`, as (id, score), best first.

    BM25 of a phrase would look for that phrase in the whole index to weigh it, so the words of
    phrases are scored one by one.
    """
    condition, among = matcher.where.sql, tuple[str, ...]()
    if has_phrases(matcher.query):
        sql = "SELECT rowid FROM words WHERE words MATCH ? AND rowid BETWEEN ? AND ?"
        ids = [number for (number,) in matcher.db.execute(sql, (sought, low, high))]
        # The plus keeps SQLite from asking the index once for each of them.
        condition += " AND +f.rowid IN (SELECT value FROM json_each(?))"
        among = (json.dumps(ids),)
        sought = expression(matcher.query, apart=True)
    join = "" if matcher.where.is_everything else "CROSS JOIN documents d ON d.id = f.rowid "
    rows = matcher.db.execute(
        f"SELECT f.rowid, -bm25(words, {WEIGHTS}) AS score FROM words f {join}"
        f"WHERE words MATCH ? AND f.rowid BETWEEN ? AND ? AND {condition} "
        "ORDER BY score DESC, f.rowid DESC LIMIT ?",
        (sought, low, high, *matcher.where.values, *among, limit),
    )
    return [(int(number), float(score)) for number, score in rows]
