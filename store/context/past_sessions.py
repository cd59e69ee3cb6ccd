"""What a context tells of past sessions: the turns of the last one, which of the newest observations,
which summaries, and what each comes to.

Next to nothing is imported: a hook's process asks it.
"""

from __future__ import annotations

from itertools import chain, islice

from ..records.fields import FIELDS
from ..search.listing.document_sql import (
    LAST_SESSIONS,
    LONG_QUESTION,
    OBSERVED,
    OBSERVED_IN_SESSION,
    PROMPTS,
    REPLIES_TO,
    SUMMARIES,
    SUMMARIES_OF_PROGRAMS,
    SUMMARIES_OF_SESSION,
    SUMMARY,
    TOPICS,
    TURN_PROMPTS,
    TURN_REPLIES,
)
from ..text.language.phrases import asks_something, gave_up, repeats, wishes
from ..text.truncation import shortened
from .log import TOLD_AT_STARTS
from .pieces import Piece, pieces_of
from .wrapper import sanitize

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    import apsw

    from .scope import SessionScope
MOST_SESSIONS = 4
"""So many sessions in which nothing was asked are passed over."""


class SessionTurn:
    """What was asked, "" where that isn't known, and the `text` of the last reply; where there is none, the
    text is the prompt's alone. `id` is that of the text, as `is_answered` tells; `at` is when it was made
    (ms)."""

    __slots__ = ("at", "id", "is_answered", "question", "text")

    def __init__(self, id: int, at: int, question: str, text: str, is_answered: bool) -> None:
        self.id = id
        self.at = at
        self.question = question
        self.text = text
        self.is_answered = is_answered

    @property
    def tells(self) -> bool:
        """Whether it answers something, as far as that is known."""
        return self.is_answered and (not self.question or asks_something(self.question))


def last_session(db: apsw.Connection, project: str, scope: SessionScope) -> tuple[int, list[SessionTurn]]:
    """Return the last session of a project in which something was answered, and its turns in their
    order; 0 and none where there is no such session."""
    sessions = [
        int(session) for session, at in db.execute(LAST_SESSIONS, (project,)) if scope.holds(session, at)
    ]
    for session in sessions[:MOST_SESSIONS]:
        turns = _turns_of(db, session)
        if any(turn.tells for turn in turns):
            return session, turns
    return 0, []


MOST_FOUND, MOST_DONE = 10, 10


def observed(db: apsw.Connection, project: str, scope: SessionScope) -> list[Any]:
    """Return the newest observations of a scope, as rows of `document_sql.OBSERVED`."""
    sql, of = (OBSERVED_IN_SESSION, scope.session) if scope.is_own else (OBSERVED, project)
    return [row for row in db.execute(sql, (of,)) if scope.holds(row[2], row[1])]


def findings(rows: list[Any]) -> list[int]:
    """Return the ids of what agents and users said last, the newest first, but after others that of which
    a file has changed since."""
    said = [row for row in rows if _is_said(row)][:MOST_FOUND]
    return [row[0] for row in sorted(said, key=lambda row: row[9])]


def lately(rows: list[Any]) -> list[tuple[int, int, str, int]]:
    """Return the id, time and title of what tools did in the last session, and whether a file of it has
    changed since, the newest first, but after others what has: changes and failures, of each file and
    each command the last time. What only looked or checked is a step of its turn."""
    return sorted(_lately(rows), key=lambda row: row[3])


MOST = 4
"""So many sessions are told of; what older ones left is done by now, or forgotten."""
ENDS = ".!?:;…。！？：；，"
HEADLINE, COMPACTED = 200, 1_100
"""Characters of what a session was about, and of what an agent wrote of it."""
OLD = 450
"""Characters of one field of the sessions before the last."""
LONGEST: dict[str, int] = {field.topic: field.longest for field in FIELDS["summary"] if field.topic}
"""Characters of a field of the last session, by its topic."""
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
        """Whether it is one text, as agents write it when they compact a session."""
        # What was tried and given up isn't told.
        said = {
            topic: "\n".join(line for line in text.splitlines() if not gave_up(line))
            for topic, text in said.items()
        }
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
    def came_to_something(self) -> bool:
        """Whether it tells more than what was asked."""
        return any(piece.label != LABELS["asked"] for piece in self.pieces)


