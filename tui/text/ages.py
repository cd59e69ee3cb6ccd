"""Times and amounts as lists show them. Times are ms since the epoch, UTC, and shown as local.

After a week a date stands: "9w" has to be reckoned back.
"""

from __future__ import annotations

from datetime import date, datetime
from time import time

from rich.cells import cell_len

from memtui.store.platform.translation import N_, _

UNKNOWN = "—"
WIDTH = max(8, cell_len(_("{month} {year}", month=_("Dec"), year=2000)))
"""The most cells that `age` takes."""

_MINUTE = 60_000
_HOUR = 60 * _MINUTE
_DAY = 24 * _HOUR
_MOST_AGED = 7 * _DAY
"""From so long ago on a date says more than a number of weeks."""
_UNITS = (
    (365 * _DAY, N_("{count}y")),
    (7 * _DAY, N_("{count}w")),
    (_DAY, N_("{count}d")),
    (_HOUR, N_("{count}h")),
    (_MINUTE, N_("{count}m")),
)
MONTHS = (
    *(N_("Jan"), N_("Feb"), N_("Mar"), N_("Apr"), N_("May"), N_("Jun")),
    *(N_("Jul"), N_("Aug"), N_("Sep"), N_("Oct"), N_("Nov"), N_("Dec")),
)
WEEKDAYS = N_("Mon"), N_("Tue"), N_("Wed"), N_("Thu"), N_("Fri"), N_("Sat"), N_("Sun")


def age(ms: int, now: int, as_date: bool = False) -> str:
    """Return when a time was, in at most `WIDTH` cells: up to a week before `now` how long ago (`now`,
    `3m`, `2h`, `5d`), else, or `as_date`, the date (`17 Feb`, `Feb 2025` of another year, `19:31` of
    today); the future is a date, today's too. `—` when unknown."""
    if ms <= 0:
        return UNKNOWN
    before = now - ms
    if not as_date and -_MINUTE <= before < _MOST_AGED:
        return _aged(before)
    when, today = _local(ms), _local(now)
    if not when or not today:
        return UNKNOWN
    if when.year != today.year:
        return month_of_year(when)
    if as_date and when.date() == today.date():
        return f"{when:%H:%M}"
    return day_of_month(when)


def _aged(before: int) -> str:
    for unit, amount in _UNITS:
        if before >= unit:
            return _(amount, count=before // unit)
    return _("now")


def ago(ms: int, now: int) -> str:
    """Return the age in words, `2h ago`, `just now`; `` when unknown, or still to come."""
    if ms <= 0 or ms > now + _MINUTE:
        return ""
    before = now - ms
    if before < _MINUTE:
        return _("just now")
    if before < _HOUR:
        # In a sentence there is room for more than a row's "m".
        return _("{count}m ago", count=before // _MINUTE)
    return _("{age} ago", age=_aged(before))


def span(ms: int) -> str:
    """Return a duration in ms in short: `12s`, `3m`, `2h`, `5d`."""
    for unit, amount in _UNITS:
        if ms >= unit:
            return _(amount, count=ms // unit)
    return _("{count}s", count=max(0, ms) // 1000)


def clock(ms: int) -> str:
    """Return the time of day, `19:31`; `—` when unknown."""
    return f"{when:%H:%M}" if (when := _local(ms)) else UNKNOWN


def day(ms: int, now: int | None = None) -> str:
    """Return the day, `Tue 17 Feb`, with its year when that isn't that of `now`; `—` when unknown."""
    when, today = _local(ms), _local(int(time() * 1000) if now is None else now)
    if not when:
        return UNKNOWN
    weekday, named = _(WEEKDAYS[when.weekday()]), day_of_month(when)
    if today and when.year != today.year:
        return full_day(when)
    return _("{weekday} {day}", weekday=weekday, day=named)


def day_of_month(when: date) -> str:
    """Return a day without its year, `17 Feb`."""
    return _("{day} {month}", day=when.day, month=_(MONTHS[when.month - 1]))


def day_of_year(when: date) -> str:
    """Return a day with its year, `17 Feb 2025`."""
    return _("{day} {year}", day=day_of_month(when), year=when.year)


def full_day(when: date) -> str:
    """Return a day with its weekday and its year, `Tue 17 Feb 2025`."""
    weekday = _(WEEKDAYS[when.weekday()])
    return _("{weekday} {day} {year}", weekday=weekday, day=day_of_month(when), year=when.year)


def month_of_year(when: date) -> str:
    """Return a month with its year, `Feb 2025`."""
    return _("{month} {year}", month=_(MONTHS[when.month - 1]), year=when.year)


def day_and_clock(ms: int, now: int) -> str:
    """Return the day as `day` has it and the time of day, `Tue 17 Feb 19:31`."""
    return f"{day(ms, now)} {clock(ms)}"


def full(ms: int) -> str:
    """Date and time, `2026-02-17 19:31:40`; `—` when unknown."""
    return f"{when:%Y-%m-%d %H:%M:%S}" if (when := _local(ms)) else UNKNOWN


def tokens(count: int) -> str:
    """Return an amount in at most four characters, `155`, `1.2k`, `12k`, `3.4M`; `` when unknown (0)."""
    if count <= 0:
        return ""
    for least, unit, letter in ((999_500, 1_000_000, "M"), (1_000, 1_000, "k")):
        if count >= least:
            amount = count / unit
            return f"{amount:.1f}{letter}" if amount < 9.95 else f"{amount:.0f}{letter}"
    return str(count)


def _local(ms: int) -> datetime | None:
    # Foreign memories hold times in other units too, some of them beyond the year 9999.
    try:
        return datetime.fromtimestamp(ms / 1000) if ms > 0 else None
    except (OverflowError, OSError, ValueError):
        return None
