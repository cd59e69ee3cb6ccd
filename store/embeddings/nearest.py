"""The documents that are nearest to a vector: ids from the vectors, rows and filters from the tables."""

from __future__ import annotations

import json
from math import log, sqrt
from typing import TYPE_CHECKING, Any

import apsw

from ..search.filters import Where
from ..search.meaning import Near
from .vector_file import Record, VectorFile

if TYPE_CHECKING:
    from .vector_file import Floats

FIRST = 256
"""So many of the nearest vectors are looked at first, four times as many if filters leave too few."""
GROWTH = 4
FEW = 2_000
"""Where filters leave no more documents than this, their vectors are compared one by one."""
LOOKED_AT_ONCE = 5_000
LEAST = 0.4
"""The nearest of n vectors that have nothing to do with a query is about sqrt(2 ln n) standard deviations
above their mean; what is at least this part of it above may have."""

OF_RECORDS = """
SELECT d.id, d.kind, d.record_id FROM json_each(?) j CROSS JOIN documents d
ON d.kind = j.value ->> 0 AND d.record_id = j.value ->> 1
WHERE (d.kind, d.record_id) NOT IN (SELECT kind, record_id FROM unembedded) AND {}
"""
FILTERED = "SELECT d.kind, d.record_id FROM documents d WHERE {} LIMIT ?"


def nearest(db: apsw.Connection, file: VectorFile, query: Floats, where: Where, limit: int) -> Near:
    """Return up to `limit` documents that pass the filters, the nearest to a vector of unit length
    first."""
    import numpy as np

    if where.source != "documents" or not file.dimensions or limit <= 0:
        return Near()
    if len(query) != file.dimensions:
        raise ValueError(f"The query's vector has {len(query)} numbers, not {file.dimensions}.")
    scores = file.scores(query)
    there = scores[scores != 0]
    if not len(there):
        return Near()
    floor = float(there.mean() + LEAST * sqrt(2 * log(len(there))) * there.std())
    few = _few(db, where)
    if few is not None:
        ids = [vector for _, _, vector in file.passages_of(few)]
        return Near(_best(_documents(db, file, query, ids, where), limit), floor)
    found: dict[int, float] = {}
    done, size = 0, min(max(FIRST, 4 * limit), len(scores))
    while True:
        order = np.argpartition(scores, -size)[-size:] if size < len(scores) else np.arange(size)
        order = order[np.argsort(-scores[order], kind="stable")]
        ids = [int(place) + 1 for place in order[done:] if scores[place] != 0]
        for begin in range(0, len(ids), LOOKED_AT_ONCE):
            some = ids[begin : begin + LOOKED_AT_ONCE]
            for number, score in _documents(db, file, query, some, where).items():
                found[number] = max(score, found.get(number, -1.0))
        if len(found) >= limit or size == len(scores):
            return Near(_best(found, limit), floor)
        done, size = size, min(GROWTH * size, len(scores))


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
    found, vectors = file.vectors(ids)
    if not found:
        return {}
    cosines = dict(zip(found, (vectors @ query).tolist(), strict=True))
    of_record: dict[Record, float] = {}
    for kind, number, vector in file.holders_of(found):
        record = (kind, number)
        of_record[record] = max(cosines[vector], of_record.get(record, -1.0))
    rows: Any = db.execute(
        OF_RECORDS.format(where.sql), (json.dumps([*of_record]), *where.values)
    ).fetchall()
    return {number: of_record[kind, record] for number, kind, record in rows}


def _best(found: dict[int, float], limit: int) -> dict[int, float]:
    order = sorted(found.items(), key=lambda pair: (-pair[1], -pair[0]))
    return dict(order[:limit])
