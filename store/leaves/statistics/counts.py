"""How many memories and sessions there are by day, how memories divide by type, project and agent, which
files and concepts the most name; and the period of whole days that statistics cover, in steps.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from itertools import accumulate, pairwise
from typing import Any, Literal

import apsw

from ...records.dataclasses import dataclass, field
from ...records.kinds import VISIBLE
from ...search.index.documents import BITS, DIVIDED, NAME_AND_VALUE, counted, number_between
from ...search.listing.timeline import Slice, slices
from ...tables.lists import read_list

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
    source = "documents INDEXED BY documents_by_project WHERE project = :project"
    return _by_day(db, period, source, project, "created_at")


def sessions_by_day(db: apsw.Connection, period: Period, project: str | None = None) -> list[int]:
    """Return how many sessions began on each day of a period."""
    source = f"sessions WHERE {VISIBLE}" + ("" if project is None else " AND project = :project")
    return _by_day(db, period, source, project, "started_at")


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


MOST = 12
"""How many files, and how many concepts, are named."""
ROWS = 10_000
"""How many memories one slice reads."""

NAMED = """
SELECT o.concepts, o.files_read, o.files_modified FROM documents d INDEXED BY {index}
CROSS JOIN observations o ON o.id = d.record_id
WHERE {where} AND d.kind = 'o' AND d.created_at >= :since AND d.created_at < :until
UNION ALL
SELECT '[]', s.files_read, s.files_edited FROM documents d INDEXED BY {index}
CROSS JOIN summaries s ON s.id = d.record_id
WHERE {where} AND d.kind = 's' AND d.created_at >= :since AND d.created_at < :until
"""
OUTSIDE = """
SELECT min(id), max(id), count(*) FROM (
    SELECT id FROM documents INDEXED BY documents_by_time WHERE created_at < :since
    UNION ALL SELECT id FROM documents INDEXED BY documents_by_time WHERE created_at >= :until
)
"""
"""The first and the last document outside a period, and how many there are."""
BETWEEN = "SELECT count(*) FROM documents WHERE id BETWEEN ? AND ?"
USES_BUT_FOR = """
SELECT :uses - count(*) FROM label_uses u
WHERE u.label_id = :label AND u.document_id BETWEEN :first AND :last
"""
USES_WITHIN = """
SELECT count(*) FROM label_uses u WHERE u.label_id = :label AND EXISTS (
    SELECT 1 FROM documents d WHERE d.id = u.document_id AND {where}
    AND d.created_at >= :since AND d.created_at < :until
)
"""
STORED = "SELECT coalesce(sum(number), 0) FROM document_counts"

ALWAYS = (-(1 << 63), (1 << 63) - 1)
"""Milliseconds before and after all that can be stored."""

Counts = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Labels:
    """How many memories name each file and each concept."""

    files: Counter[str] = field(default_factory=Counter)
    concepts: Counter[str] = field(default_factory=Counter)

    def add(self, other: Labels) -> None:
        """Add what other memories name."""
        self.files.update(other.files)
        self.concepts.update(other.concepts)

    @property
    def busiest(self) -> Busiest:
        """The files and the concepts that the most memories name."""
        return Busiest(tuple(_counted_most(self.files, MOST)), tuple(_counted_most(self.concepts, MOST)))


@dataclass(frozen=True, slots=True)
class Busiest:
    """Files and concepts with the number of memories that name each, most first."""

    files: Counts = ()
    concepts: Counts = ()


def label_slices(db: apsw.Connection, by_day: Sequence[int]) -> list[Slice]:
    """Return the runs of days to ask `labels_of` for, one by one, of a period with so many memories by
    day. It is a single one where most of all memories lie in the period: the index of names is read."""
    if sum(by_day) > ROWS and int(db.execute(STORED).get) < 3 * sum(by_day):
        return [(0, len(by_day) - 1)]
    return list(slices(by_day, ROWS))


def labels_of(
    db: apsw.Connection,
    period: Period,
    by_day: Sequence[int],
    days: Slice,
    project: str | None = None,
) -> Labels:
    """Return what the memories of a run of days name; of very many only the busiest names."""
    first, last = days
    values: dict[str, object] = {
        "since": period.starts[first],
        "until": period.starts[last + 1],
    }
    index, where = "documents_by_time", "true"
    if project is not None:
        index, where = "documents_by_project", "d.project = :project"
        values["project"] = project
    named = NAMED.format(index=index, where=where)
    if days == (0, len(by_day) - 1) and sum(by_day) > ROWS:
        outside, uses = Labels(), USES_WITHIN.format(where=where)
        others = int(db.execute(STORED).get) - sum(by_day)
        if not others or (project is None and others <= ROWS):
            uses = ""
            for since, until in ((ALWAYS[0], period.since), (period.until, ALWAYS[1])):
                outside.add(_named(db, named, {"since": since, "until": until}))
        elif project is None:
            ends: Any = db.execute(OUTSIDE, values).get
            values["first"], values["last"], number = ends
            if db.execute(BETWEEN, ends[:2]).get == number:
                uses = USES_BUT_FOR
        return Labels(
            _by_uses(db, "file", uses, values, outside.files),
            _by_uses(db, "concept", uses, values, outside.concepts),
        )
    return _named(db, named, values)


RangeName = Literal["30d", "quarter", "year", "all"]
RANGES: tuple[RangeName, ...] = ("30d", "quarter", "year", "all")

LENGTHS = {"30d": 30, "quarter": 91, "year": 365}
"""Days, today included."""

Unit = Literal["day", "week", "month", "quarter", "year", "decade"]


@dataclass(frozen=True, slots=True)
class Period:
    """Whole days of local time, today the last.

    `starts` are the midnights of the days and of the day after the last, in ms since the epoch;
    `steps` say with which day each step begins, by its number. A step is a day, week (from Monday), month …
    of the calendar, `unit`; the first and the last may be cut.
    """

    range: RangeName
    first: date
    starts: tuple[int, ...]
    steps: tuple[int, ...]
    unit: Unit

    @property
    def days(self) -> int:
        """How many days there are."""
        return len(self.starts) - 1

    @property
    def since(self) -> int:
        """The first moment, ms since the epoch."""
        return self.starts[0]

    @property
    def until(self) -> int:
        """The first moment after the last day, ms since the epoch."""
        return self.starts[-1]

    def day(self, number: int) -> date:
        """Return the date of a day by its number, 0 for the first."""
        return self.first + timedelta(days=number)

    def number_of(self, at: int) -> int | None:
        """Return the number of the day that a moment (ms) lies in; None for one outside."""
        return bisect_right(self.starts, at) - 1 if self.since <= at < self.until else None

    def days_of_step(self, step: int) -> tuple[int, int]:
        """Return the numbers of a step's first and last day."""
        end = self.steps[step + 1] if step + 1 < len(self.steps) else self.days
        return self.steps[step], end - 1

    def by_step(self, days: list[int]) -> list[int]:
        """Return the sums of the days' values by step."""
        edges = map(self.days_of_step, range(len(self.steps)))
        return [sum(days[first : last + 1]) for first, last in edges]


