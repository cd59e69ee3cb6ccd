"""How many memories and sessions there are by day, and how memories divide by type, project and agent."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise
from typing import Any

import apsw

from ...kinds import VISIBLE
from ...records.dataclasses import dataclass
from ..index.counts import BITS, DIVIDED, NAME_AND_VALUE, counted, number_between
from .periods import Period

BARS = 12
"""How many values a division names, those with the most memories."""

MANY = """
SELECT (SELECT count(*) FROM {} AND {time} >= value ->> 0 AND {time} < value ->> 1)
FROM json_each(?) ORDER BY key
"""

WHOLE = """
SELECT name, value, sum(number) FROM value_counts WHERE span >= :first AND span < :last GROUP BY 1, 2
"""
WHOLE_OF_PROJECT = f"""
SELECT {NAME_AND_VALUE}, sum(number) FROM span_counts CROSS JOIN {DIVIDED}
WHERE span >= :first AND span < :last AND project = :project GROUP BY 1, 2
"""
BEFORE_STEP = """
SELECT type, project, agent, sum(number) FROM counted_documents
WHERE created_at >= :since AND created_at < :until AND {of_project} GROUP BY 1, 2, 3
"""

FILE_SIZE = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"


@dataclass(frozen=True, slots=True)
class Bar:
    """A value, how many memories have it, and how many of them by step of the period."""

    value: str
    memories: int
    by_step: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Division:
    """The values with the most memories, most first; `more` is how many other values there are."""

    bars: tuple[Bar, ...] = ()
    more: int = 0


def memories_by_day(db: apsw.Connection, period: Period, project: str | None = None) -> list[int]:
    """Return how many memories each day of a period has."""
    if project is None:
        return [number_between(db, *day) for day in pairwise(period.starts)]
    return _counted(db, period, *_documents(project))


def sessions_by_day(db: apsw.Connection, period: Period, project: str | None = None) -> list[int]:
    """Return how many sessions began on each day of a period."""
    source, values = f"sessions WHERE {VISIBLE}", dict[str, object]()
    if project is not None:
        source, values = f"{source} AND project = :project", {"project": project}
    return _counted(db, period, source, values, time="started_at")


def growth(db: apsw.Connection, period: Period, by_day: list[int], project: str | None = None) -> list[int]:
    """Return how many memories there were at the end of each step, by those of each day."""
    where = "true" if project is None else "project = :project"
    sql = f"SELECT coalesce(sum(number), 0) FROM {counted(until=period.since)} WHERE {where}"
    before = int(db.execute(sql, {"project": project}).get)
    return list(accumulate(period.by_step(by_day), initial=before))[1:]


def file_size(db: apsw.Connection) -> int:
    """Return the size of the memory's file, in bytes."""
    return int(db.execute(FILE_SIZE).get)


def divisions(db: apsw.Connection, period: Period, project: str | None = None) -> dict[str, Division]:
    """Divide a period's memories by type (of what is no observation its kind), by project (of one it is the
    only value), and by the agent of their session, "" for those of none."""
    steps: dict[str, dict[str, list[int]]] = {"type": {}, "project": {}, "agent": {}}
    edges = [*(period.starts[first] for first in period.steps), period.until]

    def add(step: int, counts: Counter[tuple[str, str]], sign: int = 1) -> None:
        if 0 <= step < len(period.steps):
            for (name, value), number in counts.items():
                steps[name].setdefault(value, [0] * len(period.steps))[step] += sign * number

    whole = WHOLE if project is None else WHOLE_OF_PROJECT
    for step, (first, last) in enumerate(pairwise(edge >> BITS for edge in edges)):
        rows: Any = db.execute(whole, {"first": first, "last": last, "project": project})
        add(step, Counter({(name, value): number for name, value, number in rows}))
    # What lies in a step's first span before the step belongs to the one before.
    of_project = "true" if project is None else "project = :project"
    for step, edge in enumerate(edges):
        values = {"since": edge >> BITS << BITS, "until": edge, "project": project}
        counts = Counter[tuple[str, str]]()
        rows = db.execute(BEFORE_STEP.format(of_project=of_project), values)
        for type_, project_, agent, number in rows:
            counts["type", type_] += number
            counts["project", project_] += number
            counts["agent", agent] += number
        add(step - 1, counts)
        add(step, counts, -1)
    return {name: _division(counts) for name, counts in steps.items()}


def _division(counts: dict[str, list[int]]) -> Division:
    bars = sorted(
        (Bar(value, sum(steps), tuple(steps)) for value, steps in counts.items() if any(steps)),
        key=lambda bar: (-bar.memories, bar.value),
    )
    return Division(tuple(bars[:BARS]), max(0, len(bars) - BARS))


def _documents(project: str | None) -> tuple[str, dict[str, object]]:
    if project is None:
        return "documents INDEXED BY documents_by_time WHERE true", {}
    source = "documents INDEXED BY documents_by_project WHERE project = :project"
    return source, {"project": project}


def _counted(
    db: apsw.Connection,
    period: Period,
    source: str,
    values: dict[str, object],
    time: str = "created_at",
) -> list[int]:
    days = zip(period.starts, period.starts[1:], strict=False)
    return list(_many(db, days, source, values, time))


def _many(
    db: apsw.Connection,
    edges: Iterable[Sequence[int]],
    source: str,
    values: dict[str, object],
    time: str = "created_at",
) -> list[int]:
    """Return how many rows of a source lie between each two edges, each by one look into its index."""
    sql = MANY.format(source, time=time).replace("?", ":edges")
    rows: Any = db.execute(sql, {**values, "edges": json.dumps(list(edges))})
    return [int(number) for (number,) in rows]


def counted_most(counts: Counter[str], most: int) -> list[tuple[str, int]]:
    """Return the most frequent, most first, in the order of their names where they are as many."""
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:most]
