"""Which summaries of past sessions are told, and what each comes to.

Next to nothing is imported: a hook's process asks it.
"""

from __future__ import annotations

from itertools import chain, islice

from ..fields import FIELDS
from ..search.listing.document_sql import (
    SUMMARIES,
    SUMMARIES_OF_PROGRAMS,
    SUMMARIES_OF_SESSION,
    SUMMARY,
    TOPICS,
)
from ..text.language.asking import asks_something
from ..text.language.noise import gave_up
from ..text.truncation import shortened
from .pieces import Piece, pieces_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    import apsw

    from .scope import SessionScope

MOST = 5
"""So many sessions are told of."""
ENDS = ".!?:;…。！？：；，"
HEADLINE, COMPACTED = 200, 1_100
"""Characters of what a session was about, and of what an agent wrote of it."""
OLD = 450
"""Characters of one field of the sessions before the last."""
LONGEST: dict[str, int] = {field.topic: field.longest for field in FIELDS["summary"] if field.topic}
"""Characters of a field of the last session, by its topic."""
MINOR = ("Failed to read",)
"""How the lines begin that tell of no trouble."""
LATEST = 4
"""Of so many sessions it is told what was left; what older ones left is done by now, or forgotten."""
FADES = 0.8
"""What a summary weighs less than that of the session after it."""
WEIGHTS = {"Left": 1.5, "Found": 2.0, "Done": 1.0, "Summary": 0.5}
"""What a summary's field weighs beside others."""
LABELS = {
    "left": "Left", "found": "Found", "asked": "Asked", "done": "Done", "trouble": "Still wrong",
    "all": "Summary",
}  # fmt: skip
"""The label before the pieces of each topic, in the order of the block."""


class SummaryText:
    """A session's summary as it is told: what it was about, and pieces by field."""

    __slots__ = ("at", "headline", "id", "is_asked", "is_whole", "pieces", "session")

    def __init__(self, id: int, at: int, session: int, said: dict[str, str], is_last: bool) -> None:
        self.id = id
        self.at = at
        self.session = session
        self.is_whole = bool(said["all"])
        said = {topic: _without_given_up(text) for topic, text in said.items()}
        """Whether it is one text, as agents write it when they compact a session."""
        asked = pieces_of(said["asked"], LONGEST["asked"])
        self.is_asked = bool(asked)
        if not any(asks_something(piece.text) for piece in asked):
            # "Ok, do it" tells nobody what a session was about; what came of it does.
            came = (
                piece for topic in ("done", "found") for piece in pieces_of(said[topic], LONGEST[topic])
            )
            asked = [*came][:1] or asked
        self.headline, used = "", 0
        for piece in asked:
            if used and len(self.headline) + len(piece.text) > HEADLINE:
                break
            between = "; " if self.headline and self.headline[-1] not in ENDS else " "
            self.headline = f"{self.headline}{between}{piece.text}".strip()
            used += 1
        self.headline = shortened(self.headline, 2 * HEADLINE)
        self.pieces: list[Piece] = []
        for topic, label in LABELS.items():
            if topic == "asked":
                self.pieces += [Piece(item.text, item.start, label) for item in asked[used:]]
            else:
                longest = COMPACTED if topic == "all" else LONGEST[topic] if is_last else OLD
                self.pieces += pieces_of(said[topic], longest, label)

    def strike(self, done: Sequence[Piece]) -> None:
        """Leave out the steps that what was done later does."""
        self.pieces = [
            piece
            for piece in self.pieces
            if piece.label != LABELS["left"] or not any(did.gist.does(piece.gist) for did in done)
        ]

    def without_asked(self) -> SummaryText:
        """Return it without what was asked, of which the session's turns have told."""
        self.headline = ""
        self.pieces = [piece for piece in self.pieces if piece.label != LABELS["asked"]]
        return self

    @property
    def tells(self) -> bool:
        """Whether it tells something; where nothing was asked in words, an answer alone is of no use."""
        return self.is_asked or any(piece.label != LABELS["found"] for piece in self.pieces)

    @property
    def weight(self) -> float:
        """How much it tells."""
        return sum(WEIGHTS.get(label, 0) for label in {piece.label for piece in self.pieces})


def _without_given_up(text: str) -> str:
    """Return a field's lines but for those that tell of what was tried and given up."""
    return "\n".join(line for line in text.splitlines() if not gave_up(line))


def summaries_of(db: apsw.Connection, project: str, scope: SessionScope) -> Iterator[SummaryText]:
    """Yield the summaries that a starting session is told, the newest first: the last session's, with
    what the agent wrote when it was compacted, and of those before the ones that tell most and are
    not too old, one a session. Sessions that programs started come after those of people."""
    if scope.is_own:
        rows = db.execute(SUMMARIES_OF_SESSION, (scope.session,))
        yield from islice(_told(rows, scope), 2)
        return
    count = 0
    for text in _told(db.execute(SUMMARIES, (project,)), scope):
        count += 1
        yield text
    if count < MOST:
        programs = _told(db.execute(SUMMARIES_OF_PROGRAMS, (project,)), scope)
        worth = (summary_text for summary_text in programs if summary_text.pieces or not count)
        yield from islice(worth, MOST - count)


def _told(rows: Iterable[tuple[Any, ...]], scope: SessionScope) -> Iterator[SummaryText]:
    results: dict[int, list[SummaryText]] = {}
    done: dict[int, list[Piece]] = {}
    for row in rows:
        if scope.holds(row[2], row[1]):
            text = _summary(row, len(results))
            others = (pieces for session, pieces in done.items() if session != text.session)
            text.strike([*chain.from_iterable(others)])
            of_it = (piece for piece in text.pieces if piece.label == LABELS["done"])
            done.setdefault(text.session, []).extend(of_it)
            if text.tells:
                of_session = results.setdefault(text.session, [])
                if not any(text.is_whole == other.is_whole for other in of_session):
                    of_session.append(text)
    sessions = [sorted(each, key=lambda summary_text: summary_text.is_whole) for each in results.values()]
    weighed = sorted(range(1, len(sessions)), key=lambda place: -sessions[place][0].weight * FADES**place)
    for place in [0, *sorted(weighed[: MOST - 1])] if sessions else []:
        yield from sessions[place] if not place else sessions[place][:1]


def summary_of(db: apsw.Connection, number: int) -> SummaryText | None:
    """Return one summary; None where it isn't there."""
    row: Any = next(iter(db.execute(SUMMARY, (number,))), None)
    return None if row is None else _summary(row)


def _summary(row: tuple[Any, ...], age: int = 0) -> SummaryText:
    """Return the summary of a row; `age` counts the sessions after it."""
    id, at, session, *texts = row
    said: dict[str, str] = dict(zip(TOPICS, texts, strict=True))
    if said["done"] or said["found"] or said["left"]:
        said["all"] = ""
    if age >= LATEST:
        said["left"] = ""
    if age >= LATEST or said["trouble"].startswith(MINOR):
        said["trouble"] = ""
    return SummaryText(id, at, session, said, is_last=age < 1)
