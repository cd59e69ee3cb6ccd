"""How much a model knows of what a memory says: whether two passages of one record are nearer to each
other than passages of different records. A model that knows nothing, or not the language, tells them no
better than chance, and then its hits count nothing."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import apsw

from ..search.documents import fetch
from ..search.script import SCRIPTS, script_of
from .vector_file import Record, VectorFile

SAMPLE = 400
"""Records that are looked at."""
FEWEST = 20
"""Fewer of one script say nothing."""
PAIRS = 2_000

SEVERAL = """
SELECT kind, record_id, min(vector_id), max(vector_id) FROM passages
WHERE record_id % ? = 0 GROUP BY kind, record_id HAVING count(*) > 1 LIMIT ?
"""
DOCUMENTS = """
SELECT d.id, d.kind, d.record_id FROM json_each(?) j CROSS JOIN documents d
ON d.kind = j.value ->> 0 AND d.record_id = j.value ->> 1
"""


def measure(db: apsw.Connection, file: VectorFile) -> dict[str, float]:
    """Return for each script that enough records are in by how many standard deviations two passages of
    one record are nearer to each other than those of different records."""
    every = max(1, file.count("records") // (4 * SAMPLE))
    rows: Any = file.db.execute(SEVERAL, (every, SAMPLE)).fetchall()
    pairs: dict[Record, tuple[int, int]] = {(kind, one): (a, b) for kind, one, a, b in rows}
    named: Any = db.execute(DOCUMENTS, (json.dumps([*pairs]),)).fetchall()
    names: dict[int, Record] = {number: (kind, one) for number, kind, one in named}
    of_script: dict[str, list[tuple[int, int]]] = {name: [] for name in SCRIPTS}
    for document in fetch(db, [*names]):
        of_script[script_of(document.joined())].append(pairs[names[document.id]])
    return {name: _nearer(file, found) for name, found in of_script.items() if len(found) >= FEWEST}


def _nearer(file: VectorFile, pairs: Sequence[tuple[int, int]]) -> float:
    import numpy as np

    ids, rows = file.vectors(list(dict.fromkeys(one for pair in pairs for one in pair)))
    places = {number: place for place, number in enumerate(ids)}
    whole = [(places[a], places[b]) for a, b in pairs if a in places and b in places]
    if len(whole) < FEWEST:
        return 0.0
    first, second = (rows[[pair[side] for pair in whole]] for side in (0, 1))
    same = np.einsum("ij,ij->i", first, second)
    # Each with the second passage of others: as many different pairs as are wanted.
    shifts = range(1, min(len(whole), 1 + PAIRS // len(whole) + 1))
    others = np.concatenate(
        [np.einsum("ij,ij->i", first, np.roll(second, shift, axis=0)) for shift in shifts]
    )
    spread = float(others.std())
    return float(same.mean() - others.mean()) / spread if spread > 0 else 0.0
