"""The second tier: documents related to a query that too few contain whole.

Any of the words will do, in any inflection, and the rare ones decide. All words of a question ORed
would rank most of a large store, so the rarest words within a budget anchor the walk, the common
ones only add to the score of what the anchors found.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import apsw

from ..records import Snippet
from .documents import fetch
from .folding import query_tokens
from .matching import Matcher, quote
from .query import Query
from .stop_words import STOP_WORDS

BUDGET = 20_000
BUDGET_SHARE = 20
"""An anchor's postings: at most 20,000, or a twentieth of the documents where that is more."""
WEIGHTS = "4.0, 2.0, 1.0"


def asked(query: Query) -> list[str]:
    """The words that a query asks about: none where a phrase or field asks for exactly that."""
    if any(term.phrase or term.field for term in query.terms):
        return []
    tokens = list(dict.fromkeys(token for term in query.terms for token in query_tokens(term.text)))
    return [token for token in tokens if token not in STOP_WORDS] or tokens


def related(matcher: Matcher, limit: int, without: set[int]) -> Iterator[tuple[int, float]]:
    """Up to `limit` documents with their scores, best first, that hold any of the words."""
    words = asked(matcher.query)
    if not words or matcher.tokenizer in (None, "like") or matcher.where.source != "documents":
        return
    anchors, others = _anchors(matcher, words)
    if not anchors:
        return
    found = _scored(matcher, anchors, others, limit + len(without))
    fresh = [(number, score) for number, score in found if number not in without]
    if matcher.query.excluded:
        allowed = {
            one.id for one in fetch(matcher.db, [n for n, _ in fresh]) if matcher.allows(one)
        }
        fresh = [(number, score) for number, score in fresh if number in allowed]
    yield from fresh[:limit]


def light_stems(db: apsw.Connection, words: list[str], passage: Snippet) -> Snippet:
    """A passage with what has the stem of one of the words lit."""
    tokenizer = db.fts5_tokenizer("porter", ["unicode61", "remove_diacritics", "2"])

    def stems(text: str) -> list[tuple[int, int, str]]:
        found: Any = tokenizer(text.encode(), apsw.FTS5_TOKENIZE_DOCUMENT, None)
        return [(start, end, token) for start, end, token in found]

    wanted = {token for word in words for _, _, token in stems(word)}
    raw = passage.text.encode()
    spans = tuple(
        (len(raw[:start].decode()), len(raw[:end].decode()))
        for start, end, token in stems(passage.text)
        if token in wanted
    )
    return Snippet(passage.text, spans)


def _anchors(matcher: Matcher, words: list[str]) -> tuple[list[str], list[str]]:
    """The rarest words, as many as fit the budget (at least one), and the rest."""
    total = int(matcher.db.execute("SELECT coalesce(max(id), 0) FROM documents").get)
    budget = max(BUDGET, total // BUDGET_SHARE)
    sql = f"SELECT count(*) FROM (SELECT 1 FROM words WHERE words MATCH ? LIMIT {budget})"
    frequency = {word: int(matcher.db.execute(sql, (quote(word),)).get) for word in words}
    known = sorted((word for word in words if frequency[word]), key=lambda word: frequency[word])
    spent = 0
    for place, word in enumerate(known):
        spent += frequency[word]
        if place and spent > budget:
            return known[:place], known[place:]
    return known, []


def _scored(
    matcher: Matcher, anchors: list[str], others: list[str], limit: int
) -> list[tuple[int, float]]:
    """The best documents that hold an anchor, by BM25 over all words.

    FTS5 counts a phrase as often as the expression names it: `(A) AND (A OR C)` counts the anchors
    twice, so their own score is taken off once.
    """
    anchor = " OR ".join(map(quote, anchors))
    if not others:
        return _ranked(matcher, anchor, limit)
    both = f"({anchor}) AND ({anchor} OR {' OR '.join(map(quote, others))})"
    twice = dict(_ranked(matcher, both, -1))
    once = dict(_ranked(matcher, anchor, -1))
    scores = [(number, score - once.get(number, 0.0)) for number, score in twice.items()]
    return sorted(scores, key=lambda pair: (-pair[1], -pair[0]))[:limit]


def _ranked(matcher: Matcher, expression: str, limit: int) -> list[tuple[int, float]]:
    low, high = matcher.bounds
    sql = (
        f"SELECT f.rowid, -bm25(words, {WEIGHTS}) AS score FROM words f "
        "CROSS JOIN documents d ON d.id = f.rowid "
        f"WHERE words MATCH ? AND {matcher.where.sql} AND f.rowid BETWEEN ? AND ? "
        "ORDER BY score DESC, f.rowid DESC LIMIT ?"
    )
    return list(matcher.db.execute(sql, (expression, *matcher.where.values, low, high, limit)))
