"""The vectors of documents that a search had made: a row a document, in the store itself.

A vector can be turned back into words, more or less. So triggers delete it with its text, and it is only
written while the text that it was made of stands there.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import apsw

from ...search.index.documents import fetch
from ...search.related.passages import passages
from .embedders import Vector

if TYPE_CHECKING:
    from ...store import Store

Texts = tuple[str, ...]
"""The passages of a document."""
HALF = 2
"""Bytes of a number."""


def kept(db: apsw.Connection, model: str, documents: Mapping[int, Texts]) -> dict[int, list[Vector]]:
    """Return the vectors of documents by a model, which its fingerprint names, one a passage."""
    sql = (
        "SELECT v.document_id, v.vectors FROM json_each(?) j "
        "CROSS JOIN document_vectors v ON v.document_id = j.value WHERE v.model = ?"
    )
    rows: Any = db.execute(sql, (json.dumps([*documents]), model))
    results: dict[int, list[Vector]] = {}
    for number, raw in rows:
        size = len(raw) // (HALF * len(documents[number]) or 1)
        if size and size * HALF * len(documents[number]) == len(raw):
            numbers = struct.unpack(f"<{len(raw) // HALF}e", raw)
            results[number] = [numbers[begin : begin + size] for begin in range(0, len(numbers), size)]
    return results


def keep(
    store: Store, model: str, documents: Mapping[int, Texts], vectors: Mapping[int, list[Vector]]
) -> None:
    """Keep the vectors of documents whose passages are what they were made of."""
    with store.transaction():
        rows = [
            (document.id, model, _packed(vectors[document.id]))
            for document in fetch(store.db, vectors)
            if vectors[document.id] and tuple(passages(document)) == documents[document.id]
        ]
        store.db.executemany("INSERT OR REPLACE INTO document_vectors VALUES (?, ?, ?)", rows)


def drop(store: Store, *, but: str = "") -> int:
    """Delete all vectors but those by one model; return of how many documents."""
    with store.transaction():
        store.db.execute("DELETE FROM document_vectors WHERE model <> ?", (but,))
        return store.db.changes()


def amount(db: apsw.Connection, model: str) -> tuple[int, int]:
    """Return how many documents have vectors by a model, and their bytes."""
    sql = "SELECT count(*), total(length(vectors)) FROM document_vectors WHERE model = ?"
    number, size = db.execute(sql, (model,)).get
    return number, int(size)


def as_kept(vector: Vector) -> Vector:
    """Return a vector as it is once it was kept, so that a search finds the same before and after."""
    return struct.unpack(f"<{len(vector)}e", _packed([vector]))


def _packed(vectors: list[Vector]) -> bytes:
    numbers = [number for vector in vectors for number in vector]
    return struct.pack(f"<{len(numbers)}e", *numbers)