def period_of(db: apsw.Connection, name: RangeName, now: int, project: str | None = None) -> Period:
    """Return the period that a range names at `now` (ms since the epoch); `all` begins with the day of
    the first memory (of the project)."""
    today = datetime.fromtimestamp(now / 1000).date()
    length = LENGTHS.get(name)
    first = today - timedelta(days=length - 1) if length else _first_day(db, today, project)
    length = (today - first).days + 1
    starts = tuple(_midnight(first + timedelta(days=number)) for number in range(length + 1))
    steps, unit = _steps(first, length)
    return Period(name, first, starts, steps, unit)


BARS = 12
"""How many values a division names, those with the most memories."""

BY_DAY = """
SELECT (SELECT count(*) FROM {} AND {time} >= value ->> 0 AND {time} < value ->> 1)
FROM json_each(:days) ORDER BY key
"""


def _division(counts: dict[str, list[int]]) -> Division:
    bars = sorted(
        (Bar(value, sum(steps), tuple(steps)) for value, steps in counts.items() if any(steps)),
        key=lambda bar: (-bar.memories, bar.value),
    )
    return Division(tuple(bars[:BARS]), max(0, len(bars) - BARS))


def _by_day(db: apsw.Connection, period: Period, source: str, project: str | None, time: str) -> list[int]:
    """Return how many rows of a source lie in each day of a period, each by one look into its index."""
    days = json.dumps([*pairwise(period.starts)])
    rows: Any = db.execute(BY_DAY.format(source, time=time), {"project": project, "days": days})
    return [int(number) for (number,) in rows]


