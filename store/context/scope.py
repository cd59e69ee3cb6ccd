"""What of a project a starting session is told: all that matters, what it doesn't hold yet, or what it
lost; and which of it is not to be relied on, for it was reported as wrong or decided otherwise since.

Next to nothing is imported: a hook's process asks it.
"""

from __future__ import annotations

import time

from ..records import kinds
from ..records.kinds import KINDS
from ..search.listing.document_sql import (
    HELD_BEFORE,
    SESSION,
    SUPERSEDED_PROMPTS,
    SUPERSEDED_REPLIES,
    SUPERSEDED_SUMMARIES,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    import apsw

RESUMED = frozenset(("resume", "resumed"))
COMPACTED = frozenset(("compact", "compacted", "compaction"))
FORKED = frozenset(("fork", "forked"))
"""What agents call the source of such a start."""
PARENT = """
SELECT id, content_session_id FROM sessions
WHERE agent = ? AND project = ? AND content_session_id <> ? AND created_at < ?
ORDER BY created_at DESC, id DESC LIMIT 1
"""
"""The session that a fork most likely continues, which its start doesn't name."""
FROM_OTHERS = """
SELECT 1 FROM fact_sources WHERE fact_id = ? AND deleted_at IS NULL
AND session IS NOT (SELECT content_session_id FROM sessions WHERE id = ?)
"""

GIVEN = """
SELECT max(at) FROM given_contexts
WHERE session = ? AND agent = ? AND at < ? AND occasion NOT IN ('prompt', 'file')
"""
EVER = 1 << 62


class SessionScope:
    """Whose memories are told. `session` is the row of the session that starts again, None for a new
    one. With `is_own` only its own are; else only those that others have made after `since`."""

    __slots__ = ("is_own", "session", "since")

    def __init__(self, session: int | None = None, since: int = 0, is_own: bool = False) -> None:
        self.session = session
        self.since = since
        self.is_own = is_own

    def holds(self, session: int | None, at: int) -> bool:
        """Return whether a memory of a session, made at a time (ms since the epoch), is to be told."""
        if self.session is None:
            return True
        return session == self.session if self.is_own else session != self.session and at > self.since

    def holds_fact(self, db: apsw.Connection, fact: int, at: int) -> bool:
        """Return whether a fact is to be told: of a session that starts again only what others told."""
        is_from_others = not self.session or db.execute(FROM_OTHERS, (fact, self.session)).get is not None
        return self.holds(None, at) and is_from_others


ALL = SessionScope()


def scope_of(
    db: apsw.Connection, agent: str, project: str, session: str, source: object, before: int = EVER
) -> SessionScope:
    """Return what a session of a project is told that starts for a reason (`source`, as the agent's hook
    names it); what it was given counts only before a time (ms).

    A resumed one holds what it was given and what it did itself, a fork what its parent holds. A
    compacted one has lost what it did. One that nothing is known of is as good as new.
    """
    if source in FORKED:
        for row, parent in db.execute(PARENT, (agent, project, session, before)):
            return _resumed(db, row, parent, agent, before)
    if source not in RESUMED and source not in COMPACTED:
        return ALL
    row = db.execute(SESSION, (session, agent)).get
    if not isinstance(row, int):
        return ALL
    if source in COMPACTED:
        return SessionScope(row, is_own=True)
    return _resumed(db, row, session, agent, before)


def _resumed(db: apsw.Connection, row: int, session: str, agent: str, before: int) -> SessionScope:
    since: object = db.execute(GIVEN, (session, agent, before)).get
    return SessionScope(row, since if isinstance(since, int) else 0)


REPORTED_WRONG = "(reported wrong)"
"""What is said of such a memory."""
WRONG = "SELECT kind, record_id FROM reported_memories WHERE verdict = 'wrong'"


def refs_reported_wrong(db: apsw.Connection) -> frozenset[str]:
    """Return the refs of all memories that are reported as wrong; there are few. Raises apsw's errors."""
    return frozenset(kinds.ref(KINDS[kind], number) for kind, number in db.execute(WRONG))


NO_LONGER = "(no longer holds)"
"""What is said of the prompt and the reply of a decision that another one took the place of."""
IN_PART = "(superseded in part)"
"""What is said of the summary of a session in which it was taken."""


def superseded_refs(db: apsw.Connection, project: str) -> dict[str, str]:
    """Return what is said of the memories of a project that tell of what no longer holds, by their refs.
    Raises apsw's errors."""
    refs = {f"s{number}": IN_PART for (number,) in db.execute(SUPERSEDED_SUMMARIES, (project,))}
    refs |= {f"p{number}": NO_LONGER for (number,) in db.execute(SUPERSEDED_PROMPTS, (project,))}
    return refs | {str(number): NO_LONGER for (number,) in db.execute(SUPERSEDED_REPLIES, (project,))}


def held_before(db: apsw.Connection, project: str) -> dict[int, str]:
    """Return what held before a fact of a project, and until when, by the fact's id."""
    return {
        number: f"was until {_day(at)}: {content}"
        for number, content, at in db.execute(HELD_BEFORE, (project,))
    }


LAST_MOMENT = 253_402_000_000_000
"""The end of the year 9999, in ms since the epoch."""


def _day(at: int) -> str:
    # A damaged row may have a time that no calendar has.
    return time.strftime("%d %b", time.localtime(max(0, min(at, LAST_MOMENT)) / 1_000))
