"""Times as texts say them: parse whatever another program wrote into ms since the epoch, UTC, format it as
ISO 8601, and say how long something lasted."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone, tzinfo

SECONDS_BELOW = 100_000_000_000
LATEST = 253_402_300_799_999
"""The end of the year 9999: a later number is no time that anything could show."""

LONGEST = 60
"""Characters: what is longer is prose."""


_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d{5})")
_FORMS = re.compile(r"\d{4}\s*[-/.年]\s*\d{1,2}\s*[-/.月]\s*\d{1,2}|[A-Za-z]{3,}.*\d{4}|\d{8}(?:\D|$)")
"""The year first, or a month by its name: in any other form a day may be taken for a month."""
_NAMED = re.compile(r"\s*\([^()]*\)\Z|\b(?:GMT|UTC)(?=[+-]\d)")
"""What stands around an offset: dateutil takes GMT+8 for eight hours behind, JavaScript for ahead."""


def moment(epoch: int | None, text: str | None) -> int | None:
    """The time in ms, or None where neither value tells one.

    A number below 1e11 counts seconds, also one that stands in a text; one that is no time at all
    gives way to the text, which is ISO 8601 or another form that can't be misread, and means UTC
    unless it says otherwise.
    """
    return _counted(epoch) or _written((text or "").strip())


def _counted(epoch: int | None) -> int | None:
    if epoch is None:
        return None
    result = epoch * 1_000 if epoch < SECONDS_BELOW else epoch
    return result if 0 < result <= LATEST else None


def _written(text: str) -> int | None:
    try:
        result = round(_parsed(text).timestamp() * 1_000)
    except (ValueError, OverflowError):
        number = re.fullmatch(r"(\d{9,13})(?:\.\d*)?", text)
        return _counted(int(number[1])) if number else None
    return result if 0 < result <= LATEST else None


def _parsed(text: str) -> datetime:
    try:
        parsed = datetime.fromisoformat(text)
    except ValueError:
        if len(text) > LONGEST or not (_YEAR.search(text) and _FORMS.search(text)):
            raise
        # Few files need it, and it takes a while to import.
        from dateutil import parser

        plain = re.sub(r"[年月]", "-", _NAMED.sub("", text)).replace("日", " ")
        parsed = parser.parse(plain, default=datetime(1970, 1, 1), tzinfos=_zone)
    return parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)


def _zone(name: str | None, offset: int | None) -> tzinfo | None:
    if offset is None and name is not None:
        raise ValueError(f"{name} is a zone of several places")
    return None if offset is None else timezone(timedelta(seconds=offset))


def iso(at: int) -> str:
    """A moment, ms since the epoch, as `2026-02-17T19:31:40.000Z`; '' for one that no calendar has."""
    try:
        result = datetime.fromtimestamp(at // 1000, UTC)
    except (ValueError, OverflowError, OSError):
        return ""
    return f"{result.isoformat()[:19]}.{at % 1000:03}Z"


def duration(ms: int) -> str:
    """Return so many ms as `40s`, `56m`, `2h10` or `3d`."""
    # Hooks read times, and translate nothing.
    from ..platform.translation import _

    seconds = max(0, ms) // 1000
    minutes = seconds // 60
    if minutes < 1:
        return _("{seconds}s", seconds=seconds)
    if minutes < 60:
        return _("{minutes}m", minutes=minutes)
    if minutes < 24 * 60:
        return _("{hours}h{minutes:02}", hours=minutes // 60, minutes=minutes % 60)
    return _("{days}d", days=minutes // (24 * 60))
