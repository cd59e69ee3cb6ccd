"""The second tier: documents related to a query that too few contain whole.

Any of the words will do, in any inflection, and the rare ones decide. All words of a question ORed
would rank most of a large store, so the rarest words within a budget anchor the walk, the common
ones only add to the score of what the anchors found.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import apsw

from ..records import Snippet
from .folding import query_tokens
from .matching import Matcher
from .query import Query, Term
from .scoring import WEIGHTS
from .stop_words import STOP_WORDS
from .words import phrase, quote

BUDGET = 20_000
BUDGET_SHARE = 20
"""An anchor's postings: at most 20,000, or a twentieth of the documents where that is more."""
BEST = 500
"""So many are looked at for excluded words and phrases that are asked for."""
Clause = tuple[Term, ...]


def asked(query: Query) -> list[str]:
    """The words that a query asks about: of its plain terms, for a phrase or a field asks for
    exactly that."""
    plain = (term for clause in query.clauses if not is_strict(clause) for term in clause)
    tokens = list(dict.fromkeys(token for term in plain for token in query_tokens(term.text)))
    return [token for token in tokens if token not in STOP_WORDS] or tokens


def is_strict(clause: Clause) -> bool:
    """Whether a clause has to be met as it stands, by related documents too."""
    return any(term.phrase or term.field for term in clause)


def related(matcher: Matcher, limit: int, without: set[int]) -> Iterator[tuple[int, float]]:
    """Up to `limit` documents with their scores, best first, that hold any of the words."""
    words = asked(matcher.query)
    if not words or not matcher.has_words or matcher.where.source != "documents":
        return
    strict = tuple(filter(is_strict, matcher.query.clauses))
    anchor = _demanded(strict)
    if not anchor:
        anchors, words = _anchors(matcher, words)
        anchor = " OR ".join(map(quote, anchors))
    if not anchor:
        return
    found = [pair for pair in _scored(matcher, anchor, words) if pair[0] not in without]
    if not strict and not matcher.query.excluded:
        yield from found[:limit]
        return
    score = dict(found)
    demands = Matcher(matcher.db, Query(clauses=strict, excluded=matcher.query.excluded))
    for document in islice(demands.verified(score), limit):
        yield document.id, score[document.id]


def stems(db: apsw.Connection, text: str) -> list[tuple[int, int, str]]:
    """The stems in a text, each with the place in its UTF-8 that it came from."""
    tokenizer = db.fts5_tokenizer("porter", ["unicode61", "remove_diacritics", "2"])
    found: Any = tokenizer(text.encode(), apsw.FTS5_TOKENIZE_DOCUMENT, None)
    return [(start, end, token) for start, end, token in found]


def light_stems(db: apsw.Connection, words: list[str], passage: Snippet) -> Snippet:
    """A passage with what has the stem of one of the words lit."""
    wanted = {token for word in words for _, _, token in stems(db, word)}
    raw = passage.text.encode()
    spans = tuple(
        (len(raw[:start].decode()), len(raw[:end].decode()))
        for start, end, token in stems(db, passage.text)
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


def _demanded(strict: tuple[Clause, ...]) -> str:
    """What has to be met as it stands, as the words index understands it."""
    clauses = [[phrase(term) for term in clause] for clause in strict]
    return " AND ".join(f"({' OR '.join(phrases)})" for phrases in clauses if all(phrases))


def _scored(matcher: Matcher, anchor: str, others: list[str]) -> list[tuple[int, float]]:
    """Documents that meet the anchor, by BM25 over all words; the best `BEST` of them.

    FTS5 counts a phrase as often as the expression names it: `(A) AND (A OR C)` counts the anchors
    twice, so their own score is taken off once.
    """
    if not others:
        return _ranked(matcher, anchor, BEST)
    both = f"({anchor}) AND (({anchor}) OR {' OR '.join(map(quote, others))})"
    twice = dict(_ranked(matcher, both, -1))
    once = dict(_ranked(matcher, anchor, -1))
    scores = [(number, score - once.get(number, 0.0)) for number, score in twice.items()]
    return sorted(scores, key=lambda pair: (-pair[1], -pair[0]))[:BEST]


def _ranked(matcher: Matcher, expression: str, limit: int) -> list[tuple[int, float]]:
    low, high = matcher.bounds
    sql = (
        f"SELECT f.rowid, -bm25(words, {WEIGHTS}) AS score FROM words f "
        "CROSS JOIN documents d ON d.id = f.rowid "
        f"WHERE words MATCH ? AND {matcher.where.sql} AND f.rowid BETWEEN ? AND ? "
        "ORDER BY score DESC, f.rowid DESC LIMIT ?"
    )
    return list(matcher.db.execute(sql, (expression, *matcher.where.values, low, high, limit)))
