"""A query's terms as the words index understands them, FTS5 expressions over its tokens; and BM25 over
that index: by SQLite, which walks through every document that holds a word to weigh it; of very common
words as SQLite computes it, with about how many documents hold each.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from math import log
from typing import Any
from weakref import WeakSet

import apsw

from ..text.language.folding import CHINESE, query_tokens
from ..text.late_pattern import late_pattern
from .listing.document_sql import BM25, WEIGHTS
from .query.language import Term

Clause = tuple[Term, ...]

WORD = late_pattern(rf"{CHINESE.pattern}|(?:(?!{CHINESE.pattern})[^\W_])+")
"""A word or a run of Chinese, as the words index would take it apart."""

MAXIMUM_WORDS, LONGEST = 32, 4_096
"""Of a long term, so many words and characters are looked up; its text decides in the end."""

SAMPLE = 200
"""So many of the newest documents with a word tell roughly how frequent it is."""


def expression(clauses: Iterable[Clause], *, prefix: bool = False, apart: bool = False) -> str:
    """Return the clauses of a query that have words as an FTS5 expression; '' when none has.

    With `prefix` a term's last word may go on; with `apart` a phrase is all of its words.
    """
    parts = []
    for clause in clauses:
        phrases = [phrase(term, prefix=prefix, apart=apart) for term in clause]
        if all(phrases):
            parts.append(f"({' OR '.join(phrases)})")
    return " AND ".join(parts)


def has_phrases(clauses: Iterable[Clause]) -> bool:
    """Whether a term is several words in a row."""
    return any(len(tokens(term)) > 1 for clause in clauses for term in clause)


def tokens(term: Term) -> list[str]:
    """Return a term's words, before stemming."""
    return query_tokens(term.text[:LONGEST])[:MAXIMUM_WORDS]


def phrase(term: Term, *, prefix: bool = False, apart: bool = False) -> str:
    """Return a term as an FTS5 expression: its tokens in a row, or `apart`; '' when it has none, or a text
    must not hold it.

    A single Chinese character is no word of the index, but begins the pairs it stands in: all of
    them together are found with `prefix` only, since to weigh them takes longer than to read them.
    """
    words = [] if term.negated else tokens(term)
    if not words or (not prefix and _is_lone(words)):
        return ""
    if apart:
        return f"({' AND '.join(map(quote, words))})"
    return quote(" ".join(words)) + (" *" if prefix else "")


def quote(text: str) -> str:
    """Return a text as an FTS5 string: whatever it holds, it is no syntax."""
    return '"' + text.replace('"', '""') + '"'


def estimated_frequency(db: apsw.Connection, text: str, counted: int = SAMPLE, index: str = "words") -> int:
    """Return how many documents an index has for a text; where these are more than `counted`, about how
    many, as if it were as frequent in all documents as in the newest of them."""
    newest = f"SELECT rowid FROM {index} WHERE {index} MATCH ? ORDER BY rowid DESC LIMIT ?"
    sql = f"SELECT count(*), min(rowid), max(rowid) FROM ({newest})"
    estimate = 0
    for sample in sorted({SAMPLE, counted}):
        number, lowest, highest = next(db.execute(sql, (quote(text), sample)))
        if number < sample:
            return int(number)
        estimate = number * highest // (highest - lowest + 1)
        if estimate > 1.5 * counted:
            break
    return int(estimate)


def frequency(db: apsw.Connection, text: str, at_most: int) -> int:
    """Count the documents, up to `at_most`, that hold some words in a row, in whatever inflection."""
    sql = "SELECT count(*) FROM (SELECT 1 FROM words WHERE words MATCH ? LIMIT ?)"
    return int(db.execute(sql, (quote(text), at_most)).get)


PHRASE = late_pattern(r'"((?:[^"]|"")*)"')

_prepared: WeakSet[apsw.Connection] = WeakSet()


def scoring(db: apsw.Connection, expression: str, walked: int) -> tuple[str, tuple[str, ...]]:
    """Return the SQL of the score of rows that match an expression, the best the highest, and what is bound
    in it: SQLite's own where its words have up to `walked` documents together."""
    phrases = [text.replace('""', '"') for text in PHRASE.findall(expression)]
    numbers = [estimated_frequency(db, text) for text in phrases]
    if sum(numbers) <= walked:
        return BM25, ()
    if db not in _prepared:
        db.register_fts5_function("bm25_by_frequencies", _bm25)
        _prepared.add(db)
    return "bm25_by_frequencies(words, ?)", (json.dumps(numbers),)


def _is_lone(words: list[str]) -> bool:
    return len(words[-1]) == 1 and CHINESE.match(words[-1]) is not None


SATURATION, BY_LENGTH = 1.2, 0.75
"""The constants of SQLite's BM25."""
LEAST = 1e-6
"""What SQLite lets a word weigh that more than half of the documents hold."""


def _bm25(row: apsw.FTS5ExtensionApi, /, *given: Any) -> float:
    """Return the score of a row, by how many documents hold each phrase of the expression, as JSON."""
    if row.aux_data is None:
        all_rows = row.row_count
        held_by = (min(number, all_rows) for number in json.loads(given[0]))
        weights = [max(LEAST, log((all_rows - n + 0.5) / (n + 0.5))) for n in held_by]
        row.aux_data = row.column_total_size() / all_rows, weights
    average, weights = row.aux_data
    rest = SATURATION * (1 - BY_LENGTH + BY_LENGTH * row.column_size() / average)
    score = 0.0
    for phrase, weight in enumerate(weights):
        columns = zip(WEIGHTS, row.phrase_locations(phrase), strict=True)
        held = sum(each * len(places) for each, places in columns)
        score += weight * held * (SATURATION + 1) / (held + rest)
    return score
