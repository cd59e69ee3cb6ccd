"""The documents that are nearest to a vector, ids from the vectors, rows and filters from the tables; and
pairs of memories that say the same in other words, candidates to be looked at.

Each memory of a project is compared with those only that are nearest to the same landmarks, which are
memories themselves, about the root of the number of all: so the time grows by the power of 1.5.

A pair is offered where its two are twice as near to each other as a memory of their kind usually is to its
nearest (a cosine of 0.8 to 0.98): so the bar is set by the store and the model. What is near to more than
twenty others says too little.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from math import isqrt, log, sqrt
from typing import TYPE_CHECKING, Any

import apsw

from ...platform.translation import _
from ...search.listing.document_sql import EMBEDDED
from ...search.query.filters import Where
from ...search.related.meaning import Near, NearPair, Progress
from .vector_file import Record, VectorFile

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .blocks import Floats

    Codes = NDArray[np.int8]
    Ids = NDArray[np.int64]

FIRST = 256
"""So many of the nearest vectors are looked at first, four times as many if filters leave too few."""
FIRST_ROUGH = 1_024
"""The same where the scores are rough."""
GROWTH = 4
LOOKED_AT_ONCE = 5_000
COMPARED = 20_000
"""By so many scores it is told what usual ones are."""
LEAST_ABOVE_CHANCE = 0.4
"""The nearest of n vectors that have nothing to do with a query is about sqrt(2 ln n) standard deviations
above their mean; what is at least this part of it above may have."""
NO_CHANCE = 1.5
"""So many standard deviations beyond that none is near by chance."""


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
    floor = mean + LEAST_ABOVE_CHANCE * chance * spread
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


def similarity(
    db: apsw.Connection, file: VectorFile, query: Floats, documents: list[int]
) -> dict[int, float]:
    """Return how near each of some documents is to a vector of unit length; those without a vector are
    left out."""
    sql = "SELECT d.kind, d.record_id FROM json_each(?) j CROSS JOIN documents d ON d.id = j.value"
    records: Any = db.execute(sql, (json.dumps(documents),)).fetchall()
    ids = [vector for _, _, vector in file.passages_of(records)]
    return _documents(db, file, query, ids, Where("documents", "true", ()))


TOLERANCE = 0.02
"""How far the cosines of eight bits, and of means, are trusted to be from exact ones."""
CROWD = 20
"""What is near to more others than this says too little of any of them."""


def near_pairs(
    db: apsw.Connection,
    file: VectorFile,
    kind: str,
    project: str | None = None,
    progress: Progress | None = None,
) -> list[NearPair]:
    """Return pairs of visible records of a kind that are twice as near to each other as a memory usually
    is to the one nearest to it, the nearest first. What `progress` raises ends it."""
    import numpy as np

    rows: Any = db.execute(EMBEDDED, (kind, project)).fetchall()
    if len(rows) < 2 or not file.dimensions:
        return []
    ids, codes = _means(file, kind, [number for _, number in rows])
    of_name = {number: name for name, number in rows}
    least = _least(codes)
    results: list[NearPair] = []
    done = 0
    for name, some in groupby(range(len(ids)), key=lambda place: of_name[int(ids[place])]):
        places = np.fromiter(some, np.int64)
        candidates = _candidates(codes[places], least - TOLERANCE)
        pairs = ids[places][candidates]
        results.extend(_exact(file, kind, pairs, least))
        done += len(places)
        if progress:
            progress(done, len(ids), name)
    return sorted(results, key=lambda pair: (-pair.cosine, pair.earlier, pair.later))


FEW_LEFT = 2_000
"""Where filters leave no more documents than this, their vectors are compared one by one."""
MOST_HOLDERS = 8
"""A text that more memories hold, such as a title that all have, says nothing of a single one."""
MANY = 200_000

OF_RECORDS = """
SELECT d.id, d.kind, d.record_id FROM json_each(?) j CROSS JOIN documents d
ON d.kind = j.value ->> 0 AND d.record_id = j.value ->> 1
WHERE (d.kind, d.record_id) NOT IN (SELECT kind, record_id FROM unembedded) AND {}
"""
FILTERED = "SELECT d.kind, d.record_id FROM documents d WHERE {} LIMIT ?"


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


def _few(db: apsw.Connection, where: Where) -> list[Record] | None:
    """Return the records that pass the filters where these are few."""
    if where.is_everything:
        return None
    rows: Any = db.execute(FILTERED.format(where.sql), (*where.values, FEW_LEFT + 1)).fetchall()
    return None if len(rows) > FEW_LEFT else [*rows]


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


READ_AT_ONCE, COMPARED_AT_ONCE = 2_000, 1_024
SAMPLE, FEWEST = 256, 16
"""So many memories tell how near one usually is to the one nearest to it; fewer don't tell."""
USUAL, LEAST_ALIKE, MOST = 0.9, 0.8, 0.98
"""The cosine from which on two say the same where nothing tells, and its bounds where something does."""
FEW_IN_PROJECT = 512
"""So many of a project are compared each with each."""
LANDMARKS = 2
"""How many landmarks a memory is compared at."""
MOST_PAIRS = 20_000


