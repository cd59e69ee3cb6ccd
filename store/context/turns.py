"""The last session as its turns: what was asked in each, and what the agent answered.

Next to nothing is imported: a hook's process asks it.
"""

from __future__ import annotations

from ..search.listing.context_sql import LAST_SESSIONS, LONG_QUESTION, TURN_PROMPTS, TURN_REPLIES
from ..text.language.asking import asks_something
from ..text.truncation import shortened
from .wrapper import sanitize

TYPE_CHECKING = False
if TYPE_CHECKING:
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
