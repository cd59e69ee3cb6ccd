"""How many memories and sessions there are by day, and how memories divide by type, project and agent."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Any

import apsw

from ...kinds import VISIBLE
from ...records.dataclasses import dataclass
from .periods import Period

BARS = 12
"""How many values a division names, those with the most memories."""

MANY = """
SELECT (SELECT count(*) FROM {} AND {time} >= value ->> 0 AND {time} < value ->> 1)
FROM json_each(?) ORDER BY key
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
    return _counted(db, period, *_documents(project))


def sessions_by_day(db: apsw.Connection, period: Period, project: str | None = None) -> list[int]:
    """Return how many sessions began on each day of a period."""
    source, values = f"sessions WHERE {VISIBLE}", dict[str, object]()
    if project is not None:
        source, values = f"{source} AND project = :project", {"project": project}
    return _counted(db, period, source, values, time="started_at")


def growth(
    db: apsw.Connection, period: Period, by_day: list[int], project: str | None = None
) -> list[int]:
    """Return how many memories there were at the end of each step, by those of each day."""
    source, values = _documents(project)
    sql = f"SELECT count(*) FROM {source} AND created_at < :since"
    before = int(db.execute(sql, {**values, "since": period.since}).get)
    return list(accumulate(period.by_step(by_day), initial=before))[1:]


def file_size(db: apsw.Connection) -> int:
    """Return the size of the memory's file, in bytes."""
    return int(db.execute(FILE_SIZE).get)


def by_type(db: apsw.Connection, period: Period, project: str | None = None) -> Division:
    """Divide a period's memories by type; of what is no observation the kind is its type."""
    if project is not None:
        return _of_project(db, period, project)
    return _by_index(db, period, "type")


def by_project(db: apsw.Connection, period: Period, project: str | None = None) -> Division:
    """Divide a period's memories by project; of one project it is the only value."""
    if project is None:
        return _by_index(db, period, "project")
    steps = period.by_step(memories_by_day(db, period, project))
    return Division((Bar(project, sum(steps), tuple(steps)),)) if any(steps) else Division()


def by_agent(db: apsw.Connection, period: Period, project: str | None = None) -> Division:
    """Divide a period's memories by the agent of their session, "" for those of none."""
    agents = dict(db.execute("SELECT id, agent FROM sessions"))
    where, values = "true", (period.since, period.until)
    index, given = "documents_by_session", dict[str, object]()
    if project is not None:
        index, where, given = "documents_by_project", "project = :project", {"project": project}
    sql = (
        "SELECT session_id, count(*), min(created_at), max(created_at) "
        f"FROM documents INDEXED BY {index} WHERE {where} "
        "AND created_at >= :since AND created_at < :until GROUP BY session_id"
    )
    given |= dict(zip(("since", "until"), values, strict=True))
    edges = [period.edges_of_step(step) for step in range(len(period.steps))]
    counts: dict[str, list[int]] = {}
    rows: list[Any] = db.execute(sql, given).fetchall()
    for session, number, first, last in rows:
        found = counts.setdefault(str(agents.get(session, "")), [0] * len(edges))
        step = _step(period, first)
        if step == _step(period, last):
            found[step] += number
            continue
        # The session went on over the end of a step.
        source = f"documents WHERE session_id IS :session AND {where}"
        many = _many(db, edges, source, {**given, "session": session})
        for place, each in enumerate(many):
            found[place] += each
    return _division(counts)


def _step(period: Period, at: int) -> int:
    number = period.number_of(at) or 0
    return next(step for step in reversed(range(len(period.steps))) if period.steps[step] <= number)


def _of_project(db: apsw.Connection, period: Period, project: str) -> Division:
    """By type, within a project: no index knows both, so its rows are read step by step."""
    counts: dict[str, list[int]] = {}
    sql = (
        "SELECT type, count(*) FROM documents INDEXED BY documents_by_project "
        "WHERE project = ? AND created_at >= ? AND created_at < ? GROUP BY type"
    )
    for step in range(len(period.steps)):
        rows: Any = db.execute(sql, (project, *period.edges_of_step(step)))
        for value, number in rows:
            counts.setdefault(str(value), [0] * len(period.steps))[step] = int(number)
    return _division(counts)


def _by_index(db: apsw.Connection, period: Period, column: str) -> Division:
    """By a column that has an index together with the time: nothing else is read."""
    sql = (
        f"SELECT {column}, count(*) AS number FROM documents INDEXED BY documents_by_{column} "
        f"WHERE created_at >= ? AND created_at < ? GROUP BY {column}"
    )
    totals: list[Any] = db.execute(sql, (period.since, period.until)).fetchall()
    edges = [period.edges_of_step(step) for step in range(len(period.steps))]
    source = f"documents INDEXED BY documents_by_{column} WHERE {column} = :value"
    counts = {
        value: list(_many(db, edges, source, {"value": value}))
        for value, _ in sorted(totals, key=_most_first)[:BARS]
    }
    return _division(counts, len(totals))


def _division(counts: dict[str, list[int]], values: int | None = None) -> Division:
    bars = sorted(
        (Bar(value, sum(steps), tuple(steps)) for value, steps in counts.items()),
        key=lambda bar: (-bar.memories, bar.value),
    )
    many = len(bars) if values is None else values
    return Division(tuple(bars[:BARS]), max(0, many - BARS))


def _most_first(counted: tuple[str, int]) -> tuple[int, str]:
    return -counted[1], counted[0]


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
    return sorted(counts.items(), key=_most_first)[:most]
