"""Dates in a query: absolute (ISO 8601, whole or cut) and relative (`7d`, `yesterday`)."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

RELATIVE = re.compile(r"(\d{1,5})(m|h|d|w|mo|y)", re.IGNORECASE)
UNITS = {
    "m": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
    "w": timedelta(weeks=1),
    "mo": timedelta(days=30),
    "y": timedelta(days=365),
}
DAY = timedelta(days=1)


def parse_range(text: str, now: datetime) -> tuple[int, int] | None:
    """The moment or day that a text names, as [first, last) ms since the epoch; None if it isn't one.

    Days begin at local midnight; `now` is naive local time. `7d` is the moment seven days ago.
    """
    try:
        start, length = _named(text.upper(), now)
        return _ms(start), _ms(start + length)
    except (ValueError, OverflowError):
        return None


def _named(text: str, now: datetime) -> tuple[datetime, timedelta]:
    today = now.replace(hour=0, minute=0, second=0, microsecond=0)
    if text == "TODAY":
        return today, DAY
    if text == "YESTERDAY":
        return today - DAY, DAY
    if match := RELATIVE.fullmatch(text):
        return now - int(match[1]) * UNITS[match[2].lower()], timedelta(milliseconds=1)
    if re.fullmatch(r"\d{4}", text):
        start = datetime.fromisoformat(f"{text}-01-01")
        return start, start.replace(year=start.year + 1) - start
    if re.fullmatch(r"\d{4}-\d\d", text):
        start = datetime.fromisoformat(f"{text}-01")
        return start, (start.replace(day=28) + 4 * DAY).replace(day=1) - start
    start = datetime.fromisoformat(text)
    return start, DAY if len(text) <= 10 else timedelta(minutes=1)


def _ms(moment: datetime) -> int:
    return int(moment.timestamp() * 1000)
