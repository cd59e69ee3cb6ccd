"""The period of whole days that statistics cover, and the steps that it is divided into."""

from __future__ import annotations

from bisect import bisect_right
from datetime import date, datetime, time, timedelta
from typing import Literal

import apsw

from ...records.dataclasses import dataclass

RangeName = Literal["30d", "quarter", "year", "all"]
RANGES: tuple[RangeName, ...] = ("30d", "quarter", "year", "all")

LENGTHS = {"30d": 30, "quarter": 91, "year": 365}
"""Days, today included."""
MOST_YEARS = 50
"""`all` goes back no further, since a memory may hold times that another program got wrong."""
MOST_STEPS = 31

Unit = Literal["day", "week", "month", "quarter", "year", "decade"]
MONTHS: dict[Unit, int] = {"month": 1, "quarter": 3, "year": 12, "decade": 120}


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