def summaries_of(db: apsw.Connection, project: str, scope: SessionScope) -> Iterator[SummaryText]:
    """Yield the summaries that a starting session is told, the newest first: the last session's, with
    what the agent wrote when it was compacted, and one of each of those before. Sessions that programs
    started come after those of people."""
    if scope.is_own:
        rows = db.execute(SUMMARIES_OF_SESSION, (scope.session,))
        yield from islice(_told(rows, scope), 2)
        return
    summaries = [*_told(db.execute(SUMMARIES, (project,)), scope)]
    yield from summaries
    programs = _told(db.execute(SUMMARIES_OF_PROGRAMS, (project,)), scope)
    worth = (summary for summary in programs if summary.pieces or not summaries)
    yield from islice(worth, max(0, MOST - len(summaries)))


def summary_of(db: apsw.Connection, number: int) -> SummaryText | None:
    """Return one summary; None where it isn't there."""
    row: Any = next(iter(db.execute(SUMMARY, (number,))), None)
    return None if row is None else _summary(row)


WISH, LEAST_WISH, WORDS = 200, 40, 3
"""Characters that are told of what one prompt wants, and of a sentence of it, at least; and words that a
sentence has at least which carry meaning."""
WISH_FADES, TOLD_FADES = 0.9, 0.8
"""What a wish weighs less for each session after it, and for each start at which it was told."""


def wishes_of(
    db: apsw.Connection, project: str, scope: SessionScope, last: int
) -> Iterator[tuple[int, int, list[Piece]]]:
    """Yield what the user wanted in the sessions of a project before the last one, the weightiest first:
    the id and time (ms) of a prompt, and its sentences that say how something is to be; nothing of what
    was given up, or of a pasted log."""
    told: dict[str, int] = dict(db.execute(TOLD_AT_STARTS, (project,)))
    ages: dict[int, int] = {last: 0}
    weighed: list[tuple[float, int, int, Any]] = []
    for number, at, session, text in db.execute(PROMPTS, (project,)):
        age = ages.setdefault(session, len(ages))
        if session != last and scope.holds(session, at):
            weight = WISH_FADES**age * TOLD_FADES ** told.get(f"p{number}", 0)
            weighed.append((weight, number, at, text))
    for _, number, at, text in sorted(weighed, key=lambda row: -row[0]):
        if pieces := _wishes_in(str(text or "")):
            replies = [str(reply or "") for (reply,) in db.execute(REPLIES_TO, (number,))]
            if not any(repeats(reply) or gave_up(reply) for reply in replies):
                yield number, at, pieces


def _wishes_in(text: str) -> list[Piece]:
    """Return the sentences of a prompt that say how something is to be, as many as are told."""
    pieces: list[Piece] = []
    free = WISH
    for piece in pieces_of(text, 2 * WISH) if wishes(text) and not repeats(text) else ():
        if free > 0 and wishes(piece.text) and piece.gist.size >= WORDS:
            pieces.append(Piece(shortened(piece.text, max(free, LEAST_WISH))))
            free -= len(pieces[-1].text)
    return pieces


QUESTION, ALL_QUESTIONS = 110, 900
"""Characters that are told of what was asked, and of all questions together."""
REMARK = "finding"
"""The type of what is said on the way; a turn comes to its last reply, and what answered before that."""


