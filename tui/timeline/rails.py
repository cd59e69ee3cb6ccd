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
    results = stretches(sessions)
    of_rows: list[Stretch | None] = [None] * len(sessions)
    for stretch in results:
        for row in range(stretch.first, stretch.last + 1):
            if sessions[row] == stretch.session:
                of_rows[row] = stretch
    lane_of = _lanes(results, most)
    colour_of = _colours(results, colours)
    width = max((lane + 1 for lane in lane_of.values() if lane is not None), default=0)
    shared = None in lane_of.values()
    drawn: list[list[Mark | None]] = [[None] * (width + shared) for _ in sessions]
    for stretch in results:
        colour, lane = colour_of[stretch.session], lane_of[stretch]
        for row in range(stretch.first, stretch.last + 1):
            is_own = of_rows[row] == stretch
            if lane is not None:
                drawn[row][lane] = Mark(_symbol(stretch, row) if is_own else PASSING, colour)
            elif is_own:
                drawn[row][width] = Mark(OUTSIDE, colour)
    return Rails([tuple(row) for row in drawn], of_rows)


def stretches(sessions: Sequence[int | None]) -> list[Stretch]:
    """Return the stretches of rows by their session ids, in the order of their first rows."""
    last_of: dict[int, Stretch] = {}
    results: list[Stretch] = []
    for row, session in enumerate(sessions):
        if session is None:
            continue
        before = last_of.get(session)
        if before is not None and row - before.last <= APART:
            last_of[session] = Stretch(session, before.first, row)
            continue
        if before is not None:
            results.append(before)
        last_of[session] = Stretch(session, row, row)
    return sorted((*results, *last_of.values()), key=lambda stretch: stretch.first)


def _symbol(stretch: Stretch, row: int) -> str:
    if stretch.first == stretch.last:
        return ONLY
    return FIRST if row == stretch.first else LAST if row == stretch.last else OWN


def _lanes(stretches: Iterable[Stretch], most: int) -> dict[Stretch, int | None]:
    """The leftmost lane that is free all along each stretch; None where none is."""
    until = [-1] * max(0, most)
    chosen: dict[Stretch, int | None] = {}
    for stretch in stretches:
        lane = next((lane for lane, end in enumerate(until) if end < stretch.first), None)
        chosen[stretch] = lane
        if lane is not None:
            until[lane] = stretch.last
    return chosen


def _colours(stretches: Iterable[Stretch], colours: int) -> dict[int, int]:
    """A colour for each session, its own wherever it is seen, but where one beside it has that."""
    chosen: dict[int, int] = {}
    beside: list[Stretch] = []
    for stretch in stretches:
        beside = [other for other in beside if other.last >= stretch.first - 1]
        if stretch.session not in chosen:
            taken = {chosen[other.session] for other in beside}
            order = [(stretch.session + step) % colours for step in range(colours)]
            chosen[stretch.session] = next((each for each in order if each not in taken), order[0])
        beside.append(stretch)
    return chosen
