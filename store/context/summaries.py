"""Which summaries of past sessions are told, and what each comes to.

Next to nothing is imported: a hook's process asks it.
"""

from __future__ import annotations

from itertools import islice

from ..search.listing.document_sql import (
    SUMMARIES,
    SUMMARIES_OF_PROGRAMS,
    SUMMARIES_OF_SESSION,
    SUMMARY,
)
from ..text.truncation import shortened
from .asking import asks_something
from .pieces import Piece, pieces_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    import apsw

    from .scope import SessionScope

MOST = 5
"""So many sessions are told of."""
ENDS = ".!?:;…。！？：；，"
HEADLINE, FIELD, COMPACTED = 200, 1_500, 1_100
"""Characters of what a session was about, of one field of its summary, and of what an agent wrote of it."""
OLD_FIELD = 450
"""Characters of one field of the sessions before the last."""
MINOR = ("Failed to read",)
"""How the lines begin that tell of no trouble."""
LATEST = 4
"""Of so many sessions it is told what was left; what older ones left is done by now, or forgotten."""
FADES = 0.8
"""What a summary weighs less than that of the session after it."""
WEIGHTS = {"Left": 1.5, "Decided": 2.0, "Found": 2.0, "Done": 1.0, "Summary": 0.5}
"""What a summary's field weighs beside others."""
LABELS = ("Left", "Found", "Asked", "Done", "Still wrong", "Summary")


class SummaryText:
    """A session's summary as it is told: what it was about, and pieces by field."""

    __slots__ = ("at", "headline", "id", "is_whole", "pieces", "session")

    def __init__(
        self, id: int, at: int, session: int, fields: dict[str, str], longest: int
    ) -> None:
        self.id = id
        self.at = at
        self.session = session
        self.is_whole = "Summary" in fields
        """Whether it is one text, as agents write it when they compact a session."""
        asked = pieces_of(fields.pop("Asked"), FIELD)
        if not any(asks_something(piece.text) for piece in asked):
            # "Ok, do it" tells nobody what a session was about; what came of it does.
            came = [
                *pieces_of(fields.get("Done", ""), FIELD),
                *pieces_of(fields.get("Found", ""), FIELD),
            ]
            asked = came[:1] or asked
        self.headline, used = "", 0
        for piece in asked:
            if used and len(self.headline) + len(piece.text) > HEADLINE:
                break
            between = "; " if self.headline and self.headline[-1] not in ENDS else " "
            self.headline = f"{self.headline}{between}{piece.text}".strip()
            used += 1
        self.headline = shortened(self.headline, 2 * HEADLINE)
        self.pieces: list[Piece] = []
        for label in LABELS:
            if label == "Asked":
                self.pieces += [Piece(one.text, one.start, label) for one in asked[used:]]
            else:
                most = COMPACTED if label == "Summary" else longest
                self.pieces += pieces_of(fields.get(label, ""), most, label)

    @property
    def weight(self) -> float:
        """How much it tells."""
        return sum(WEIGHTS.get(label, 0) for label in {piece.label for piece in self.pieces})


def summaries_of(db: apsw.Connection, project: str, scope: SessionScope) -> Iterator[SummaryText]:
    """Yield the summaries that a starting session is told, the newest first: the last session's, with
    what the agent wrote when it was compacted, and of those before the ones that tell most and are
    not too old, one a session. Sessions that programs started come after those of people."""
    if scope.is_own:
        rows = db.execute(SUMMARIES_OF_SESSION, (scope.session,))
        yield from islice(_told(rows, scope), 2)
        return
    count = 0
    for one in _told(db.execute(SUMMARIES, (project,)), scope):
        count += 1
        yield one
    if count < MOST:
        programs = _told(db.execute(SUMMARIES_OF_PROGRAMS, (project,)), scope)
        worth = (one for one in programs if one.pieces or not count)
        yield from islice(worth, MOST - count)


def _told(rows: Iterable[tuple[Any, ...]], scope: SessionScope) -> Iterator[SummaryText]:
    found: dict[int, list[SummaryText]] = {}
    for row in rows:
        if scope.holds(row[2], row[1]):
            one = _summary(row, len(found))
            if one.headline or one.pieces:
                of_session = found.setdefault(one.session, [])
                if not any(one.is_whole == other.is_whole for other in of_session):
                    of_session.append(one)
    sessions = [sorted(each, key=lambda one: one.is_whole) for each in found.values()]
    weighed = sorted(
        range(1, len(sessions)), key=lambda place: -sessions[place][0].weight * FADES**place
    )
    for place in [0, *sorted(weighed[: MOST - 1])] if sessions else []:
        yield from sessions[place] if not place else sessions[place][:1]


def summary_of(db: apsw.Connection, number: int) -> SummaryText | None:
    """Return one summary; None where it isn't there."""
    row: Any = next(iter(db.execute(SUMMARY, (number,))), None)
    return None if row is None else _summary(row)


def _summary(row: tuple[Any, ...], age: int = 0) -> SummaryText:
    """Return the summary of a row; `age` counts the sessions after it."""
    is_late = age < LATEST
    id, at, session, request, left, learned, done, notes, text, _ = row
    fields = {
        "Asked": request or "",
        "Left": (left or "") if is_late else "",
        "Found": learned or "",
        "Done": done or "",
        "Still wrong": "" if not is_late or str(notes or "").startswith(MINOR) else notes or "",
    }
    if text and not (done or learned or left):
        fields["Summary"] = text
    return SummaryText(id, at, session, fields, FIELD if age < 1 else OLD_FIELD)
