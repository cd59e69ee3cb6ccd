"""Rails: lines beside the rows of a timeline that link those of one session.

They belong to the rows that are listed: sessions that were never ended would have rails over
everything.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

APART = 24
"""Rows of others after which a session begins a new rail: both ends of a longer one are never in view
together, and lanes are few."""

FIRST, OWN, LAST, ONLY, PASSING, OUTSIDE = "┌├└╶│•"


@dataclass(frozen=True, slots=True)
class Stretch:
    """Rows of one session near each other: the first and the last index, among others' rows."""

    session: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Mark:
    """What stands in one lane of a row: a symbol one cell wide, in the colour with this number."""

    symbol: str
    colour: int


Lanes = tuple[Mark | None, ...]


@dataclass(frozen=True, slots=True)
class Rails:
    """The lanes of each row, as many in all of them, and the stretch of each, None for no session."""

    lanes: Sequence[Lanes] = ()
    stretches: Sequence[Stretch | None] = ()


def rails(sessions: Sequence[int | None], most: int, colours: int) -> Rails:
    """Return the rails of rows by their session ids, in at most `most` lanes and so many colours.

    A stretch keeps its lane from its first row to its last. Stretches for which no lane is free share one
    more, in which only their own rows are marked.
    """
    found = stretches(sessions)
    of_rows: list[Stretch | None] = [None] * len(sessions)
    for one in found:
        for row in range(one.first, one.last + 1):
            if sessions[row] == one.session:
                of_rows[row] = one
    lane_of = _lanes(found, most)
    colour_of = _colours(found, colours)
    width = max((lane + 1 for lane in lane_of.values() if lane is not None), default=0)
    shared = None in lane_of.values()
    drawn: list[list[Mark | None]] = [[None] * (width + shared) for _ in sessions]
    for one in found:
        colour, lane = colour_of[one.session], lane_of[one]
        for row in range(one.first, one.last + 1):
            is_own = of_rows[row] == one
            if lane is not None:
                drawn[row][lane] = Mark(_symbol(one, row) if is_own else PASSING, colour)
            elif is_own:
                drawn[row][width] = Mark(OUTSIDE, colour)
    return Rails([tuple(row) for row in drawn], of_rows)


def stretches(sessions: Sequence[int | None]) -> list[Stretch]:
    """Return the stretches of rows by their session ids, in the order of their first rows."""
    last_of: dict[int, Stretch] = {}
    found: list[Stretch] = []
    for row, session in enumerate(sessions):
        if session is None:
            continue
        before = last_of.get(session)
        if before is not None and row - before.last <= APART:
            last_of[session] = Stretch(session, before.first, row)
            continue
        if before is not None:
            found.append(before)
        last_of[session] = Stretch(session, row, row)
    return sorted((*found, *last_of.values()), key=lambda one: one.first)


def _symbol(one: Stretch, row: int) -> str:
    if one.first == one.last:
        return ONLY
    return FIRST if row == one.first else LAST if row == one.last else OWN


def _lanes(found: Iterable[Stretch], most: int) -> dict[Stretch, int | None]:
    """The leftmost lane that is free all along each stretch; None where none is."""
    until = [-1] * max(0, most)
    chosen: dict[Stretch, int | None] = {}
    for one in found:
        lane = next((lane for lane, end in enumerate(until) if end < one.first), None)
        chosen[one] = lane
        if lane is not None:
            until[lane] = one.last
    return chosen


def _colours(found: Iterable[Stretch], colours: int) -> dict[int, int]:
    """A colour for each session, its own wherever it is seen, but where one beside it has that."""
    chosen: dict[int, int] = {}
    beside: list[Stretch] = []
    for one in found:
        beside = [other for other in beside if other.last >= one.first - 1]
        if one.session not in chosen:
            taken = {chosen[other.session] for other in beside}
            order = [(one.session + step) % colours for step in range(colours)]
            chosen[one.session] = next((each for each in order if each not in taken), order[0])
        beside.append(one)
    return chosen
