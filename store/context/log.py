"""Append to the context log what a session was given, at next to no cost; a locked memory goes
without.
"""

from __future__ import annotations

import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    import apsw

    from .block import Context


KEPT = 500
"""So many of the newest entries are kept."""

LONGEST = 200
"""Characters of a session's name."""

INSERT = """
INSERT INTO given_contexts (at, agent, session, project, tokens, refs) VALUES (?, ?, ?, ?, ?, ?)
"""
BOUND = f"DELETE FROM given_contexts WHERE id <= last_insert_rowid() - {KEPT}"


def append_log_entry(
    db: apsw.Connection, agent: str, session: str, project: str, given: Context
) -> bool:
    """Log which memories a session of an agent was given; return whether that could be done."""
    import apsw

    refs = ",".join(f'"{ref}"' for ref in given.refs)
    values = (
        time.time_ns() // 1_000_000,
        agent,
        session[:LONGEST],
        project,
        given.tokens,
        f"[{refs}]",
    )
    try:
        with db:
            db.execute(INSERT, values)
            db.execute(BOUND)
    except (apsw.Error, ValueError):
        # The session has its answer, which matters more.
        return False
    return True
