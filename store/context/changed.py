"""What was decided otherwise since: the memories that tell of it, and what held before.

Next to nothing is imported: a hook's process asks it.
"""

from __future__ import annotations

import time

from ..kinds import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    import apsw

NO_LONGER = "(no longer holds)"
"""What is said of a reply on a decision that another one took the place of."""
IN_PART = "(superseded in part)"
"""What is said of the summary of a session in which it was taken."""

_DECIDED = f"""
SELECT p.session_id AS session, p.prompt_number AS number
FROM facts f, json_each(f.evidence) e JOIN prompts p ON p.uid = e.value
WHERE f.superseded_by IS NOT NULL AND f.project = ? AND {visible("f")}
"""
REPLIES = f"""
SELECT o.id FROM ({_DECIDED}) d JOIN observations o
    ON o.session_id = d.session AND o.prompt_number = d.number WHERE o.tool_name = 'reply'
"""
SUMMARIES = f"SELECT s.id FROM ({_DECIDED}) d JOIN summaries s ON s.session_id = d.session"
BEFORE = f"""
SELECT new.id, old.content, new.created_at FROM facts old JOIN facts new ON new.uid = old.superseded_by
WHERE old.superseded_by IS NOT NULL AND old.project = ? AND {visible("old")}
ORDER BY old.created_at
"""


def superseded_refs(db: apsw.Connection, project: str) -> dict[str, str]:
    """Return what is said of the memories of a project that tell of what no longer holds, by their refs.
    Raises apsw's errors."""
    results = {f"s{number}": IN_PART for (number,) in db.execute(SUMMARIES, (project,))}
    return results | {str(number): NO_LONGER for (number,) in db.execute(REPLIES, (project,))}


def held_before(db: apsw.Connection, project: str) -> dict[int, str]:
    """Return what held before a fact of a project, and until when, by the fact's id."""
    return {
        int(number): f"was until {time.strftime('%d %b', time.localtime(at / 1_000))}: {content}"
        for number, content, at in db.execute(BEFORE, (project,))
    }
