"""The rows of a timeline: a line for each day, and under it that day's moments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from store import Entry, Session

from ..ages import clock, full


@dataclass(frozen=True, slots=True)
class Day:
    """The line above a day's first moment; `at` is that moment, ms since the epoch, UTC."""

    at: int


@dataclass(frozen=True, slots=True)
class Moment:
    """An entry, with what it has in common with the moment above it."""

    entry: Entry
    session: Session | None = None
    anchor: bool = False
    same_minute: bool = False
    same_session: bool = False


@dataclass(frozen=True, slots=True)
class Blank:
    """Nothing; it leaves the anchor on its row where too little happened before or after it."""


Row = Day | Moment | Blank


def rows(
    entries: Sequence[Entry], sessions: Mapping[int, Session], anchor: int = -1
) -> Iterator[Row]:
    """Entries in time order as rows; `anchor` is the index of the anchor's entry."""
    above: Entry | None = None
    for index, entry in enumerate(entries):
        same_day = above is not None and _date(above) == _date(entry)
        if not same_day:
            yield Day(entry.created_at)
        yield Moment(
            entry,
            sessions.get(entry.session_id or 0),
            index == anchor,
            same_day and above is not None and clock(above.created_at) == clock(entry.created_at),
            above is not None and above.session_id == entry.session_id,
        )
        above = entry


def _date(entry: Entry) -> str:
    return full(entry.created_at)[:10]
