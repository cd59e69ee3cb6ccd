"""New rows: the INSERT of a table, and the session of what was added by hand.

Next to nothing is imported: the lean `mem add` pays for every import.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


LIVE_SESSION = """
SELECT id, project FROM sessions
WHERE agent = ? AND project = ? AND status = 'active' AND private = 0 AND deleted_at IS NULL
    AND max(started_at, coalesce(
        (SELECT max(d.created_at) FROM documents d WHERE d.session_id = sessions.id), 0
    )) > ?
ORDER BY started_at DESC, id DESC LIMIT 1
"""
"""The newest session of an agent in a project that goes on, if anything happened in it after a moment
(ms): of one that was imported today all may be old."""

LIVE_MS = 86_400_000
"""For how long a session that nobody ended counts as live."""


def insert_statement(table: str, columns: Iterable[str]) -> str:
    """Return the INSERT … RETURNING id of a row with these columns, each bound by its name. Other
    columns get what the schema says."""
    names = tuple(columns)
    bound = ", ".join(f":{name}" for name in names)
    return f"INSERT INTO {table} ({', '.join(names)}) VALUES ({bound}) RETURNING id"


def manual_session(project: str) -> str:
    """Return the content id of the session that takes what was added to a project by hand."""
    return f"manual-{project or 'notes'}"
