"""Documents as hits: of each, what a list shows, and the rest of its row for whoever asks."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

import apsw

from ..entries import COLUMNS, to_entry
from ..records import Fact, Hit, Observation, Prompt, Record, Summary
from ..rows import columns, to_record
from .documents import SHAPES, Document, fetch
from .query import Query
from .snippets import Lighter

RECORDS: dict[str, type[Record]] = {"o": Observation, "p": Prompt, "s": Summary, "f": Fact}
SHOWN = 11
"""So many of a row's first values are its entry."""


def describe(
    db: apsw.Connection,
    query: Query,
    scored: Iterable[tuple[int, float]],
    known: Mapping[int, Document],
) -> list[Hit]:
    """Documents with their scores as hits, in the order given; `known` are those read already."""
    wanted = list(scored)
    missing = [number for number, _ in wanted if number not in known]
    documents = {**known, **{one.id: one for one in fetch(db, missing)}} if missing else known
    lighter = Lighter(query)
    rows = _rows(db, [number for number, _ in wanted])
    return [
        Hit(
            to_entry(row[:SHOWN]),
            score,
            partial(to_record, RECORDS[row[1]], row[SHOWN:]),
            partial(lighter.snippet, documents[number]),
        )
        for number, score in wanted
        if (row := rows.get(number)) and number in documents
    ]


def _rows(db: apsw.Connection, ids: list[int]) -> dict[int, tuple[Any, ...]]:
    """Each document's entry columns followed by its record's."""
    found: dict[int, tuple[Any, ...]] = {}
    for source, some in (
        ("documents", [number for number in ids if number > 0]),
        ("hidden_documents", [number for number in ids if number < 0]),
    ):
        kinds = db.execute(_KINDS.format(source), (json.dumps(some),)).fetchall() if some else []
        for kind in [str(one) for (one,) in kinds]:
            for row in db.execute(_ROWS[kind].format(source), (json.dumps(some),)):
                found[row[0]] = row
    return found


_WANTED = "json_each(?) j CROSS JOIN {} d ON d.id = j.value"
_KINDS = f"SELECT DISTINCT d.kind FROM {_WANTED}"
_ROWS = {
    letter: f"SELECT {COLUMNS}, {columns(record, 'r')} FROM {_WANTED} "
    f"JOIN {SHAPES[letter].table} r ON r.id = d.record_id WHERE d.kind = '{letter}'"
    for letter, record in RECORDS.items()
}
