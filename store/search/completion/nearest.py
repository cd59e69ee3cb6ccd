"""The nearest name of a filter, value or date to one that doesn't exist."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterable
from datetime import datetime

from ...text.language.folding import fold
from ...text.late_pattern import late_pattern
from ..index.documents import FIELDS
from ..query.dates import TIME_NAMES, named_range, parse_range
from ..query.grammar import CHINESE_FILTERS, LISTED

SHORTEST_BEGINNING = 3
"""Letters that tell which name is meant."""
OTHER_NAMES = {
    "after": "since",
    "from": "since",
    "before": "until",
    "date": "on",
    "day": "on",
    "repo": "project",
    "path": "file",
    "label": "tag",
    "order": "sort",
}
"""What other programs call these filters."""
NUMBERS = late_pattern(r"(\d{4})[-/.](\d{1,2})(?:[-/.](\d{1,2}))?")
MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()


OTHER_VALUES = {
    "is": {"hidden": "private", "trash": "deleted", "trashed": "deleted", "starred": "pinned"},
    "sort": {
        "new": "recent",
        "newest": "recent",
        "latest": "recent",
        "old": "oldest",
        "first": "oldest",
        "best": "relevance",
        "semantic": "meaning",
    },
}
"""What other programs call these states and orders."""


def edits(typed: str) -> int:
    """Return how many edits may separate what was typed from what was meant: more for longer words."""
    return 1 if len(typed) < 6 else 2 if len(typed) < 10 else 3


def nearest(typed: str, known: Iterable[str]) -> str | None:
    """Return the known text that is nearest to another; None where none is near.

    The order of preference: a text that one is the beginning of, one with the same letters and other
    punctuation, one that holds what was typed, one a few edits away. Of equally near ones the first
    is taken.
    """
    from rapidfuzz.distance import OSA

    sought = fold(typed)
    best: tuple[int, str] | None = None
    bare = re.sub(r"[\W_]", "", sought)
    for text in known:
        folded = fold(text)
        distance = OSA.distance(sought, folded, score_cutoff=edits(sought))
        if folded.startswith(sought) or (len(folded) > 3 and sought.startswith(folded)):
            rank = 0
        elif bare and bare == re.sub(r"[\W_]", "", folded):
            rank = 1
        elif len(sought) >= SHORTEST_BEGINNING and sought in folded:
            rank = 2
        elif len(sought) >= SHORTEST_BEGINNING and distance <= edits(sought):
            rank = 3 + distance
        elif len(sought) > SHORTEST_BEGINNING and folded.startswith(sought[:-1]):
            # `bugs` for bugfix: all but its ending.
            rank = 7
        else:
            continue
        if best is None or rank < best[0]:
            best = rank, text
    return best[1] if best else None


def mistyped(typed: str, known: Iterable[str]) -> str | None:
    """Return the known text that was likely meant by another, which differs by a few letters at most;
    None where none is so near."""
    from rapidfuzz.distance import OSA

    near = [(OSA.distance(fold(typed), fold(text)), text) for text in known]
    distance, text = min(near, key=lambda pair: pair[0], default=(0, ""))
    return text if len(typed) >= SHORTEST_BEGINNING and distance <= edits(typed) else None


def nearest_name(typed: str) -> str | None:
    """Return the filter whose name is nearest to a name that no filter has; None where none is near."""
    if len(typed) < SHORTEST_BEGINNING:
        return CHINESE_FILTERS.get(_one_edit(typed, CHINESE_FILTERS)) if not typed.isascii() else None
    if typed in OTHER_NAMES:
        return OTHER_NAMES[typed]
    begins = [name for name in sorted(LISTED) if name.startswith(typed)]
    if len(begins) == 1:
        return begins[0]
    return _one_edit(typed, sorted(LISTED | FIELDS.keys())) or None


def _one_edit(typed: str, known: Iterable[str]) -> str:
    from rapidfuzz.distance import OSA

    near = (text for text in known if OSA.distance(typed, text, score_cutoff=1) <= 1 and len(text) > 1)
    return next(near, "")


def nearest_date(typed: str, following: list[str], now: datetime) -> tuple[str, int] | None:
    """Return the date nearest to a text that is none, and how many of the following words belong to it.

    `last week` is last-week, 2026-13-45 the last day of that year, 18.02.2026 a day.
    """
    for count in range(min(2, len(following)), 0, -1):
        joined = " ".join([typed, *following[:count]])
        if named_range(joined, now) is not None:
            name = joined.lower().replace(" ", "-")
            return (name if name in TIME_NAMES else joined), count
    folded = fold(typed)
    if match := NUMBERS.fullmatch(folded):
        year, month, day = (int(part or 0) for part in match.groups())
        return _in_calendar(year, month, day), 0
    if not any(char.isdigit() for char in folded):
        near = nearest(folded, TIME_NAMES) if len(folded) > 2 else None
        if near is not None and near.isascii() == folded.isascii():
            return near, 0
        if folded[:3] in MONTHS and folded.isalpha():
            month = MONTHS.index(folded[:3]) + 1
            return f"{now.year - (month > now.month)}-{month:02}", 0
        return None
    read = _as_read(folded, now)
    return (read, 0) if read else None


def _in_calendar(year: int, month: int, day: int) -> str:
    """The nearest date of the calendar; of a day 0 the month."""
    if month > 12 and 0 < day <= 12:
        month, day = day, month
    year, month = max(year, 1), min(max(month, 1), 12)
    if not day:
        return f"{year:04}-{month:02}"
    return f"{year:04}-{month:02}-{min(day, monthrange(year, month)[1]):02}"


def _as_read(folded: str, now: datetime) -> str | None:
    """A whole date in another order or in words (18.02.2026, 18feb2026), as dateutil reads it."""
    from dateutil import parser

    spaced = folded.replace("-", " ")
    if parse_range(spaced, now) is not None:
        return spaced
    numbers = re.findall(r"\d+", folded)
    if len(numbers) < 3 and len(folded) != 8 and not any(month in folded for month in MONTHS):
        return None
    try:
        return f"{parser.parse(folded, default=now, dayfirst='.' in folded):%Y-%m-%d}"
    except (ValueError, OverflowError):
        return None
