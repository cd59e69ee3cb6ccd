"""Counts for a query: how many memories by project, type, agent and kind, and of all the store."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections import Counter
from datetime import datetime, time
from itertools import islice

import apsw

from ..kinds import HIDDEN, KINDS, NOISE, VISIBLE
from ..records.dataclasses import dataclass
from .documents import SHAPES
from .filters import Where
from .matching import Matcher
from .query import Query

AT_MOST = 10_000
VALUES = 12
SEARCHED_TABLES = tuple(shape.table for shape in SHAPES.values())
YEAR_10000 = 253_402_300_800_000
"""No calendar names days from this ms on."""

COUNTED = {
    name: f"SELECT d.{name} AS value, count(*) AS number FROM {{source}} GROUP BY value"
    for name in ("project", "type", "kind")
} | {
    # By session first: that is an index, and there are far fewer sessions than documents.
    "agent": "SELECT coalesce(agent, '') AS value, sum(number) AS number FROM ("
    "SELECT d.session_id AS session, count(*) AS number FROM {source} GROUP BY session"
    ") LEFT JOIN sessions ON sessions.id = session GROUP BY value"
}


@dataclass(frozen=True, slots=True)
class Facets:
    """How what a query matches divides.

    `counts` has the keys project, type, agent, kind (values and counts, most first, at most 12)
    and day (as "2026-02-18", local time, newest first); and where anything was
    imported, source. Not `exact`: there are more than 10,000 matches, and each count is of the
    first 10,000, so at least so many.
    """

    counts: dict[str, list[tuple[str, int]]]
    exact: bool = True


@dataclass(frozen=True, slots=True)
class Stats:
    """What the store holds; `hidden` are private or deleted, `noise` those of the observations that no
    list shows, `bytes` the file's size."""

    observations: int
    prompts: int
    summaries: int
    facts: int
    notes: int
    sessions: int
    pending: int
    hidden: int
    noise: int
    projects: int
    first_at: int | None
    last_at: int | None
    bytes: int


def facets(db: apsw.Connection, query: Query) -> Facets:
    """Return the commonest values of each facet, and the newest days, of what a query matches."""
    matcher = Matcher(db, query)
    source, condition = matcher.where.source, matcher.where.sql
    values, exact = matcher.where.values, True
    if not query.is_filter_only:
        ids = [one.id for one in islice(matcher.verified(matcher.candidates()), AT_MOST + 1)]
        exact = len(ids) <= AT_MOST
        condition = "d.id IN (SELECT value FROM json_each(?))"
        values = (json.dumps(ids[:AT_MOST]),)
    counts: dict[str, list[tuple[str, int]]] = {}
    for name, counted in COUNTED.items():
        sql = counted.format(source=f"{source} d WHERE {condition}")
        rows = db.execute(f"{sql} ORDER BY number DESC, value LIMIT {VALUES}", values)
        counts[name] = [
            (KINDS[value] if name == "kind" else value, number) for value, number in rows
        ]
    if any(
        db.execute(f"SELECT 1 FROM {table} WHERE source IS NOT NULL LIMIT 1").get
        for table in SEARCHED_TABLES
    ):
        counts["source"] = _sources(db, matcher.where, condition, values)
    counts["day"] = _days(db, f"{source} d WHERE {condition}", values, known=query.is_filter_only)
    return Facets(counts, exact)


def _sources(
    db: apsw.Connection, where: Where, condition: str, values: tuple[object, ...]
) -> list[tuple[str, int]]:
    """The sources with the most memories. Of all memories an index tells, but for the hidden ones."""
    counts: Counter[str] = Counter()
    for kind, shape in SHAPES.items():
        imported = f"FROM {shape.table} WHERE source IS NOT NULL"
        if where.is_everything and condition == "true":
            counts.update(dict(db.execute(f"SELECT source, count(*) {imported} GROUP BY source")))
            hidden = f"{imported} AND {HIDDEN}"
            counts.subtract(dict(db.execute(f"SELECT source, count(*) {hidden} GROUP BY source")))
        else:
            sql = (
                f"SELECT r.source, count(*) FROM {where.source} d CROSS JOIN {shape.table} r "
                f"ON r.id = d.record_id WHERE {condition} AND d.kind = '{kind}' "
                "AND r.source IS NOT NULL GROUP BY r.source"
            )
            counts.update(dict(db.execute(sql, values)))
    found = sorted(counts.items(), key=lambda one: (-one[1], one[0]))
    return [(name, number) for name, number in found if number > 0][:VALUES]


def _days(
    db: apsw.Connection, source: str, values: tuple[object, ...], *, known: bool
) -> list[tuple[str, int]]:
    """The newest days with a memory, and how many each has.

    Where an index knows the times, each day is a look into it: to name the day of each of a
    million rows would take seconds.
    """
    times: list[int] = []
    if not known:
        sql = f"SELECT d.created_at FROM {source} ORDER BY d.created_at"
        times = [at for (at,) in db.execute(sql, values)]

    def newest(end: int) -> int | None:
        if not known:
            place = bisect_left(times, end)
            return times[place - 1] if place else None
        sql = f"SELECT max(d.created_at) FROM {source} AND d.created_at < ?"
        found: int | None = db.execute(sql, (*values, end)).get
        return found

    def number(start: int, end: int) -> int:
        if not known:
            return bisect_left(times, end) - bisect_left(times, start)
        sql = f"SELECT count(*) FROM {source} AND d.created_at >= ? AND d.created_at < ?"
        return int(db.execute(sql, (*values, start, end)).get)

    days: list[tuple[str, int]] = []
    end = YEAR_10000
    while len(days) < VALUES and (last := newest(end)) is not None:
        try:
            midnight = datetime.combine(datetime.fromtimestamp(last / 1000), time.min)
            start = int(midnight.timestamp() * 1000)
        except (ValueError, OverflowError, OSError):
            break
        days.append((f"{midnight:%Y-%m-%d}", number(start, end)))
        end = start
    return days


def projects(db: apsw.Connection) -> list[tuple[str, int]]:
    """Return every project with how many memories it has, most first."""
    sql = "SELECT project, count(*) FROM documents GROUP BY project ORDER BY count(*) DESC, project"
    return list(db.execute(sql))


def stats(db: apsw.Connection) -> Stats:
    """Count the whole store."""
    kinds = dict(db.execute("SELECT kind, count(*) FROM documents GROUP BY kind"))
    number = {
        name: int(db.execute(sql).get)
        for name, sql in {
            "notes": f"SELECT count(*) FROM notes WHERE {VISIBLE}",
            "sessions": f"SELECT count(*) FROM sessions WHERE {VISIBLE}",
            "pending": "SELECT count(*) FROM pending_messages WHERE status = 'pending'",
            "hidden": f"SELECT count(*) FROM hidden_documents WHERE {HIDDEN}",
            "noise": f"SELECT count(*) FROM observations WHERE type = '{NOISE}' AND {VISIBLE}",
            "projects": "SELECT count(DISTINCT project) FROM documents",
            "bytes": "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size",
        }.items()
    }
    first: int | None = db.execute("SELECT min(created_at) FROM documents WHERE created_at > 0").get
    last: int | None = db.execute("SELECT max(created_at) FROM documents WHERE created_at > 0").get
    named = {KINDS[letter]: found for letter, found in kinds.items()}
    return Stats(
        named.get("observation", 0) + number["noise"],
        named.get("prompt", 0),
        named.get("summary", 0),
        named.get("fact", 0),
        number["notes"],
        number["sessions"],
        number["pending"],
        number["hidden"],
        number["noise"],
        number["projects"],
        first,
        last,
        number["bytes"],
    )
