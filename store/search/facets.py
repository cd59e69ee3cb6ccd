"""Counts for a query: how many memories by project, type, agent and kind, how they lie in time, and of all
the store.

Days are found by looks into the index of times: naming the day of every row would take seconds of a
million.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from datetime import datetime, time, timedelta
from itertools import islice, pairwise
from typing import Any

import apsw

from ..platform.clock import horizon_ms
from ..records.dataclasses import dataclass
from ..records.kinds import ANY_SHARED, HIDDEN, KINDS, NOISE, REPLY, VISIBLE
from ..tables.machines import machines_of_memories
from ..tables.removal.retention import trash_count
from .index.derived import LABELLED
from .index.documents import SHAPES, number_between
from .matching import Matcher
from .page import Count
from .query.filters import ME, Where
from .query.language import Query

AT_MOST = 10_000
VALUES = 12
SEARCHED_TABLES = tuple(shape.table for shape in SHAPES.values())

DIVIDING = ("project", "type", "kind")
"""The columns of documents that divide them."""

COUNTED = {
    name: f"SELECT d.{name} AS value, count(*) AS number FROM {{source}} GROUP BY value"
    for name in DIVIDING
} | {
    # By session first: that is an index, and there are far fewer sessions than documents.
    "agent": "SELECT coalesce(agent, '') AS value, sum(number) AS number FROM ("
    "SELECT d.session_id AS session, count(*) AS number FROM {source} GROUP BY session"
    ") LEFT JOIN sessions ON sessions.id = session GROUP BY value"
}


ON_BRANCHES = """
SELECT branch AS value, sum(number) AS number
FROM (SELECT d.session_id AS session, count(*) AS number FROM {source} GROUP BY session)
JOIN sessions ON sessions.id = session WHERE branch IS NOT NULL GROUP BY value
"""
KEPT = "SELECT {} AS value, sum(number) AS number FROM {} GROUP BY value"
"""The same of the numbers that the store keeps."""


@dataclass(frozen=True, slots=True)
class Facets:
    """How what a query matches divides.

    `counts` has the keys project, type, agent, kind (values and counts, most first, at most 12) and day (as
    "2026-02-18", local time, newest first); where anything was imported, source; and where at most 10,000
    match: where their sessions have any, branch; where memories were made on several machines, machine;
    where teammates shared any, author. Not `exact`: there are more than 10,000 matches, and each count is
    of the first 10,000, so at least so many.
    """

    counts: dict[str, list[tuple[str, int]]]
    exact: bool = True
    over_time: tuple[tuple[str, int], ...] = ()
    """The last 28 days up to the newest match, the oldest first, each with its count, 0 included; months
    ("2026-02") or years where few days have any. Names are what `on:` takes."""

    @property
    def total(self) -> Count:
        """How many match: each is of one kind."""
        return Count(sum(number for _, number in self.counts["kind"]), self.exact)


REPLIES_KEPT = f"""
SELECT count(*), coalesce(sum(length(title) + length(coalesce(narrative, ''))), 0)
FROM observations INDEXED BY observations_replies WHERE tool_name = '{REPLY}' AND {VISIBLE}
"""
HIDDEN_OF_ALL = " + ".join(f"(SELECT count(*) FROM {table} WHERE {HIDDEN})" for table in SEARCHED_TABLES)


@dataclass(frozen=True, slots=True)
class Stats:
    """What the store holds; `hidden` are private or deleted, `noise` those of the observations that no
    list shows, `replies` those that are made of what agents said, `reply_characters` their texts' length,
    `bytes` the file's size."""

    observations: int
    prompts: int
    summaries: int
    facts: int
    notes: int
    sessions: int
    pending: int
    hidden: int
    noise: int
    replies: int
    reply_characters: int
    projects: int
    first_at: int | None
    last_at: int | None
    bytes: int
    deleted: int = 0
    """What lies in the trash, notes and sessions included."""


