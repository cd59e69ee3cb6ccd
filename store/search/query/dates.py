"""Dates in a query: ISO 8601, whole or cut (`2026-02`), amounts (`7d`, `3天前`), names (`last-week`).

The calendar is dateutil's and the standard library's; here is only what people call its parts.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from dateutil.relativedelta import relativedelta, weekday

from ...text.language.folding import fold
from ...text.late_pattern import late_pattern
from ...translation import _

DAY, WEEK = relativedelta(days=1), relativedelta(weeks=1)
MONTH, YEAR = relativedelta(months=1), relativedelta(years=1)
HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)
SECOND, INSTANT = timedelta(seconds=1), timedelta(milliseconds=1)
INSTANT_MS = 1
"""What a moment, such as three hours ago, lasts."""
Length = relativedelta | timedelta
"""Of the calendar, or elapsed: a day has 23 to 25 hours where clocks change, an hour is an hour."""

ISO = late_pattern(
    r"(\d{4}(?:-\d\d(?:-\d\d)?)?)|"
    r"(\d{4}-\d\d-\d\d[t ]\d\d(?::\d\d(?::\d\d(?:\.\d+)?)?)?)(z|[+-]\d\d:\d\d)?"
)
WRITTEN = late_pattern(r"^(\d{4})(?:/|年)(?:(\d{1,2})(?:/|月|$)(?:(\d{1,2})日?)?)?$")
"""`2026/2/18` and `2026年2月18日`, whole or cut."""
LENGTHS: dict[int, Length] = {4: YEAR, 7: MONTH, 10: DAY, 13: HOUR, 16: MINUTE, 19: SECOND}
"""What a date of so many characters names."""

UNITS: dict[str, Length] = {
    name: length
    for names, length in (
        ("m min mins minute minutes 分钟", MINUTE),
        ("h hour hours 小时 个小时", HOUR),
        ("d day days 天", DAY),
        ("w week weeks 周 星期 个星期", WEEK),
        ("mo month months 个月", MONTH),
        ("y year years 年", YEAR),
    )
    for name in names.split()
}
NUMERALS = {numeral: number for number, numeral in enumerate("一二三四五六七八九十", 1)} | {"两": 2}
AMOUNT = late_pattern(rf"(\d{{1,5}}|[{''.join(NUMERALS)}])[ -]?({'|'.join(UNITS)})(?:[ -]ago| ?以?前)?")

MONDAY = relativedelta(weekday=weekday(0, -1))
NAMES: dict[str, tuple[relativedelta, Length]] = {
    name: (start, length)
    for names, start, length in (
        ("today 今天", relativedelta(), DAY),
        ("yesterday 昨天", -DAY, DAY),
        ("前天", -2 * DAY, DAY),
        ("this-week 本周 这周", MONDAY, WEEK),
        ("last-week 上周", MONDAY - WEEK, WEEK),
        ("this-month 本月 这个月", relativedelta(day=1), MONTH),
        ("last-month 上月 上个月", relativedelta(months=-1, day=1), MONTH),
        ("this-year 今年", relativedelta(month=1, day=1), YEAR),
        ("last-year 去年", relativedelta(years=-1, month=1, day=1), YEAR),
        ("monday 周一 星期一", MONDAY, DAY),
        ("tuesday 周二 星期二", relativedelta(weekday=weekday(1, -1)), DAY),
        ("wednesday 周三 星期三", relativedelta(weekday=weekday(2, -1)), DAY),
        ("thursday 周四 星期四", relativedelta(weekday=weekday(3, -1)), DAY),
        ("friday 周五 星期五", relativedelta(weekday=weekday(4, -1)), DAY),
        ("saturday 周六 星期六", relativedelta(weekday=weekday(5, -1)), DAY),
        ("sunday 周日 星期日 星期天", relativedelta(weekday=weekday(6, -1)), DAY),
    )
    for name in names.split()
}
"""From today's midnight to the beginning of what is named, and how long that lasts."""


def parse_range(text: str, now: datetime, *, whole_days: bool = False) -> tuple[int, int] | None:
    """What a text names, as [first, last) ms since the epoch; None if it is no date.

    Days begin at local midnight, weeks on Monday; `now` is naive local time. `7d` is the moment
    seven days ago, or with `whole_days` the day of that moment.
    """
    try:
        start, length = _named(_normal(text), now, whole_days)
        return _ms(start), _ms(start + length)
    except (ValueError, OverflowError, OSError):
        return None


def may_become(text: str) -> bool:
    """Whether a text that is no date may be the beginning of one."""
    typed = _normal(text)
    if AMOUNT.fullmatch(typed) or ISO.fullmatch(typed):
        return False
    name = typed.replace(" ", "-")
    number = re.match(r"\d{1,5}-?", name)
    return bool(
        any(known.startswith(name) for known in NAMES)
        or ISO.fullmatch(typed + "0000-00-00t00:00:00"[len(typed) :])
        or (number and any(f"{unit}-ago".startswith(name[number.end() :]) for unit in UNITS))
    )


def _named(text: str, now: datetime, whole_days: bool) -> tuple[datetime, Length]:
    today = now.replace(hour=0, minute=0, second=0, microsecond=0, fold=0)
    name = text.replace(" ", "-")
    if (
        (latest := NAMES.get(name.removeprefix("last-")))
        and name.endswith("day")
        and name.startswith("last-")
    ):
        return today - DAY + latest[0], DAY
    if result := NAMES.get(name):
        start, length = result
        return today + start, length
    if match := AMOUNT.fullmatch(text):
        number, unit = NUMERALS.get(match[1]) or int(match[1]), UNITS[match[2]]
        if isinstance(unit, timedelta):
            return now.astimezone(UTC) - number * unit, INSTANT
        return (today - number * unit, DAY) if whole_days else (now - number * unit, INSTANT)
    if match := ISO.fullmatch(text):
        day, moment, zone = match.groups(default="")
        whole = day + "0000-01-01"[len(day) :] if day else moment + zone.upper()
        return datetime.fromisoformat(whole), LENGTHS.get(len(day or moment), INSTANT)
    raise ValueError(_("{text!r} is not a date", text=text))


def _normal(text: str) -> str:
    return WRITTEN.sub(_iso, " ".join(fold(text).split()))


def _iso(date: re.Match[str]) -> str:
    return "-".join(part.zfill(2) for part in date.groups() if part)


def _ms(moment: datetime) -> int:
    return round(moment.timestamp() * 1000)
