"""Times and amounts as lists show them. Times are ms since the epoch, UTC, and shown as local."""

from __future__ import annotations

from datetime import datetime
from time import time

UNKNOWN = "—"

_MINUTE = 60_000
_HOUR = 60 * _MINUTE
_DAY = 24 * _HOUR
_UNITS = ((365 * _DAY, "y"), (7 * _DAY, "w"), (_DAY, "d"), (_HOUR, "h"), (_MINUTE, "m"))


def age(ms: int, now: int) -> str:
    """Return how long before `now` a time was: `2y`, `3w`, `5d`, `2h`, `3m`, `now`; `—` when unknown."""
    if ms <= 0:
        return UNKNOWN
    for unit, letter in _UNITS:
        if now - ms >= unit:
            return f"{(now - ms) // unit}{letter}"
    return "now"


def ago(ms: int, now: int) -> str:
    """Return the age in words, `2h ago`, `just now`; `` when unknown, or still to come."""
    short = age(ms, now)
    if short == UNKNOWN or ms > now + _MINUTE:
        return ""
    return "just now" if short == "now" else f"{short} ago"


def span(ms: int) -> str:
    """Return a duration in ms in short: `12s`, `3m`, `2h`, `5d`."""
    for unit, letter in _UNITS:
        if ms >= unit:
            return f"{ms // unit}{letter}"
    return f"{max(0, ms) // 1000}s"


def clock(ms: int) -> str:
    """Return the time of day, `19:31`; `—` when unknown."""
    return f"{when:%H:%M}" if (when := _local(ms)) else UNKNOWN


def day(ms: int, now: int | None = None) -> str:
    """Return the day, `Tue 17 Feb`, with its year when that isn't that of `now`; `—` when unknown."""
    when, today = _local(ms), _local(int(time() * 1000) if now is None else now)
    if not when:
        return UNKNOWN
    year = f" {when.year}" if today and when.year != today.year else ""
    return f"{when:%a} {when.day} {when:%b}{year}"


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
