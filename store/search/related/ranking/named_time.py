"""The time that a question names ("in May", "last week", 昨天), as spans that memories may lie in."""

from __future__ import annotations

from datetime import datetime

from ...query.time_names import may_name_a_time

Span = tuple[int, int]
LATEST = (1 << 63) - 1


def named_time(text: str) -> tuple[Span, ...]:
    """Return the spans, [first, last) in ms since the epoch, that a text of plain words names; none where
    it names none. A month or a day without a year is that of every year."""
    if not may_name_a_time(text):
        return ()
    # Only now: the calendar takes longer to import than most searches take.
    from ...query.dates import parse_range
    from ...query.time_words import time_words

    now = datetime.now()
    words = time_words(text, now)
    if words is None:
        return ()
    dates = words.dates[:1] if words.is_open else words.dates
    spans = [parse_range(date, now, whole_days=not words.is_open) for date in dates]
    return tuple((span[0], LATEST if words.is_open else span[1]) for span in spans if span)


def without_name_of_time(text: str) -> str:
    """Return a text without a word that counts from now, which few memories of that time hold: who asks
    what failed yesterday doesn't look for "yesterday". "Last week" is two words that say little anyway."""
    if not may_name_a_time(text):
        return text
    from ...query.time_words import time_words

    words = time_words(text, datetime.now())
    if words is None or not words.is_name:
        return text
    return f"{text[: words.start]} {text[words.end :]}"


def is_within(at: int, spans: tuple[Span, ...]) -> bool:
    """Whether a moment, ms since the epoch, lies in one of these spans."""
    return any(first <= at < last for first, last in spans)