def facets(db: apsw.Connection, query: Query) -> Facets:
    """Return the commonest values of each facet, and the newest days, of what a query matches."""
    matcher = Matcher(db, query)
    source, condition = matcher.where.source, matcher.where.sql
    values, exact = matcher.where.values, True
    if not query.is_filter_only:
        ids = list(islice(matcher.matching(matcher.candidates()), AT_MOST + 1))
        exact = len(ids) <= AT_MOST
        condition = "d.id IN (SELECT value FROM json_each(?))"
        values = (json.dumps(ids[:AT_MOST]),)
    counts: dict[str, list[tuple[str, int]]] = {}
    rows: list[Any] = []
    if query.is_filter_only:
        numbers = matcher.where.numbers
        for name, counted in COUNTED.items():
            sql, bound = counted.format(source=f"{source} d WHERE {condition}"), values
            if numbers is not None:
                sql, bound = KEPT.format(name, numbers[0]), tuple(numbers[1])
            counts[name] = list(db.execute(f"{sql} ORDER BY number DESC, value LIMIT {VALUES}", bound))
    else:
        columns = ", ".join(f"d.{name}" for name in ("created_at", "session_id", *DIVIDING))
        rows = list[Any](db.execute(f"SELECT {columns} FROM {source} d WHERE {condition}", values))
        counts = {
            name: _most(Counter(row[place] for row in rows)) for place, name in enumerate(DIVIDING, 2)
        }
        counts["agent"] = _most(_by_agent(db, Counter(row[1] for row in rows)))
    counts["kind"] = [(KINDS[letter], number) for letter, number in counts["kind"]]
    if any(
        db.execute(f"SELECT 1 FROM {table} WHERE source IS NOT NULL LIMIT 1").get
        for table in SEARCHED_TABLES
    ):
        counts["source"] = _most(_by_column("source", db, matcher.where, condition, values, by_index=True))
    called = machines_of_memories(db)
    # No numbers of machines are kept: of more memories counting them takes too long.
    total = sum(number for _, number in counts["kind"])
    if len(called) > 1 and total <= AT_MOST:
        by_machine: Counter[str] = Counter()
        for machine, number in _by_column(
            "origin", db, matcher.where, condition, values, by_index=False
        ).items():
            by_machine[called.get(machine, machine)] += number
        counts["machine"] = _most(by_machine)
    if total <= AT_MOST and db.execute("SELECT 1 FROM sessions WHERE branch IS NOT NULL LIMIT 1").get:
        sql = ON_BRANCHES.format(source=f"{source} d WHERE {condition}")
        counts["branch"] = list(db.execute(f"{sql} ORDER BY number DESC, value LIMIT {VALUES}", values))
    if total <= AT_MOST and db.execute(ANY_SHARED).get:
        authors = _by_author(db, matcher.where.source, condition, values)
        if authors:
            authors[ME] = total - authors.total()
            counts["author"] = _most(authors)
    times = Times(
        db,
        f"{source} d WHERE {condition}",
        values,
        among=None if query.is_filter_only else sorted(row[0] for row in rows),
        everything=matcher.where.is_everything and query.is_filter_only,
    )
    counts["day"] = _newest_days(times, VALUES)
    return Facets(counts, exact, tuple(_over_time(times)))


def projects(db: apsw.Connection) -> list[tuple[str, int]]:
    """Return every project with how many memories it has, most first."""
    sql = "SELECT project, sum(number) FROM document_counts GROUP BY project ORDER BY 2 DESC, 1"
    return list(db.execute(sql))


VALUES_IN_USE = {
    "type": "SELECT DISTINCT type FROM document_counts WHERE type NOT IN ('prompt', 'summary', 'fact')",
    "project": "SELECT DISTINCT project FROM document_counts WHERE project <> ''",
} | {
    field: f"SELECT value FROM label_names WHERE kind = '{kind}'"
    for lists in LABELLED.values()
    for field, kind in lists.items()
}
VALUES_IN_USE["tags"] += " UNION SELECT value FROM session_tags WHERE is_shown"
"""What each field holds anywhere, by the field's name; as `value`, which is its first column."""


def values_in_use(db: apsw.Connection, field: str, prefix: str, limit: int) -> list[str]:
    """Return values of a field that begin so, in their order; none for a field without such."""
    if field not in VALUES_IN_USE:
        return []
    escaped = prefix.replace("!", "!!").replace("%", "!%").replace("_", "!_")
    sql = f"WITH used(value) AS ({VALUES_IN_USE[field]}) SELECT value FROM used "
    rows = db.execute(sql + "WHERE value LIKE ? ESCAPE '!' ORDER BY value LIMIT ?", (f"{escaped}%", limit))
    return [str(value) for (value,) in rows]


