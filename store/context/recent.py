"""What is recent in a project: its last session as turns, and which of its newest observations are told.

Next to nothing is imported: a hook's process asks it.
"""

from __future__ import annotations

from ..search.listing.document_sql import (
    LAST_SESSIONS,
    LONG_QUESTION,
    OBSERVED,
    OBSERVED_IN_SESSION,
    TURN_PROMPTS,
    TURN_REPLIES,
)
from ..text.language.asking import asks_something
from ..text.truncation import shortened
from .wrapper import sanitize

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    import apsw

    from .scope import SessionScope


QUESTION, ALL_QUESTIONS = 110, 900
"""Characters that are told of what was asked, and of all questions together."""
REMARK = "finding"
"""The type of what is said on the way; a turn comes to its last reply, and what answered before that."""
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
        turns = turns_of(db, session)
        if any(turn.tells for turn in turns):
            return session, turns
    return 0, []


def turns_of(db: apsw.Connection, session: int) -> list[SessionTurn]:
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


MOST_FOUND, MOST_DONE = 10, 10
NEAR, FAR = 3_000, 1_000
"""Characters that are told of what the newest few say, and of what others do."""
NEAREST = 4
TITLE = 200
WEIGHTS = {
    "decision": 1.3, "finding": 1.2, "bugfix": 1.2, "answer": 1.0, "discovery": 1.0, "feature": 1.0,
    "refactor": 0.9, "change": 0.8, "plan": 0.8, "error": 0.9, "note": 1.3,
}  # fmt: skip
"""What an observation weighs by its type, beside others of its age."""
FADES = 0.93
"""What one weighs less than the one after it."""
STALE = 0.5
"""What one weighs of which a file has changed since."""


LOOKS = ("Searched", "Read ", "Listed", "Fetched", "Looked", "Failed to read")
"""How the titles of tool uses begin that only looked."""
FEW, DAY = 3, 86_400_000
"""So many are told of sessions before the last one, at most, and of those that were at most a day (ms)
before the newest."""


def observed(db: apsw.Connection, project: str, scope: SessionScope) -> list[Any]:
    """Return the newest observations of a scope, as rows of `document_sql.OBSERVED`."""
    if scope.is_own:
        rows = db.execute(OBSERVED_IN_SESSION, (scope.session,))
    else:
        rows = db.execute(OBSERVED, (project,))
    return [row for row in rows if scope.holds(row[2], row[1])]


def findings(rows: list[Any]) -> Iterator[tuple[int, int]]:
    """Yield the ids of what agents and users said, the newest first, each with the characters that are
    told of it: by its weight and age. Those of which a file has changed since come last."""
    said = [row for row in rows if _is_said(row)]
    ranked = sorted(range(len(said)), key=lambda place: -_weight(said[place]) * FADES**place)
    for place in sorted(ranked[:MOST_FOUND], key=lambda place: (said[place][9], place)):
        yield said[place][0], NEAR if place < NEAREST else FAR


def lately(rows: list[Any]) -> list[tuple[int, int, str, int]]:
    """Return the id, time and title of what tools did in the last session, and whether a file of it has
    changed since, the newest first, but after others what has: changes and failures, of each file and
    each command the last time. What only looked or checked is a step of its turn."""
    return sorted(_lately(rows), key=lambda row: row[3])


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
        same = file or shown.removeprefix("Failed: ").split(": ", 1)[0]
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


def _weight(row: tuple[Any, ...]) -> float:
    return WEIGHTS.get(row[3], 0.8) * (STALE if row[9] else 1.0)


def _is_said(row: tuple[Any, ...]) -> bool:
    """Whether somebody's words are told of it, the user's answer to a question among them."""
    return not row[6] or (row[3] in ("note", "decision") and bool(row[7]))
