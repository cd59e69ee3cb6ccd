"""Compare the vectors of a file with what the memory says: after the memory was replaced or made anew,
nobody noted what changed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import apsw

from ..search.index.documents import fetch
from .passages import passages
from .vector_file import Hash, Record, VectorFile, hash_of

AT_ONCE = 2_000
"""Records that are read at once."""
ALL = "SELECT kind, record_id FROM documents ORDER BY created_at, id"
DOCUMENT_IDS = """
SELECT d.id, d.kind, d.record_id FROM json_each(?) j CROSS JOIN documents d
ON d.kind = j.value ->> 0 AND d.record_id = j.value ->> 1
"""


def texts_of(db: apsw.Connection, records: Sequence[Record]) -> dict[Record, list[str]]:
    """Return the passages of those records that are documents; inside a transaction."""
    rows: Any = db.execute(DOCUMENT_IDS, (json.dumps(records),)).fetchall()
    names: dict[int, Record] = {number: (kind, record) for number, kind, record in rows}
    return {names[document.id]: passages(document) for document in fetch(db, [*names])}


def hashes_of(texts: dict[Record, list[str]]) -> dict[Record, list[Hash]]:
    """Return what the passages of records are known by."""
    return {record: [hash_of(text) for text in hashes] for record, hashes in texts.items()}


def compare(db: apsw.Connection, file: VectorFile, state: str) -> None:
    """Bring a file of another state to that of the memory: take out of it what the memory doesn't say,
    and note what is missing. Inside a transaction of the memory that may write."""
    rows: Any = db.execute(ALL).fetchall()
    records: list[Record] = [*rows]
    with file.transaction():
        file.forget_except(records)
        is_empty = not file.count("records")
        for begin in range(0, len(records), AT_ONCE):
            batch = records[begin : begin + AT_ONCE]
            if not is_empty:
                batch = _take_out_others(db, file, batch)
            file.set_due(batch)
        file.bring_to(state)


def _take_out_others(db: apsw.Connection, file: VectorFile, records: Sequence[Record]) -> list[Record]:
    """Take out those of some records that hold a vector of what they don't say; return those that lack
    any."""
    stored = file.hashes_of(records)
    said = hashes_of(texts_of(db, records))
    file.forget([pair for pair, results in stored.items() if results.difference(said.get(pair, ()))])
    return [record for record in records if stored.get(record) != set(said.get(record, ()))]