def stats(db: apsw.Connection) -> Stats:
    """Count the whole store."""
    replies: Any = db.execute(REPLIES_KEPT).get
    kinds = dict(db.execute("SELECT kind, sum(number) FROM document_counts GROUP BY kind"))
    number = {
        name: int(db.execute(sql).get)
        for name, sql in {
            "summaries": f"SELECT count(*) FROM summaries WHERE {VISIBLE}",
            "notes": f"SELECT count(*) FROM notes WHERE {VISIBLE}",
            "sessions": f"SELECT count(*) FROM sessions WHERE {VISIBLE}",
            "pending": "SELECT coalesce(sum(number), 0) FROM message_counts WHERE status = 'pending'",
            "hidden": f"SELECT {HIDDEN_OF_ALL}",
            "noise": f"SELECT count(*) FROM observations WHERE type = '{NOISE}' AND {VISIBLE}",
            "projects": "SELECT count(DISTINCT project) FROM document_counts",
            "bytes": "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size",
        }.items()
    }
    first: int | None = db.execute("SELECT min(created_at) FROM documents WHERE created_at > 0").get
    last: int | None = db.execute("SELECT max(created_at) FROM documents WHERE created_at > 0").get
    named = {KINDS[letter]: result for letter, result in kinds.items()}
    return Stats(
        named.get("observation", 0) + number["noise"],
        named.get("prompt", 0),
        number["summaries"],
        named.get("fact", 0),
        number["notes"],
        number["sessions"],
        number["pending"],
        number["hidden"],
        number["noise"],
        int(replies[0]),
        int(replies[1]),
        number["projects"],
        first,
        last,
        number["bytes"],
        trash_count(db),
    )


class Times:
    """The times in ms since the epoch of the rows of `source`, which names documents `d`.

    Those of `among` are given, in their order. Else an index knows them, and each answer is a look into it,
    or into the numbers that are kept of `everything`: to name the day of each of a million rows would take
    seconds.
    """

    def __init__(
        self,
        db: apsw.Connection,
        source: str,
        values: tuple[object, ...],
        *,
        among: list[int] | None,
        everything: bool = False,
    ) -> None:
        self._db, self._source, self._values, self._among = db, source, values, among
        self._everything = everything

    def newest(self, end: int) -> int | None:
        """Return the newest time before `end`."""
        if self._among is not None:
            place = bisect_left(self._among, end)
            return self._among[place - 1] if place else None
        sql = f"SELECT max(d.created_at) FROM {self._source} AND d.created_at < ?"
        result: int | None = self._db.execute(sql, (*self._values, end)).get
        return result

    def number(self, start: int, end: int) -> int:
        """Return how many are in [start, end)."""
        if self._among is not None:
            return bisect_left(self._among, end) - bisect_left(self._among, start)
        if self._everything:
            return number_between(self._db, start, end)
        sql = f"SELECT count(*) FROM {self._source} AND d.created_at >= ? AND d.created_at < ?"
        return int(self._db.execute(sql, (*self._values, start, end)).get)


def _by_column(
    column: str,
    db: apsw.Connection,
    where: Where,
    condition: str,
    values: tuple[object, ...],
    *,
    by_index: bool,
) -> Counter[str]:
    """How many memories have each value of a column of records. Of all memories an index tells, if wanted,
    but for the hidden ones; it counts noise too."""
    counts: Counter[str] = Counter()
    for kind, shape in SHAPES.items():
        rows = f"FROM {shape.table} WHERE {column} IS NOT NULL"
        if by_index and where.is_everything and condition == "true":
            counts.update(dict(db.execute(f"SELECT {column}, count(*) {rows} GROUP BY {column}")))
            hidden = f"{rows} AND {HIDDEN}"
            counts.subtract(dict(db.execute(f"SELECT {column}, count(*) {hidden} GROUP BY {column}")))
        else:
            sql = (
                f"SELECT r.{column}, count(*) FROM {where.source} d CROSS JOIN {shape.table} r "
                f"ON r.id = d.record_id WHERE {condition} AND d.kind = '{kind}' "
                f"AND r.{column} IS NOT NULL GROUP BY r.{column}"
            )
            counts.update(dict(db.execute(sql, values)))
    return counts


