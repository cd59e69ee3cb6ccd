"""What of a project a starting session is told: all that matters, what it doesn't hold yet, or what it
lost.

Next to nothing is imported: a hook's process asks it.
"""

from __future__ import annotations

from ..search.listing.document_sql import SESSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    import apsw

RESUMED = frozenset(("resume", "resumed"))
COMPACTED = frozenset(("compact", "compacted", "compaction"))
"""What agents call the source of such a start."""

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


ALL = SessionScope()


def scope_of(
    db: apsw.Connection, agent: str, session: str, source: object, before: int = EVER
) -> SessionScope:
    """Return what a session is told that starts for a reason (`source`, as the agent's hook names it);
    what it was given counts only before a time (ms).

    A resumed one holds what it was given and what it did itself. A compacted one has lost what it did.
    One that nothing is known of is as good as new.
    """
    if source not in RESUMED and source not in COMPACTED:
        return ALL
    row: object = db.execute(SESSION, (session, agent)).get
    if not isinstance(row, int):
        return ALL
    if source in COMPACTED:
        return SessionScope(row, is_own=True)
    since: object = db.execute(GIVEN, (session, agent, before)).get
    return SessionScope(row, since if isinstance(since, int) else 0)
