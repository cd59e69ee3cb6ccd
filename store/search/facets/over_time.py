"""How what a query matches lies in time: by day, by month or by year, in local time.

Days are found by looks into the index of times: naming the day of every row would take seconds of a
million.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from datetime import datetime, time, timedelta
from itertools import pairwise

import apsw

from ...clock import horizon_ms
from ..index.counts import number_between

SPANS = 28
"""So many days, months or years at most."""
ENOUGH = 5
"""Of days with a match, for days to say more than months."""
UNITS = {"day": "%Y-%m-%d", "month": "%Y-%m", "year": "%Y"}
"""How a span of each length is named, the shortest first."""


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


def newest_days(times: Times, most: int) -> list[tuple[str, int]]:
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


def over_time(times: Times) -> list[tuple[str, int]]:
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
