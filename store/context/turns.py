"""The last session as its turns: what was asked in each, and what the agent's last words on it were.

Next to nothing is imported: a hook's process asks it.
"""

from __future__ import annotations

from ..kinds import REPLY, visible
from ..text.language.asking import asks_something
from ..text.truncation import shortened
from .wrapper import sanitize

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    import apsw

    from .scope import SessionScope

QUESTION, LONG_QUESTION, ALL_QUESTIONS = 110, 400, 900
"""Characters that are told of what was asked, of all where there are few, and of all of them together."""
LATEST = 200
"""So many of a project's newest documents are looked at for its last session."""
LATEST_IN_SESSION = 2_000
"""So many of a session's newest documents are looked at for its turns."""
READ = 3_200
"""Characters of a reply that are read."""
MOST_SESSIONS = 4
"""So many sessions in which nothing was asked are passed over."""

LAST_SESSIONS = f"""
SELECT session_id, max(created_at) AS at FROM (
    SELECT session_id, created_at FROM documents WHERE project = ?
    ORDER BY created_at DESC, id DESC LIMIT {LATEST}
) WHERE session_id IN (SELECT id FROM sessions WHERE automatic = 0)
GROUP BY session_id ORDER BY at DESC
"""
"""The sessions of a project's newest documents, but for those that programs started, and when each was
at work last."""

_IN_SESSION = f"""
SELECT kind, record_id FROM documents WHERE session_id = ? ORDER BY created_at DESC, id DESC
LIMIT {LATEST_IN_SESSION}
"""
PROMPTS = f"""
SELECT p.prompt_number, p.id, p.created_at, substr(p.text, 1, {2 * LONG_QUESTION})
FROM ({_IN_SESSION}) d JOIN prompts p ON p.id = d.record_id
WHERE d.kind = 'p' ORDER BY p.created_at, p.id
"""
REPLIES = f"""
SELECT coalesce(o.prompt_number, 0), o.id, o.created_at,
    substr(coalesce(nullif(o.narrative, ''), o.title, ''), 1, {READ})
FROM ({_IN_SESSION}) d JOIN observations o ON o.id = d.record_id
WHERE d.kind = 'o' AND o.tool_name = '{REPLY}' AND {visible("o")}
ORDER BY o.created_at, o.id
"""
"""The prompts, and the replies, of a session as far as they may be shown: the number of their turn, their
id, their time and their text, the oldest first."""


class Turn:
    """What was asked, "" where that isn't known, and the last reply, "" where there is none. `id` is the
    reply's, else the prompt's, as `is_answered` tells; `at` is when it was made (ms)."""

    __slots__ = ("at", "id", "is_answered", "question", "reply")

    def __init__(self, id: int, at: int, question: str, reply: str, is_answered: bool) -> None:
        self.id = id
        self.at = at
        self.question = question
        self.reply = reply
        self.is_answered = is_answered


def last_session(db: apsw.Connection, project: str, scope: SessionScope) -> tuple[int, list[Turn]]:
    """Return the last session of a project in which something was answered, and its turns in their
    order; 0 and none where there is no such session."""
    sessions = [
        int(session)
        for session, at in db.execute(LAST_SESSIONS, (project,))
        if scope.holds(session, at)
    ]
    for session in sessions[:MOST_SESSIONS]:
        turns = turns_of(db, session)
        if any(turn.is_answered and asks_something(turn.question) for turn in turns):
            return session, turns
    return 0, []


def turns_of(db: apsw.Connection, session: int) -> list[Turn]:
    """Return the turns of a session, the oldest first, but for those of which neither question nor
    answer tells anything."""
    asked: dict[int, list[Any]] = {}
    for number, *row in db.execute(PROMPTS, (session,)):
        asked.setdefault(int(number), row)
    replied: dict[int, list[Any]] = {
        int(number): row for number, *row in db.execute(REPLIES, (session,))
    }
    turns: list[Turn] = []
    longest = max(QUESTION, min(LONG_QUESTION, ALL_QUESTIONS // max(1, len(asked))))
    for number in sorted(asked.keys() | replied.keys()):
        question = ""
        if number in asked:
            question = shortened(sanitize(str(asked[number][2]), 2 * longest), longest)
        if number in replied:
            id, at, text = replied[number]
            turns.append(Turn(id, at, question, str(text), is_answered=True))
        elif asks_something(question):
            id, at, _ = asked[number]
            turns.append(Turn(id, at, question, "", is_answered=False))
    return turns
