"""The rows of a timeline: a line for each day, its moments under it, how one looks, and sessions' rails."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from textual.content import Content

from memtui.store import ListRow, Scope, Session
from memtui.store.platform.translation import _

from ..text.ages import clock, full
from ..text.content import DIM, EMPTY, edges, fit, fit_title, joined, plain
from ..text.glyphs import flags, glyph
from ..text.records import short_id


@dataclass(frozen=True, slots=True)
class Day:
    """The line above a day's first moment; `at` is that moment, ms since the epoch, UTC."""

    at: int


@dataclass(frozen=True, slots=True)
class NamedSession:
    """A session, and what it is called."""

    session: Session
    title: str


@dataclass(frozen=True, slots=True)
class Moment:
    """A row, its session and what that is called, and whether it is of the same minute as the moment
    above it."""

    row: ListRow
    session: Session | None = None
    anchor: bool = False
    same_minute: bool = False
    session_title: str = ""


@dataclass(frozen=True, slots=True)
class Blank:
    """Nothing; it leaves the anchor on its row where too little happened before or after it."""


Row = Day | Moment | Blank

ANCHOR = "▌"
SAME = "  ″  "
HIDDEN = f"{DIM} strike"
BLANK = Content(" ")
LEAST_ORIGIN, ROOM_FOR_PROJECT = 16, 26
LANES = ((90, 6), (64, 4), (40, 2), (0, 1))
"""Cells of a row from which on so many rails are side by side."""


def timeline_rows(
    rows: Sequence[ListRow], sessions: Mapping[int, NamedSession], anchor: int = -1
) -> Iterator[Row]:
    """Yield the rows of a timeline for list rows in time order; `anchor` is the anchor's index."""
    above: ListRow | None = None
    for index, row in enumerate(rows):
        same_day = above is not None and _date(above) == _date(row)
        if not same_day:
            yield Day(row.created_at)
        of = sessions.get(row.session_id or 0)
        yield Moment(
            row,
            of.session if of is not None else None,
            index == anchor,
            same_day and above is not None and clock(above.created_at) == clock(row.created_at),
            of.title if of is not None else "",
        )
        above = row


def _date(row: ListRow) -> str:
    return full(row.created_at)[:10]


COLOURS = (
    "$text-primary",
    "$text-accent",
    "$text-success",
    "$text-secondary",
    "$type-fact",
    "$type-answer",
)
"""Of sessions beside each other: none that warns."""


def lanes_for(width: int) -> int:
    """Return how many rails have room beside a row of `width` cells."""
    return next(lanes for least, lanes in LANES if width >= least)


def origin(moment: Moment, scope: Scope, colour: int, room: int) -> Content:
    """Return where a moment comes from, in at most `room` cells: its session, and whose it is, as far as
    the rows of a scope differ in that."""
    if scope == "session" or room < LEAST_ORIGIN:
        return Content()
    project = moment.row.project if scope == "all" else ""
    session = moment.session
    if session is None:
        return _cut(plain(project, DIM), room)
    named = moment.session_title
    if not named or named.startswith(moment.row.title.strip() or named):
        # What was asked first stands in this very row.
        named = short_id(session)
    shortest = joined(project, named) if room >= ROOM_FOR_PROJECT else named
    forms = (joined(project, named, session.agent), joined(project, named))
    content = next((text for text in forms if plain(text).cell_length <= room), shortest)
    return _cut(plain(content, COLOURS[colour]), room)


def _cut(content: Content, room: int) -> Content:
    return content if content.cell_length <= room else fit(content, room)


def rail(lanes: Lanes) -> Content:
    """Return what stands in the lanes of a row, with a space behind; nothing where there are none."""
    marks = (Content.styled(mark.symbol, COLOURS[mark.colour]) if mark else BLANK for mark in lanes)
    return Content("").join([*marks, BLANK]) if lanes else Content()


def own_colour(lanes: Lanes) -> int:
    """Return the colour of the row's own session."""
    return next((mark.colour for mark in lanes if mark is not None and mark.symbol != PASSING), 0)


def moment_row(
    moment: Moment,
    width: int,
    selected: bool,
    lanes: Lanes = (),
    named_in: Scope | None = None,
    shared: int = 0,
) -> Content:
    """One line, `width` cells: time, anchor, rails, symbol, title, which begins with `shared` characters as
    others do, and, where it is named in a scope, at the right its origin."""
    row = moment.row
    mark = Content.styled(ANCHOR, "$text-accent") if moment.anchor else BLANK
    style = "bold" if selected or moment.anchor else ""
    left = Content.assemble(
        (SAME if moment.same_minute else f"{clock(row.created_at):<5}", DIM),
        " ",
        mark,
        rail(lanes),
        glyph(row.type).content,
        " ",
    )
    title = plain(row.title or _("untitled"), HIDDEN if row.document_id < 0 else style)
    room = width - left.cell_length
    # The title keeps at least half of it.
    content = origin(moment, named_in, own_colour(lanes), (room - 1) // 2) if named_in else EMPTY
    return left + edges(title, content, room, flags(row), partial(fit_title, shared=shared))


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
    """The lanes of each row, as many in all of them, and the stretch of each, None for no session.

    They belong to the rows that are listed: sessions that were never ended would have rails over all.
    """

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
