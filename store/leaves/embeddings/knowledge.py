"""How much a model knows of what a memory says: whether the memories that share the rarest words of one
are also near to it by their vectors, and whether its tokenizer knows the memory's languages.

Measures that don't hold: how near two passages of one memory are (titles may say nothing), and the same
question asked of each query alone (chance lets one in ten pass).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from math import sqrt
from statistics import mean, stdev
from typing import TYPE_CHECKING, Any

import apsw

from ...search.index.documents import fetch
from ...search.matching import Matcher
from ...search.query.language import Query
from ...search.related.similar import like_by_words
from ...text.language.scripts import SCRIPTS, script_of
from .embedder import passages
from .vector_file import Record, VectorFile

if TYPE_CHECKING:
    from .embedder import Embedder

SAMPLE = 100
"""Memories that are looked at."""
CANDIDATES, FEWEST_CANDIDATES = 100, 8
"""Of each so many that share its words are compared; fewer say nothing."""
FEWEST = 8
"""Of fewer memories of one script nothing is said."""

NEWEST = """
SELECT id, kind, record_id FROM documents WHERE id % ? = 0 ORDER BY id DESC LIMIT ?
"""


def measure(db: apsw.Connection, file: VectorFile) -> dict[str, float]:
    """Return the trust in a model, from 0 to 1, for each script that enough memories are in."""
    total = int(db.execute("SELECT coalesce(max(id), 0) FROM documents").get)
    rows: Any = db.execute(NEWEST, (max(1, total // (2 * SAMPLE)), 2 * SAMPLE)).fetchall()
    records: dict[int, Record] = {number: (kind, record) for number, kind, record in rows}
    results: dict[str, list[float]] = {name: [] for name in SCRIPTS}
    matcher = Matcher(db, Query())
    for document in fetch(db, records):
        correlations = results[script_of(document.joined())]
        if len(correlations) == SAMPLE:
            continue
        scored = like_by_words(matcher, document.id, CANDIDATES)
        value = _correlation(db, file, records[document.id], scored)
        if value is not None:
            correlations.append(value)
    return {name: _trust(values) for name, values in results.items() if len(values) >= FEWEST}


LANGUAGE_SAMPLE = 400
"""Records that are looked at, over the whole memory."""
SPREAD = """
SELECT id FROM documents WHERE id % max(1, (SELECT count(*) FROM documents) / ?) = 0
ORDER BY id DESC LIMIT ?
"""


def unknown_shares(db: apsw.Connection, model: Embedder) -> dict[str, float]:
    """Return for each script of a memory the share of tokens that a model doesn't know; empty where only
    a server or program could tell. Raises ProviderError."""
    ids = [number for (number,) in db.execute(SPREAD, (LANGUAGE_SAMPLE, LANGUAGE_SAMPLE))]
    texts: dict[str, list[str]] = {name: [] for name in SCRIPTS}
    for document in fetch(db, ids):
        texts[script_of(document.joined())] += passages(document)
    results = {name: model.unknown_share(some) for name, some in texts.items() if some}
    return {name: share for name, share in results.items() if share is not None}


CHANCE, CERTAIN = 0.05, 0.15
"""The mean correlation of words and vectors up to which chance may be at work, and from which on none
is."""
RECORDS = "SELECT d.id, d.kind, d.record_id FROM json_each(?) j CROSS JOIN documents d ON d.id = j.value"


def _trust(correlations: Sequence[float]) -> float:
    """Return 1 for correlations that are no chance on average, 0 where they may be, else between."""
    doubt = 2 * stdev(correlations) / sqrt(len(correlations))
    return min(1.0, max(0.0, (mean(correlations) - doubt - CHANCE) / (CERTAIN - CHANCE)))


def _correlation(
    db: apsw.Connection, file: VectorFile, record: Record, scored: Sequence[tuple[int, float]]
) -> float | None:
    """Return how scores by words and cosines go together; None where too few have both."""
    import numpy as np

    rows: Any = db.execute(RECORDS, (json.dumps([number for number, _ in scored]),)).fetchall()
    of_record: dict[Record, int] = {(kind, item): number for number, kind, item in rows}
    passages = file.passages_of([record, *of_record])
    # What several say is embedded once, and near to itself whatever the model knows.
    held = Counter(value for _, _, value in passages)
    passages = [passage for passage in passages if held[passage[2]] == 1]
    ids, vectors = file.vectors(list(dict.fromkeys(entry for _, _, entry in passages)))
    places = {number: place for place, number in enumerate(ids)}
    own = [places[one] for kind, number, one in passages if (kind, number) == record]
    if not own:
        return None
    cosines = vectors @ vectors[own].mean(axis=0)
    nearest: dict[int, float] = {}
    for kind, number, one in passages:
        if (kind, number) != record:
            document = of_record[kind, number]
            nearest[document] = max(float(cosines[places[one]]), nearest.get(document, -1.0))
    pairs = [(score, nearest[number]) for number, score in scored if number in nearest]
    if len(pairs) < FEWEST_CANDIDATES:
        return None
    words, meaning = np.asarray(pairs).T
    if not words.std() or not meaning.std():
        return None
    return float(np.corrcoef(words, meaning)[0, 1])
