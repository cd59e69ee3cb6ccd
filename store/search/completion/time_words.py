"""Time words inside a question ("decided last week", "昨天的决定"), which may be meant as a filter."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from ...records.dataclasses import dataclass
from ..dates import NAMES, NUMERALS, parse_range

WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
NUMBERS = dict(
    zip("one two three four five six seven eight nine ten".split(), range(1, 11), strict=True)
)
UNITS = {"minute": "m", "hour": "h", "day": "d", "week": "w", "month": "mo", "year": "y"}
CHINESE_UNITS = {
    "分钟": "m", "小时": "h", "个小时": "h", "天": "d", "日": "d", "周": "w", "个星期": "w", "星期": "w",
    "个月": "mo", "年": "y",
}  # fmt: skip
SIMPLE = {name.replace("-", " "): name for name in NAMES if name.isascii() and name not in WEEKDAYS}
OTHERS = {"this morning": "today", "tonight": "today", "last night": "yesterday"}
CHINESE_NAMES = sorted((name for name in NAMES if not name.isascii()), key=len, reverse=True)

_NUMBER = rf"(?P<number>\d{{1,3}}|{'|'.join(NUMBERS)}|a|an)"
ENGLISH = re.compile(
    rf"""\b(?:
    (?P<past>(?:(?:in|during|over|within)\s+)?(?:the\s+)?(?:last|past)\s+(?:{_NUMBER}\s+)(?P<unit>{"|".join(UNITS)})s?)
  | (?P<ago>{_NUMBER.replace("number", "many")}\s+(?P<of>{"|".join(UNITS)})s?\s+ago)
  | (?P<since>(?:since|after)\s+)?(?P<simple>{"|".join([*SIMPLE, *OTHERS]).replace(" ", "[ ]+")})
  | (?P<begun>since\s+)?(?:on\s+|last\s+)(?P<weekday>{"|".join(WEEKDAYS)})
  | since\s+(?P<from>{"|".join(WEEKDAYS)})
    )(?:['’]s)?\b""",
    re.IGNORECASE | re.VERBOSE,
)
CHINESE = re.compile(
    rf"""(?:
    (?P<week>上上|上|这|本)个?(?:周|星期|礼拜)(?P<weekday>[一二三四五六日天])
  | (?:最近|近|过去|这)(?P<number>\d{{1,3}}|[{"".join(NUMERALS)}]|几)(?P<unit>{"|".join(CHINESE_UNITS)})
  | (?P<many>\d{{1,3}}|[{"".join(NUMERALS)}])(?P<of>{"|".join(CHINESE_UNITS)})以?之?前
  | (?P<name>{"|".join(CHINESE_NAMES)})
    )(?:以来|以后|之后|起)?(?P<de>的|里|内|，|,)?""",
    re.VERBOSE,
)
FEW = 3
"""What 几 stands for."""


@dataclass(frozen=True, slots=True)
class TimeWords:
    """Words of a query that name a time: where they stand, and the filter that says the same."""

    start: int
    end: int
    filter: str


def time_words(text: str, now: datetime) -> TimeWords | None:
    """Return the first time that a text of plain words names; None where it names none."""
    if match := ENGLISH.search(text):
        return TimeWords(*match.span(), _english(match))
    match = CHINESE.search(text)
    if match is None:
        return None
    meant = _chinese(match, now)
    return TimeWords(*match.span(), meant) if meant else None


def _english(match: re.Match[str]) -> str:
    found = match.groupdict()
    if found["past"]:
        return f"since:{_number(found['number'])}{UNITS[found['unit'].lower()]}"
    if found["ago"]:
        return f"on:{_number(found['many'])}{UNITS[found['of'].lower()]}"
    if day := found["weekday"] or found["from"]:
        return f"{'since' if found['begun'] or found['from'] else 'on'}:{day.lower()}"
    words = " ".join(found["simple"].lower().split())
    return f"{'since' if found['since'] else 'on'}:{OTHERS.get(words) or SIMPLE[words]}"


def _number(text: str) -> int:
    return int(text) if text.isdecimal() else NUMBERS.get(text.lower(), 1)


def _chinese(match: re.Match[str], now: datetime) -> str | None:
    found = match.groupdict()
    since = (
        "以来" in match[0] or "以后" in match[0] or "之后" in match[0] or match[0].endswith("起")
    )
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
