"""Append to the context log what a session was given, at next to no cost; a locked memory goes
without.
"""

from __future__ import annotations

import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    import apsw

    from .wrapper import Context


KEPT = 500
"""So many of the newest entries are kept."""

LONGEST = 200
"""Characters of a session's name."""

MOMENT_MS = 5_000
"""So long after a session was told at an occasion, it is told nothing at the same one: its hooks are
registered more than once."""

STARTUP, PROMPT, FILE = "startup", "prompt", "file"
"""Occasions; a session that starts again is told at "resume", "clear" or "compact"."""
NEW = ("", "new")
"""What agents also call the start of a new session."""

INSERT = f"""
INSERT INTO given_contexts (at, agent, session, project, tokens, refs, occasion)
SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 WHERE ?3 = '' OR NOT EXISTS (
    SELECT 1 FROM given_contexts WHERE session = ?3 AND agent = ?2 AND occasion = ?7
    AND abs(?1 - at) < {MOMENT_MS} AND ?7 NOT IN ('{PROMPT}', '{FILE}')
)
"""
BOUND = f"DELETE FROM given_contexts WHERE id <= last_insert_rowid() - {KEPT}"
TOLD = """
SELECT DISTINCT value FROM given_contexts, json_each(refs) WHERE session = ? AND agent = ?
"""


class Logged:
    """Whether an entry was made, and whether the session was told the same a moment ago."""

    __slots__ = ("is_again", "is_made")

    def __init__(self, is_made: bool, is_again: bool = False) -> None:
        self.is_made = is_made
        self.is_again = is_again

    def __bool__(self) -> bool:
        return self.is_made


def append_log_entry(
    db: apsw.Connection,
    agent: str,
    session: str,
    project: str,
    context: Context,
    occasion: object = STARTUP,
) -> Logged:
    """Log which memories a session of an agent is given at an occasion.

    Of several that log the same start at once one makes the entry, and the others learn of it.
    """
    import apsw

    named = occasion if isinstance(occasion, str) and occasion not in NEW else STARTUP
    refs = ",".join(f'"{ref}"' for ref in context.refs)
    values = (
        time.time_ns() // 1_000_000,
        agent,
        session[:LONGEST],
        project,
        context.tokens,
        f"[{refs}]",
        named[:LONGEST],
    )
    try:
        with db:
            db.execute(INSERT, values)
            if not db.changes():
                return Logged(False, is_again=True)
            db.execute(BOUND)
    except (apsw.Error, ValueError):
        # The session has its answer, which matters more.
        return Logged(False)
    return Logged(True)


def told_refs(db: apsw.Connection, agent: str, session: str) -> frozenset[str]:
    """Return the refs of what a session was given so far. Raises apsw's errors."""
    if not session:
        return frozenset()
    return frozenset(str(ref) for (ref,) in db.execute(TOLD, (session[:LONGEST], agent)))