def _turns_of(db: apsw.Connection, session: int) -> list[SessionTurn]:
    """Return the turns of a session, the oldest first, but for those of which neither question nor
    answer tells anything."""
    asked: dict[int, list[Any]] = {}
    for number, *row in db.execute(TURN_PROMPTS, (session,)):
        asked.setdefault(number, row)
    replied: dict[int, list[Any]] = {}
    for number, id, at, text, type in db.execute(TURN_REPLIES, (session,)):
        _, _, before, kind = replied.get(number, (0, 0, "", REMARK))
        replied[number] = [id, at, text if kind == REMARK else f"{before}\n{text}", type]
    turns: list[SessionTurn] = []
    longest = max(QUESTION, min(LONG_QUESTION, ALL_QUESTIONS // max(1, len(asked))))
    for number in sorted(asked.keys() | replied.keys()):
        question = ""
        if number in asked:
            question = shortened(sanitize(asked[number][2], 2 * longest), longest)
        if number in replied:
            id, at, text, _ = replied[number]
            turns.append(SessionTurn(id, at, question, text, is_answered=True))
        elif asks_something(question):
            id, at, text = asked[number]
            turns.append(SessionTurn(id, at, "", text, is_answered=False))
    return turns


TITLE = 200

LOOKS = ("Searched", "Read ", "Listed", "Fetched", "Looked", "Failed to read")
"""How the titles of tool uses begin that only looked."""
FEW, DAY = 3, 86_400_000
"""So many are told of sessions before the last one, at most, and of those that were at most a day (ms)
before the newest."""


def _lately(rows: list[Any]) -> Iterator[tuple[int, int, str, int]]:
    seen: set[str] = set()
    result, is_checked = 0, False
    newest, last = rows[0][1:3] if rows else (0, None)
    for row in rows:
        number, at, session, type, title, subtitle, _, has_facts, file, is_stale = row
        if session != last and (result >= FEW or newest - at > DAY):
            # What sessions before came to, their summaries tell.
            return
        if _is_said(row):
            continue
        shown = shortened(sanitize(title.strip().split("\n", 1)[0], 2 * TITLE), TITLE)
        same = file or _command_of(shown)
        is_known = same in seen
        seen.add(same)
        if type == "discovery":
            is_checked |= bool(has_facts) and not is_known and not shown.startswith(LOOKS)
            continue
        if not (has_facts or file or ": " in shown):
            # Nothing is known of what came of it.
            continue
        # What failed before a check that passed is mended by now.
        if is_known or not shown or (type == "error" and (is_checked or shown.startswith(LOOKS))):
            continue
        if type == "error" and subtitle and ": " not in shown.removeprefix("Failed: "):
            shown = f"{shown}: {shortened(sanitize(subtitle, 2 * TITLE), TITLE)}"
        yield number, at, shown, is_stale
        result += 1
        if result >= MOST_DONE:
            return


def _command_of(title: str) -> str:
    """Return a title without how it ended: "Run the check" of "Failed: Run the check (AssertionError)"."""
    command = title.removeprefix("Failed: ")
    return (command if command == title else command.split(" (", 1)[0]).split(": ", 1)[0]


def _is_said(row: tuple[Any, ...]) -> bool:
    """Whether somebody's words are told of it, the user's answer to a question among them."""
    return not row[6] or (row[3] in ("note", "decision") and bool(row[7]))


def _told(rows: Iterable[tuple[Any, ...]], scope: SessionScope) -> Iterator[SummaryText]:
    results: dict[int, list[SummaryText]] = {}
    done: dict[int, list[Piece]] = {}
    for row in rows:
        if len(results) == MOST and row[2] not in results:
            break
        if scope.holds(row[2], row[1]):
            text = _summary(row, is_last=not results)
            others = (pieces for session, pieces in done.items() if session != text.session)
            text.strike([*chain.from_iterable(others)])
            of_it = (piece for piece in text.pieces if piece.label == LABELS["done"])
            done.setdefault(text.session, []).extend(of_it)
            if text.tells and (text.came_to_something or not results):
                of_session = results.setdefault(text.session, [])
                if not any(text.is_whole == other.is_whole for other in of_session):
                    of_session.append(text)
    for place, of_session in enumerate(results.values()):
        ordered = sorted(of_session, key=lambda summary_text: summary_text.is_whole)
        yield from ordered[:1] if place else ordered


def _summary(row: tuple[Any, ...], *, is_last: bool = True) -> SummaryText:
    id, at, session, *texts = row
    said: dict[str, str] = dict(zip(TOPICS, texts, strict=True))
    if said["done"] or said["found"] or said["left"]:
        said["all"] = ""
    if said["trouble"].startswith(LOOKS):
        said["trouble"] = ""
    return SummaryText(id, at, session, said, is_last)
