"""Read all memories of an export, the newest first, without holding more than a few at once."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import apsw

from ...formats.common.scope import Scope
from ...platform.clock import DAY_MS, horizon_ms
from ...records.dataclasses import dataclass
from ...records.rows import Common, Fact, Note, Observation, Prompt, Summary
from ...tables.base import columns, to_record
from .markup import AnyMemory

KINDS: dict[str, tuple[type[Common], str]] = {
    "o": (Observation, "observations"),
    "p": (Prompt, "prompts"),
    "s": (Summary, "summaries"),
    "f": (Fact, "facts"),
    "n": (Note, "notes"),
}
AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Span:
    """Memories that follow each other by time: how many, and the newest and oldest moment in ms."""

    count: int
    newest: int
    oldest: int


def newest_first(db: apsw.Connection, scope: Scope) -> Iterator[AnyMemory]:
    """Yield the memories of an export."""
    keys = iter(_keys(db, scope))
    while some := [(kind, int(number)) for kind, number, _ in islice(keys, AT_ONCE)]:
        results = {
            kind: by_numbers(db, kind, (number for item, number in some if item == kind))
            for kind in {kind for kind, _ in some}
        }
        yield from (results[kind][number] for kind, number in some)


def spans(db: apsw.Connection, scope: Scope, most: int) -> tuple[list[Span], Counter[int]]:
    """Return the memories of an export in stretches of at most `most`, newest first, and how many there
    are by day, as days since the epoch; those without a time, or dated ahead, are of no day."""
    results: list[Span] = []
    days: Counter[int] = Counter()
    count = newest = oldest = 0
    for _, _, at in _keys(db, scope):
        newest = newest if count else at
        count += 1
        if at > 0:
            oldest = at
            days[at // DAY_MS] += 1
        if count == most:
            results.append(Span(count, newest, oldest))
            count = 0
    if count:
        results.append(Span(count, newest, oldest))
    return results, days


def by_numbers(db: apsw.Connection, kind: str, numbers: Iterable[int]) -> dict[int, Any]:
    """Return records of a kind, named by its letter, by their numbers."""
    record, table = KINDS[kind]
    sql = (
        f"SELECT {columns(record, 't')} FROM json_each(?) wanted "
        f"CROSS JOIN {table} t ON t.id = wanted.value"
    )
    rows = db.execute(sql, (json.dumps([*numbers]),))
    return {item.id: item for item in (to_record(record, row) for row in rows)}


def _keys(db: apsw.Connection, scope: Scope) -> Iterator[Any]:
    """Return the kind, number and time of each memory, newest first. What a wrong clock dated ahead has
    none."""
    parts = (
        f"SELECT '{kind}' AS kind, t.id AS id, CAST(t.{_time(kind)} AS INTEGER) AS told "
        f"FROM {table} t WHERE {scope.condition(table)}"
        for kind, (_, table) in KINDS.items()
    )
    sql = (
        f"SELECT kind, id, iif(told > ?, 0, told) AS at FROM ({' UNION ALL '.join(parts)}) "
        "ORDER BY at DESC, kind, id"
    )
    return iter(db.execute(sql, (horizon_ms(),)))


def _time(kind: str) -> str:
    return "updated_at" if kind == "n" else "created_at"
