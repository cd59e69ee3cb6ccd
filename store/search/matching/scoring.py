"""BM25 over the words index: by SQLite, which walks through every document that holds a word to weigh it;
of very common words as SQLite computes it, with about how many documents hold each."""

from __future__ import annotations

import json
from math import log
from typing import Any
from weakref import WeakSet

import apsw

from ...text.late_pattern import late_pattern
from .terms import BM25, WEIGHTS, estimated_frequency

SATURATION, BY_LENGTH = 1.2, 0.75
"""The constants of SQLite's BM25."""
LEAST = 1e-6
"""What SQLite lets a word weigh that more than half of the documents hold."""
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