def _counted_most(counts: Counter[str], most: int) -> list[tuple[str, int]]:
    """Return the most frequent, most first, in the order of their names where they are as many."""
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:most]


BY_USES = """
SELECT value, id, uses FROM label_names INDEXED BY label_names_by_uses
WHERE kind = ? ORDER BY uses DESC, value
"""


def _named(db: apsw.Connection, sql: str, values: dict[str, object]) -> Labels:
    labels = Labels()
    rows: Any = db.execute(sql, values)
    for concepts, read, changed in rows:
        labels.concepts.update(set(read_list(concepts)))
        # A memory that has read and changed a file names it once.
        labels.files.update({*read_list(read), *read_list(changed)})
    return labels


def _by_uses(
    db: apsw.Connection,
    kind: str,
    sql: str,
    values: dict[str, object],
    outside: Counter[str],
) -> Counter[str]:
    """The busiest names by their uses in a period, which `sql` counts; by all but those `outside` where
    that is empty. Once a name has fewer uses than the last of the busiest has there, no later one can be
    busier."""
    counts = Counter[str]()
    rows: Any = db.execute(BY_USES, (kind,))
    for value, label, uses in rows:
        if len(counts) >= MOST and uses < min(counts.values()):
            break
        bound = {**values, "label": label, "uses": uses}
        number = int(db.execute(sql, bound).get) if sql else uses - outside[value]
        if number:
            counts[value] = number
            counts = Counter(dict(_counted_most(counts, MOST)))
    return counts


MOST_YEARS = 50
"""`all` goes back no further, since a memory may hold times that another program got wrong."""
MOST_STEPS = 31
MONTHS: dict[Unit, int] = {"month": 1, "quarter": 3, "year": 12, "decade": 120}


def _first_day(db: apsw.Connection, today: date, project: str | None) -> date:
    bound = today - timedelta(days=MOST_YEARS * 365)
    sql = "SELECT min(created_at) FROM documents WHERE created_at >= ?"
    values: tuple[object, ...] = (_midnight(bound),)
    if project is not None:
        sql, values = f"{sql} AND project = ?", (*values, project)
    result: int | None = db.execute(sql, values).get
    if result is None or result >= _midnight(today):
        return today
    return datetime.fromtimestamp(result / 1000).date()


def _midnight(day: date) -> int:
    return round(datetime.combine(day, time.min).timestamp() * 1000)


def _steps(first: date, length: int) -> tuple[tuple[int, ...], Unit]:
    """Return the first days of the steps, and their unit: the finest with at most `MOST_STEPS`."""
    units: tuple[Unit, ...] = ("day", "week", "month", "quarter", "year", "decade")
    for unit in units:
        steps = [
            number
            for number in range(length)
            if not number or _begins(first + timedelta(days=number), unit)
        ]
        if len(steps) <= MOST_STEPS:
            return tuple(steps), unit
    return (0,), "decade"


def _begins(day: date, unit: Unit) -> bool:
    if unit == "day":
        return True
    if unit == "week":
        return day.weekday() == 0
    months = day.year * 12 + day.month - 1
    return day.day == 1 and months % MONTHS[unit] == 0
