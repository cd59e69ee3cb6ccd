"""Moments and spans on the command line, and moments as people read them."""

from __future__ import annotations

import re
from datetime import datetime

LAST_MS = 253_370_764_800_000
"""The year 9999 in any time zone: later moments can't be shown."""

SPAN = re.compile(r"(\d+(?:\.\d+)?)\s*(m|min|h|d)?")
MINUTES = {"m": 1, "min": 1, "h": 60, "d": 1440}


def moment(text: str) -> int:
    """A moment in ms since the epoch: given as such, in ISO 8601, or as in a search (`7d`)."""
    from ..search.dates import parse_range

    if text.isdecimal() and len(text) > 10:
        at = int(text)
    elif found := parse_range(text, datetime.now()):
        at = found[0]
    else:
        raise refusal(
            f"{text!r} is no time. Give 2026-02-18T14:30, 2026-02-18, yesterday, 2h or ms."
        )
    if not 0 <= at < LAST_MS:
        raise refusal(f"{text!r} lies outside the years 1970 to 9998.")
    return at


def minutes(text: str) -> float:
    """A span in minutes: `30m`, `2h`, `1d`, or a plain number of minutes."""
    match = SPAN.fullmatch(text.strip().lower())
    if match is None:
        raise refusal(f"{text!r} is no span. Give 30m, 2h or 1d.")
    return min(float(match[1]) * MINUTES[match[2] or "m"], LAST_MS / 60_000)


def minutes_of_span(text: str) -> float:
    """The same, but a plain number is refused: it may be meant as hours."""
    if (plain := text.strip()).replace(".", "", 1).isdecimal():
        raise refusal(f"{text!r} has no unit. Give {plain}m, {plain}h or {plain}d.")
    return minutes(text)


def refusal(sentence: str) -> Exception:
    """Wrong usage. A search into a pipe shows times too, and doesn't pay for importing typer."""
    import typer

    return typer.BadParameter(sentence)


def local_time(at: int) -> str:
    """A moment as local date and time, to the minute; one that no calendar has, as its number."""
    try:
        return f"{datetime.fromtimestamp(at / 1000):%Y-%m-%d %H:%M}"
    except (ValueError, OverflowError, OSError):
        return str(at)
