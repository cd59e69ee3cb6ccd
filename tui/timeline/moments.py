"""The rows of a timeline: a line for each day, that day's moments under it, and how a moment
looks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from textual.content import Content

from store import ListRow, Scope, Session

from ..text.ages import clock, full
from ..text.content import DIM, edges, fit, plain
from ..text.glyphs import glyph, pin
from ..text.status import short_id


@dataclass(frozen=True, slots=True)
class Day:
    """The line above a day's first moment; `at` is that moment, ms since the epoch, UTC."""

    at: int


@dataclass(frozen=True, slots=True)
class Moment:
    """An row, with what it has in common with the moment above it."""

    row: ListRow
    session: Session | None = None
    anchor: bool = False
    same_minute: bool = False
    same_session: bool = False


@dataclass(frozen=True, slots=True)
class Blank:
    """Nothing; it leaves the anchor on its row where too little happened before or after it."""


Row = Day | Moment | Blank

ANCHOR = "▌"
SAME = "  ″  "
HIDDEN = f"{DIM} strike"
SHORT_ID = 8
WIDEST_NAME = 14
ROOM_FOR_ID, ROOM_FOR_ORIGIN, ROOM_FOR_ALL = 48, 68, 110


def timeline_rows(
    rows: Sequence[ListRow], sessions: Mapping[int, Session], anchor: int = -1
) -> Iterator[Row]:
    """Yield the rows of a timeline for list rows in time order; `anchor` is the anchor's index."""
    above: ListRow | None = None
    for index, row in enumerate(rows):
        same_day = above is not None and _date(above) == _date(row)
        if not same_day:
            yield Day(row.created_at)
        yield Moment(
            row,
            sessions.get(row.session_id or 0),
            index == anchor,
            same_day and above is not None and clock(above.created_at) == clock(row.created_at),
            above is not None and above.session_id == row.session_id,
        )
        above = row


def _date(row: ListRow) -> str:
    return full(row.created_at)[:10]


@dataclass(frozen=True, slots=True)
class Origins:
    """What tells where moments come from: only that in which they differ, in columns as wide as
    the widest of each."""

    scope: Scope = "session"
    project: int = 0
    agent: int = 0

    @classmethod
    def of(cls, rows: Iterable[Row], scope: Scope) -> Origins:
        """Return the columns that these rows need, which have `scope` in common."""
        moments = [row for row in rows if isinstance(row, Moment)]
        agents = {moment.row.agent for moment in moments}
        return cls(scope, _widest(moment.row.project for moment in moments), _widest(agents))

    def tell(self, moment: Moment, width: int) -> Content:
        """Return where a moment comes from, dim where the one above says the same, in `width` cells."""
        if self.scope == "session" or width < ROOM_FOR_ID:
            return Content()
        everywhere, session = self.scope == "all", moment.session
        parts = [Content(" ")]
        if everywhere and width >= ROOM_FOR_ORIGIN:
            parts.append(fit(plain(moment.row.project), self.project))
        if width >= (ROOM_FOR_ALL if everywhere else ROOM_FOR_ORIGIN):
            parts.append(fit(plain(moment.row.agent), self.agent))
        parts.append(fit(plain(short_id(session) if session else ""), SHORT_ID))
        return Content(" ").join(parts).stylize(DIM if moment.same_session else "")


def moment_row(moment: Moment, origins: Origins, width: int, selected: bool) -> Content:
    """One line, `width` cells: time, anchor, symbol, title, and at the right its origin."""
    row = moment.row
    mark = Content.styled(ANCHOR, "$text-accent") if moment.anchor else Content(" ")
    style = "bold" if selected or moment.anchor else ""
    left = Content.assemble(
        (SAME if moment.same_minute else f"{clock(row.created_at):<5}", DIM),
        " ",
        mark,
        glyph(row.type).content,
        " ",
    )
    title = plain(row.title or "untitled", HIDDEN if row.document_id < 0 else style)
    room = width - left.cell_length
    return left + edges(title, origins.tell(moment, width), room, pin(row))


def _widest(names: Iterable[str]) -> int:
    return min(WIDEST_NAME, max((plain(name).cell_length for name in set(names)), default=0))