def _by_agent(db: apsw.Connection, by_session: Counter[int]) -> Counter[str]:
    """Count memories by the agent of their session; "" stands for those without one."""
    counts: Counter[str] = Counter()
    sql = "SELECT id, agent FROM sessions WHERE id IN (SELECT value FROM json_each(?))"
    agents = dict(db.execute(sql, (json.dumps([*filter(None, by_session)]),)))
    for session, number in by_session.items():
        counts[agents.get(session) or ""] += number
    return counts


def _by_author(
    db: apsw.Connection, source: str, condition: str, values: tuple[object, ...]
) -> Counter[str]:
    """How many memories each teammate shared."""
    counts: Counter[str] = Counter()
    for kind, shape in SHAPES.items():
        sql = (
            f"SELECT k.author, count(*) FROM {source} d CROSS JOIN {shape.table} r ON r.id = d.record_id "
            f"JOIN team_rows k ON k.kind = '{shape.table}' AND k.uid = r.uid AND k.state = 'here' "
            f"WHERE {condition} AND d.kind = '{kind}' "
            "AND k.author IS NOT (SELECT member FROM team) GROUP BY k.author"
        )
        counts.update(dict(db.execute(sql, values)))
    return counts


def _most(counts: Counter[str]) -> list[tuple[str, int]]:
    """Return the values that most memories have."""
    values = sorted(counts.items(), key=lambda pair: (-pair[1], str(pair[0])))
    return [(name, number) for name, number in values if number > 0][:VALUES]


SPANS = 28
"""So many days, months or years at most."""
ENOUGH = 5
"""Of days with a match, for days to say more than months."""
UNITS = {"day": "%Y-%m-%d", "month": "%Y-%m", "year": "%Y"}
"""How a span of each length is named, the shortest first."""


def _newest_days(times: Times, most: int) -> list[tuple[str, int]]:
    """Return the newest days with a match, and how many each has; not those of clocks that were wrong."""
    days: list[tuple[str, int]] = []
    end = horizon_ms()
    while len(days) < most and (last := times.newest(end)) is not None:
        if (midnight := _midnight(last)) is None:
            break
        start = _ms(midnight)
        days.append((f"{midnight:%Y-%m-%d}", times.number(start, end)))
        end = start
    return days


def _over_time(times: Times) -> list[tuple[str, int]]:
    """Return the last days up to the newest match, the oldest first, each with how many it has; months
    where few of the days have any and there is something before them, or else years. What is dated
    further ahead than a clock can be is left out."""
    end = horizon_ms()
    newest = times.newest(end)
    midnight = None if newest is None else _midnight(newest)
    spans: list[tuple[str, int]] = []
    if midnight is None:
        return spans
    for unit, name in UNITS.items():
        starts = list(_starts(midnight, unit))
        edges = [*map(_ms, starts), end]
        numbers = [times.number(start, end) for start, end in pairwise(edges)]
        spans = [(start.strftime(name), number) for start, number in zip(starts, numbers, strict=True)]
        is_all = times.newest(edges[0]) is None
        if is_all or sum(number > 0 for number in numbers) >= ENOUGH:
            break
    return spans


def _starts(midnight: datetime, unit: str) -> Iterator[datetime]:
    """Yield where the spans up to the one of a day begin, the oldest first."""
    for back in range(SPANS - 1, -1, -1):
        try:
            start = _back(midnight, unit, back)
            start.timestamp()
        except (ValueError, OverflowError, OSError):
            # Before the first year that calendars name.
            continue
        yield start


def _back(midnight: datetime, unit: str, many: int) -> datetime:
    # Without dateutil: nothing else needs it while a browser starts.
    if unit == "day":
        return midnight - timedelta(days=many)
    months = midnight.year * 12 + midnight.month - 1 - many if unit == "month" else 0
    year, month = divmod(months, 12) if unit == "month" else (midnight.year - many, 0)
    return datetime(year, month + 1, 1)


def _midnight(at: int) -> datetime | None:
    """The local midnight before a time; None where no calendar has one."""
    try:
        midnight = datetime.combine(datetime.fromtimestamp(at / 1000), time.min)
        midnight.timestamp()
    except (ValueError, OverflowError, OSError):
        return None
    return midnight


def _ms(moment: datetime) -> int:
    return int(moment.timestamp() * 1000)
