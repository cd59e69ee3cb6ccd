"""How often agents were started in a project, and how many sub-agents their sessions started."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import apsw

STARTS = """
SELECT agent, count(*) FROM sessions
WHERE started_at >= :since AND deleted_at IS NULL
    AND (project_path = :folder OR substr(project_path, 1, length(:folder) + 1) = :folder || '/')
GROUP BY agent
"""
SUB_AGENTS = """
SELECT s.agent, count(*) FROM subagents a
JOIN sessions s ON s.agent = a.agent AND s.content_session_id = a.parent
WHERE s.started_at >= :since AND s.deleted_at IS NULL
    AND (s.project_path = :folder OR substr(s.project_path, 1, length(:folder) + 1) = :folder || '/')
GROUP BY s.agent
"""


def starts_in(db: apsw.Connection, folder: str, since: int) -> tuple[Counter[str], Counter[str]]:
    """Return by agent how many sessions were started in a folder and below since then (ms since the epoch),
    and how many sub-agents they started."""
    values = {"folder": folder.rstrip("/"), "since": since}
    starts, sub_agents = (
        Counter({str(agent): int(count) for agent, count in db.execute(sql, values)})
        for sql in (STARTS, SUB_AGENTS)
    )
    return starts, sub_agents
