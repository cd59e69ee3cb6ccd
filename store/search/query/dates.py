"""Dates and times in queries: as they are written, exact or relative, and as words name them.

The calendar is dateutil's and the standard library's; here is only what people call its parts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from dateutil.relativedelta import relativedelta, weekday

from ...platform.translation import _
from ...records.dataclasses import dataclass
from ...text.language.folding import fold
from ...text.late_pattern import late_pattern
from .grammar import Item, may_name_a_time

DAY, WEEK = relativedelta(days=1), relativedelta(weeks=1)
MONTH, YEAR = relativedelta(months=1), relativedelta(years=1)
HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)
INSTANT_MS = 1
"""What a moment, such as three hours ago, lasts."""
Length = relativedelta | timedelta
"""Of the calendar, or elapsed: a day has 23 to 25 hours where clocks change, an hour is an hour."""

ISO = late_pattern(
    r"(\d{4}(?:-\d\d(?:-\d\d)?)?)|"
    r"(\d{4}-\d\d-\d\d[t ]\d\d(?::\d\d(?::\d\d(?:\.\d+)?)?)?)(z|[+-]\d\d:\d\d)?"
)

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
TIME_NAMES: dict[str, tuple[relativedelta, Length]] = {
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
        any(known.startswith(name) for known in TIME_NAMES)
        or ISO.fullmatch(typed + "0000-00-00t00:00:00"[len(typed) :])
        or (number and any(f"{unit}-ago".startswith(name[number.end() :]) for unit in UNITS))
    )


WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
NUMBERS = dict(zip("one two three four five six seven eight nine ten".split(), range(1, 11), strict=True))
UNIT_LETTERS = {"minute": "m", "hour": "h", "day": "d", "week": "w", "month": "mo", "year": "y"}
CHINESE_UNITS = {
    "分钟": "m", "小时": "h", "个小时": "h", "天": "d", "日": "d", "周": "w", "个星期": "w", "星期": "w",
    "个月": "mo", "年": "y",
}  # fmt: skip
SIMPLE = {name.replace("-", " "): name for name in TIME_NAMES if name.isascii() and name not in WEEKDAYS}
OTHERS = {"this morning": "today", "tonight": "today", "last night": "yesterday"}
CHINESE_NAMES = sorted((name for name in TIME_NAMES if not name.isascii()), key=len, reverse=True)

_NUMBER = rf"(?P<number>\d{{1,3}}|{'|'.join(NUMBERS)}|a|an)"
ENGLISH = late_pattern(
    rf"""\b(?:
    (?P<past>(?:(?:in|during|over|within)\s+)?(?:the\s+)?(?:last|past)\s+(?:{_NUMBER}\s+)(?P<unit>{"|".join(UNIT_LETTERS)})s?)
  | (?P<ago>{_NUMBER.replace("number", "many")}\s+(?P<of>{"|".join(UNIT_LETTERS)})s?\s+ago)
  | (?P<since>(?:since|after)\s+)?(?P<simple>{"|".join([*SIMPLE, *OTHERS]).replace(" ", "[ ]+")})
  | (?P<begun>since\s+)?(?:on\s+)?(?P<last>last\s+)?(?<=\s)(?P<weekday>{"|".join(WEEKDAYS)})
  | since\s+(?P<from>{"|".join(WEEKDAYS)})
    )(?:['’]s)?\b""",
    re.IGNORECASE | re.VERBOSE,
)
CHINESE = late_pattern(
    rf"""(?:
    (?P<week>上上|上|这|本)个?(?:周|星期|礼拜)(?P<weekday>[一二三四五六日天])
  | (?:最近|近|过去|这)(?P<number>\d{{1,3}}|[{"".join(NUMERALS)}]|几)(?P<unit>{"|".join(CHINESE_UNITS)})
  | (?P<many>\d{{1,3}}|[{"".join(NUMERALS)}])(?P<of>{"|".join(CHINESE_UNITS)})以?之?前
  | (?P<name>{"|".join(CHINESE_NAMES)})
    )(?:以来|以后|之后|起)?(?P<de>的|里|内|，|,)?""",
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class TimeWords:
    """Words of a query that name a time: where they stand, and the filter that says the same.

    `dates` are what they may mean, as dates of the query language: of a month or a day without a year
    those of several years. `is_open`: they mean all from then on. `is_name`: one word that
    counts from now, such as "yesterday": what was written then says another.
    """

    start: int
    end: int
    filter: str
    dates: tuple[str, ...]
    is_open: bool = False
    is_name: bool = False


def time_words(text: str, now: datetime) -> TimeWords | None:
    """Return the first time that a text of plain words names; None where it names none."""
    if match := ENGLISH.search(text):
        return _as_filter(match, _english(match))
    if match := CHINESE.search(text):
        meant = _chinese(match, now)
        return _as_filter(match, meant) if meant else None
    return _dated(text, now)


def time_in(every: Sequence[Item], now: datetime) -> TimeWords | None:
    """Return the first time that the plain words among a query's items name; None where they name none."""
    plain = [item for item in every if item.name is None and not (item.quoted or item.negated)]
    # The patterns take 4 ms to compile.
    if not may_name_a_time(" ".join(item.text for item in plain)):
        return None
    blank = [" "] * every[-1].end
    for item in every:
        # What stands between two words keeps them apart.
        blank[item.start : item.end] = item.text if item in plain else "\0" * len(item.text)
    words = time_words("".join(blank), now)
    # A day that there is not is a word.
    return words if words and parse_range(words.dates[0], now) else None


def named_range(text: str, now: datetime, *, whole_days: bool = False) -> tuple[int, int] | None:
    """Return what a date names, as `parse_range` does, also one as people say it: `2月17日`."""
    bounds = parse_range(text, now, whole_days=whole_days)
    if bounds is not None or not may_name_a_time(text):
        return bounds
    date = whole_date(" ".join(text.split()), now)
    return None if date is None else parse_range(date, now, whole_days=whole_days)


def whole_date(text: str, now: datetime) -> str | None:
    """Return the date that a whole text names, as the query language has it; None where it names none."""
    words = time_words(text, now)
    if words and (words.start, words.end) == (0, len(text)):
        return words.dates[0]
    return text if text and parse_range(text, now) is not None else None


SECOND, INSTANT = timedelta(seconds=1), timedelta(milliseconds=1)
WRITTEN = late_pattern(r"^(\d{4})(?:/|年)(?:(\d{1,2})(?:/|月|$)(?:(\d{1,2})日?)?)?$")
"""`2026/2/18` and `2026年2月18日`, whole or cut."""
LENGTHS: dict[int, Length] = {4: YEAR, 7: MONTH, 10: DAY, 13: HOUR, 16: MINUTE, 19: SECOND}
"""What a date of so many characters names."""


def _named(text: str, now: datetime, whole_days: bool) -> tuple[datetime, Length]:
    today = now.replace(hour=0, minute=0, second=0, microsecond=0, fold=0)
    name = text.replace(" ", "-")
    if (
        (latest := TIME_NAMES.get(name.removeprefix("last-")))
        and name.endswith("day")
        and name.startswith("last-")
    ):
        return today - DAY + latest[0], DAY
    if result := TIME_NAMES.get(name):
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


MONTHS = {
    spelling: number
    for number, name in enumerate(
        "january february march april may june july august september october november december".split(),
        1,
    )
    for spelling in (name, name[:3])
} | {"sept": 9}
AMBIGUOUS = {"may", "march", "mar", "dec"}
"""Words too: without a day, a year or a preposition they name no month."""
EARLIEST = 1990
"""An earlier year is a number."""
YEARS = 12
"""A date without a year is that of so many years, the latest first."""
_MONTH = rf"(?P<month>{'|'.join(sorted(MONTHS, key=len, reverse=True))})\b\.?"
_DAY = r"(?:the\s+)?(?P<{}>[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?"
_YEAR = r"(?P<{}>(?:19|20)\d\d)\b(?![-.:/%]?\w)"
DATED = late_pattern(
    rf"""\b(?:(?P<how>since|after|until|before|by|in|on|during|of|from|last|this|early|mid|late)[ ]+)?(?:
    {_DAY.format("day")}\s+(?:of\s+)?{_MONTH}(?:,?\s+{_YEAR.format("year")})?
  | {_MONTH.replace("month", "other")}
    (?:\s+{_DAY.format("the")}(?![\w:.-]*\d))?(?:,?\s+{_YEAR.format("of")})?
  | (?P<iso>(?:19|20)\d\d-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)\b(?![-\w])
  | (?<=in[ ]){_YEAR.format("in")}
  | (?<=since[ ]){_YEAR.format("since")}
  | (?<=during[ ]){_YEAR.format("during")}
    )""",
    re.IGNORECASE | re.VERBOSE,
)
CHINESE_DATED = late_pattern(
    rf"""(?:(?P<year>(?:19|20)\d\d)年)?
    (?<![\d第前后後{"".join(NUMERALS)}])(?P<month>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])月份?
    (?:(?P<day>[12]\d|3[01]|0?[1-9]|二?十[一二三四五六七八九]?|三十一?|[一二三四五六七八九])[日号號])?
  | (?P<alone>(?:19|20)\d\d)年(?!代|前|后|後|来|來)""",
    re.VERBOSE,
)
FEW = 3
"""What 几 stands for."""


def _as_filter(match: re.Match[str], filter: str) -> TimeWords:
    name, _, date = filter.partition(":")
    is_name = " " not in match.group().strip()
    return TimeWords(*match.span(), filter, (date,), name == "since", is_name)


def _dated(text: str, now: datetime) -> TimeWords | None:
    """A date of the calendar."""
    for match in DATED.finditer(text):
        results = match.groupdict()
        how = (results["how"] or "").lower()
        name = next((results[item] for item in ("month", "other") if results[item]), "").rstrip(".")
        year = next(
            (results[entry] for entry in ("year", "of", "in", "since", "during") if results[entry]),
            None,
        )
        day = results["day"] or results["the"]
        if name.lower() in AMBIGUOUS and not (year or how or (day and name[0].isupper())):
            continue
        if name and len(name) < 4 and name.lower() != "may" and not (year or day):
            continue
        dates = (results["iso"],) if results["iso"] else _dates(year, MONTHS.get(name.lower()), day, now)
        if dates:
            kind = {"since": "since", "after": "since", "until": "until", "before": "until"}.get(how, "on")
            return TimeWords(*match.span(), f"{kind}:{dates[0]}", dates, kind == "since")
    for match in CHINESE_DATED.finditer(text):
        results = match.groupdict()
        month, of = results["month"], results["day"]
        dates = _dates(
            results["year"] or results["alone"],
            _numeral(month) if month else None,
            str(_numeral(of)) if of else None,
            now,
        )
        if dates:
            return TimeWords(*match.span(), f"on:{dates[0]}", dates)
    return None


def _dates(year: str | None, month: int | None, day: str | None, now: datetime) -> tuple[str, ...]:
    """Dates as the query language writes them, none of them in the future; the latest first."""
    years = [int(year)] if year else range(now.year, now.year - YEARS, -1)
    dates = []
    for value in years:
        parts = [f"{value:04}"]
        parts += [f"{month:02}"] if month else []
        parts += [f"{int(day):02}"] if month and day else []
        date = "-".join(parts)
        if value >= EARLIEST and date <= f"{now:%Y-%m-%d}"[: len(date)] and parse_range(date, now):
            dates.append(date)
    return tuple(dates)


def _numeral(text: str) -> int:
    """A number up to 31 in digits or Chinese numerals."""
    if text.isdecimal():
        return int(text)
    tens, ten, ones = text.rpartition("十")
    return (NUMERALS.get(tens, 1) * 10 if ten else 0) + NUMERALS.get(ones, 0)


def _english(match: re.Match[str]) -> str:
    results = match.groupdict()
    if results["past"]:
        return f"since:{_number(results['number'])}{UNIT_LETTERS[results['unit'].lower()]}"
    if results["ago"]:
        return f"on:{_number(results['many'])}{UNIT_LETTERS[results['of'].lower()]}"
    if day := results["weekday"] or results["from"]:
        name = f"{'last-' if results['last'] else ''}{day.lower()}"
        return f"{'since' if results['begun'] or results['from'] else 'on'}:{name}"
    words = " ".join(results["simple"].lower().split())
    return f"{'since' if results['since'] else 'on'}:{OTHERS.get(words) or SIMPLE[words]}"


def _number(text: str) -> int:
    return int(text) if text.isdecimal() else NUMBERS.get(text.lower(), 1)


def _chinese(match: re.Match[str], now: datetime) -> str | None:
    found = match.groupdict()
    since = "以来" in match[0] or "以后" in match[0] or "之后" in match[0] or match[0].endswith("起")
    begin = "since" if since else "on"
    if found["week"]:
        back = {"上上": 14, "上": 7}.get(found["week"], 0)
        place = "一二三四五六日天".index(found["weekday"])
        day = now - timedelta(days=now.weekday() + back - min(place, 6))
        return f"{begin}:{day:%Y-%m-%d}" if day <= now else None
    if found["unit"]:
        return f"since:{_chinese_number(found['number'])}{CHINESE_UNITS[found['unit']]}"
    if found["of"]:
        return f"on:{_chinese_number(found['many'])}{CHINESE_UNITS[found['of']]}"
    return f"{begin}:{found['name']}" if parse_range(found["name"], now) else None


def _chinese_number(text: str) -> int:
    return int(text) if text.isdecimal() else NUMERALS.get(text, FEW)
