"""The documents that are nearest to a vector: ids from the vectors, rows and filters from the tables."""

from __future__ import annotations

import json
from math import log, sqrt
from typing import TYPE_CHECKING, Any

import apsw

from ..search.query.filters import Where
from ..search.related.meaning import Near
from ..translation import _
from .vector_file import Record, VectorFile

if TYPE_CHECKING:
    from .blocks import Floats

FIRST = 256
"""So many of the nearest vectors are looked at first, four times as many if filters leave too few."""
FIRST_ROUGH = 1_024
"""The same where the scores are rough."""
GROWTH = 4
FEW = 2_000
"""Where filters leave no more documents than this, their vectors are compared one by one."""
LOOKED_AT_ONCE = 5_000
MOST_HOLDERS = 8
"""A text that more memories hold, such as a title that all have, says nothing of a single one."""
COMPARED = 20_000
"""By so many scores it is told what usual ones are."""
MANY = 200_000
LEAST = 0.4
"""The nearest of n vectors that have nothing to do with a query is about sqrt(2 ln n) standard deviations
above their mean; what is at least this part of it above may have."""
NO_CHANCE = 1.5
"""So many standard deviations beyond that none is near by chance."""

OF_RECORDS = """
SELECT d.id, d.kind, d.record_id FROM json_each(?) j CROSS JOIN documents d
ON d.kind = j.value ->> 0 AND d.record_id = j.value ->> 1
WHERE (d.kind, d.record_id) NOT IN (SELECT kind, record_id FROM unembedded) AND {}
"""
FILTERED = "SELECT d.kind, d.record_id FROM documents d WHERE {} LIMIT ?"


def nearest(db: apsw.Connection, file: VectorFile, query: Floats, where: Where, limit: int) -> Near:
    """Return up to `limit` documents that pass the filters, the nearest to a vector of unit length
    first."""
    if where.source != "documents" or not file.dimensions or limit <= 0:
        return Near()
    if len(query) != file.dimensions:
        raise ValueError(
            _(
                "The query's vector has {number} numbers, not {dimensions}.",
                number=len(query),
                dimensions=file.dimensions,
            )
        )
    scores = file.scores(query)
    every = max(1, len(scores) // COMPARED)
    there = scores[::every]
    there = there[there != 0]
    if not len(there):
        return Near()
    chance = sqrt(2 * log(every * len(there)))
    mean, spread = float(there.mean()), float(there.std())
    floor = mean + LEAST * chance * spread
    # What stands out so far is no chance, whatever the model knows otherwise.
    trust = float(scores.max() > mean + (chance + NO_CHANCE) * spread)
    few = _few(db, where)
    if few is not None:
        ids = [vector for _, _, vector in file.passages_of(few)]
        return Near(_best(_documents(db, file, query, ids, where), limit), floor, trust)
    results: dict[int, float] = {}
    done, size = 0, max(FIRST_ROUGH if file.is_rough else FIRST, 4 * limit)
    while True:
        order = _highest(scores, size)
        for begin in range(done, len(order), LOOKED_AT_ONCE):
            batch = order[begin : begin + LOOKED_AT_ONCE].tolist()
            for number, score in _documents(db, file, query, batch, where).items():
                results[number] = max(score, results.get(number, -1.0))
        if len(results) >= limit or size >= len(scores):
            return Near(_best(results, limit), floor, trust)
        done, size = size, GROWTH * size


def _highest(scores: Floats, number: int) -> Any:
    """Return the ids of the vectors with the highest scores, the highest first."""
    import numpy as np

    places = np.flatnonzero(scores)
    if len(scores) > MANY:
        # Cheaper than to part all of them: what is likely to be among them, by some.
        sample = np.sort(scores[:: len(scores) // COMPARED])
        expected = 2 * number * len(sample) // len(scores) + 8
        likely = np.flatnonzero(scores >= max(float(sample[-min(expected, len(sample))]), 1e-6))
        places = likely if len(likely) >= number else places
    if number < len(places):
        places = places[np.argpartition(scores[places], -number)[-number:]]
    return places[np.argsort(-scores[places], kind="stable")] + 1


def similarity(
    db: apsw.Connection, file: VectorFile, query: Floats, documents: list[int]
) -> dict[int, float]:
    """Return how near each of some documents is to a vector of unit length; those without a vector are
    left out."""
    sql = "SELECT d.kind, d.record_id FROM json_each(?) j CROSS JOIN documents d ON d.id = j.value"
    records: Any = db.execute(sql, (json.dumps(documents),)).fetchall()
    ids = [vector for _, _, vector in file.passages_of(records)]
    return _documents(db, file, query, ids, Where("documents", "true", ()))


def _few(db: apsw.Connection, where: Where) -> list[Record] | None:
    """Return the records that pass the filters where these are few."""
    if where.is_everything:
        return None
    rows: Any = db.execute(FILTERED.format(where.sql), (*where.values, FEW + 1)).fetchall()
    return None if len(rows) > FEW else [*rows]


def _documents(
    db: apsw.Connection, file: VectorFile, query: Floats, ids: list[int], where: Where
) -> dict[int, float]:
    """Return the documents that have some vectors and pass the filters, with the cosine of the nearest."""
    holders = file.holders_of(ids, MOST_HOLDERS)
    records = list(dict.fromkeys((kind, number) for kind, number, _ in holders))
    rows: Any = db.execute(OF_RECORDS.format(where.sql), (json.dumps(records), *where.values)).fetchall()
    documents: dict[Record, int] = {(kind, number): document for document, kind, number in rows}
    # Only of what passes the filters: each vector is a page of the file to read.
    wanted = [vector for kind, number, vector in holders if (kind, number) in documents]
    known, vectors = file.vectors(list(dict.fromkeys(wanted)))
    if not known:
        return {}
    cosines = dict(zip(known, (vectors @ query).tolist(), strict=True))
    results: dict[int, float] = {}
    for kind, number, vector in holders:
        document = documents.get((kind, number))
        if document is not None and vector in cosines:
            results[document] = max(cosines[vector], results.get(document, -1.0))
    return results


def _best(scores: dict[int, float], limit: int) -> dict[int, float]:
    order = sorted(scores.items(), key=lambda pair: (-pair[1], -pair[0]))
    return dict(order[:limit])