def _means(file: VectorFile, kind: str, records: Sequence[int]) -> tuple[Ids, Codes]:
    """Return those of some records that have vectors, and the mean of each's in eight bits a number."""
    import numpy as np

    ids: list[Ids] = []
    codes: list[Codes] = []
    for begin in range(0, len(records), READ_AT_ONCE):
        batch = records[begin : begin + READ_AT_ONCE]
        passages = file.passages_of([(kind, number) for number in batch])
        known, vectors = file.vectors([*dict.fromkeys(vector for _, _, vector in passages)])
        if not known:
            continue
        place = {vector: row for row, vector in enumerate(known)}
        # They come record by record.
        whose = np.asarray([number for _, number, value in passages if value in place])
        rows = np.asarray([place[item] for _, _, item in passages if item in place])
        starts = np.flatnonzero(np.r_[True, whose[1:] != whose[:-1]])
        sums = np.add.reduceat(vectors[rows], starts)
        scales = np.abs(sums).max(axis=1, keepdims=True)
        said = scales[:, 0] > 0
        codes.append(np.rint(sums[said] * (127 / scales[said])).astype(np.int8))
        ids.append(whose[starts][said])
    if not ids:
        return np.empty(0, np.int64), np.empty((0, file.dimensions), np.int8)
    return np.concatenate(ids), np.concatenate(codes)


def _unit(codes: Codes) -> Floats:
    import numpy as np

    wide = codes.astype(np.float32)
    result: Floats = wide / np.linalg.norm(wide, axis=1, keepdims=True)
    return result


def _least(codes: Codes) -> float:
    """Return the cosine from which on two say the same: half way from that of a memory and the one
    nearest to it to that of equal ones."""
    import numpy as np

    if len(codes) < FEWEST:
        return USUAL
    sample = np.unique(np.linspace(0, len(codes) - 1, SAMPLE).astype(np.int64))
    chosen = _unit(codes[sample])
    nearest = np.full(len(sample), -1.0, np.float32)
    for begin in range(0, len(codes), COMPARED_AT_ONCE):
        cosines = chosen @ _unit(codes[begin : begin + COMPARED_AT_ONCE]).T
        own = np.flatnonzero((sample >= begin) & (sample < begin + cosines.shape[1]))
        cosines[own, sample[own] - begin] = -1.0
        nearest = np.maximum(nearest, cosines.max(axis=1))
    usual = float(np.median(nearest))
    return min(MOST, max(LEAST_ALIKE, 1 - (1 - usual) / 2))


def _candidates(codes: Codes, least: float) -> Ids:
    """Return pairs of rows whose cosine is about that high, a row each, without those of a crowd."""
    import numpy as np

    number = len(codes)
    candidates = [np.empty(0, np.int64)]
    for members in _cells(codes):
        for begin in range(0, len(members), COMPARED_AT_ONCE):
            block = np.sort(members[begin : begin + COMPARED_AT_ONCE])
            unit = _unit(codes[block])
            first, second = np.nonzero(unit @ unit.T >= least)
            # Each is near to itself too.
            is_lone = np.bincount(first, minlength=len(block)) <= CROWD + 1
            chosen = (first < second) & is_lone[first] & is_lone[second]
            candidates.append(block[first[chosen]] * number + block[second[chosen]])
    both = np.unique(np.concatenate(candidates))
    return np.stack((both // max(1, number), both % max(1, number)), axis=1)


def _cells(codes: Codes) -> Iterator[Ids]:
    """Yield rows that are to be compared with each other, those at one landmark by how near they are."""
    import numpy as np

    number = len(codes)
    if number <= FEW_IN_PROJECT:
        yield np.arange(number)
        return
    landmarks = _unit(codes[np.linspace(0, number - 1, isqrt(number)).astype(np.int64)])
    cells, cosines = [], []
    for begin in range(0, number, COMPARED_AT_ONCE):
        near = _unit(codes[begin : begin + COMPARED_AT_ONCE]) @ landmarks.T
        best = np.argpartition(near, -LANDMARKS, axis=1)[:, -LANDMARKS:]
        cells.append(best)
        cosines.append(np.take_along_axis(near, best, axis=1))
    cell, cosine = np.concatenate(cells).ravel(), np.concatenate(cosines).ravel()
    rows = np.repeat(np.arange(number), LANDMARKS)
    order = np.lexsort((-cosine, cell))
    yield from np.split(rows[order], np.flatnonzero(np.diff(cell[order])) + 1)


def _exact(file: VectorFile, kind: str, pairs: Iterable[Sequence[int]], least: float) -> Iterator[NearPair]:
    """Yield pairs of records of which each passage is, on average, so near to one of the other."""
    import numpy as np

    chosen = np.asarray([*pairs], np.int64).reshape(-1, 2)[:MOST_PAIRS]
    for begin in range(0, len(chosen), READ_AT_ONCE):
        batch = chosen[begin : begin + READ_AT_ONCE].tolist()
        records = [(kind, number) for number in dict.fromkeys(item for pair in batch for item in pair)]
        vectors_of: dict[int, list[int]] = {}
        for _kind, number, vector in file.passages_of(records):
            vectors_of.setdefault(number, []).append(vector)
        known, vectors = file.vectors(
            [*dict.fromkeys(value for results in vectors_of.values() for value in results)]
        )
        place = {vector: row for row, vector in enumerate(known)}
        for earlier, later in batch:
            entry, other = (
                vectors[[place[vector] for vector in vectors_of.get(number, ()) if vector in place]]
                for number in (earlier, later)
            )
            if not len(entry) or not len(other):
                continue
            cosines = entry @ other.T
            best = np.concatenate((cosines.max(axis=0), cosines.max(axis=1)))
            if (cosine := float(best.mean())) >= least:
                yield NearPair(earlier, later, min(1.0, cosine))
