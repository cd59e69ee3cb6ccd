"""The statements by which contexts read what was decided otherwise since, and the last session's turns.

Next to nothing is imported: a hook's process asks them.
"""

from __future__ import annotations

from ...kinds import REPLY, WITHHELD, visible

LATEST = 200
"""So many of a project's newest documents are looked at for its last session."""
LATEST_IN_SESSION = 2_000
"""So many of a session's newest documents are looked at for its turns."""
READ = 3_200
"""Characters of a reply that are read."""
LONG_QUESTION = 400
"""Characters that are shown at most of what was asked; twice as many are read."""

_DECIDED = f"""
SELECT p.session_id AS session, p.prompt_number AS number, p.id AS prompt
FROM facts f, json_each(f.evidence) e JOIN prompts p ON p.uid = e.value
WHERE f.superseded_by IS NOT NULL AND f.project = ? AND {visible("f")}
"""
SUPERSEDED_REPLIES = f"""
SELECT o.id FROM ({_DECIDED}) d JOIN observations o
    ON o.session_id = d.session AND o.prompt_number = d.number WHERE o.tool_name = '{REPLY}'
"""
SUPERSEDED_PROMPTS = f"SELECT prompt FROM ({_DECIDED})"
SUPERSEDED_SUMMARIES = f"SELECT s.id FROM ({_DECIDED}) d JOIN summaries s ON s.session_id = d.session"
HELD_BEFORE = f"""
SELECT new.id, CAST(old.content AS TEXT), CAST(new.created_at AS INTEGER)
FROM facts old JOIN facts new ON new.uid = old.superseded_by
WHERE old.superseded_by IS NOT NULL AND old.project = ? AND {visible("old")}
ORDER BY old.created_at
"""
LAST_SESSIONS = f"""
SELECT session_id, max(created_at) AS at FROM (
    SELECT session_id, created_at FROM documents WHERE project = ?
    ORDER BY created_at DESC, id DESC LIMIT {LATEST}
) WHERE (SELECT automatic FROM sessions WHERE id = session_id) = 0
    AND NOT {WITHHELD.format(kind="'@'", number="session_id")}
GROUP BY session_id ORDER BY at DESC
"""
"""The sessions of a project's newest documents, but for those that programs started, and when each was
at work last."""

_IN_SESSION = f"""
SELECT kind, record_id FROM documents WHERE session_id = ? ORDER BY created_at DESC, id DESC
LIMIT {LATEST_IN_SESSION}
"""
TURN_PROMPTS = f"""
SELECT CAST(coalesce(p.prompt_number, 0) AS INTEGER), p.id, CAST(p.created_at AS INTEGER),
    substr(CAST(p.text AS TEXT), 1, {2 * LONG_QUESTION})
FROM ({_IN_SESSION}) d JOIN prompts p ON p.id = d.record_id
WHERE d.kind = 'p' ORDER BY p.created_at, p.id
"""
TURN_REPLIES = f"""
SELECT CAST(coalesce(o.prompt_number, 0) AS INTEGER), o.id, CAST(o.created_at AS INTEGER),
    substr(CAST(coalesce(nullif(o.narrative, ''), o.title, '') AS TEXT), 1, {READ}), o.type
FROM ({_IN_SESSION}) d JOIN observations o ON o.id = d.record_id
WHERE d.kind = 'o' AND o.tool_name = '{REPLY}' AND {visible("o")}
ORDER BY o.created_at, o.id
"""
"""The prompts, and the replies, of a session as far as they may be shown: the number of their turn, their
id, their time and their text, the oldest first."""
ASKED_FOR = """
SELECT o.id, substr(CAST(p.text AS TEXT), 1, 1200)
FROM json_each(?) one JOIN observations o ON o.id = one.value
JOIN prompts p ON p.session_id = o.session_id AND p.prompt_number = o.prompt_number
"""
"""What was asked in the turns of replies, by the replies' ids as a JSON list."""
