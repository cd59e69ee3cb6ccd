"""The rows that a context is made of, as SQL: of a project, and only what is not hidden.

What is pinned, held true or noted without any project is for all of them.
"""

from __future__ import annotations

from ..titles import TITLE

SUREST = 0.5
"""The least confidence of a fact that is told."""

MOST_TEXT = 2_000
"""Characters of a text or note that are read."""

TEXT = f"""
CASE d.kind
    WHEN 'o' THEN (
        SELECT substr(coalesce(nullif(narrative, ''), nullif(text, ''), subtitle, ''), 1, {MOST_TEXT})
            || coalesce((SELECT ' · ' || group_concat(value, '; ') FROM json_each(facts)), '')
        FROM observations WHERE id = d.record_id
    )
    WHEN 'f' THEN (SELECT confidence FROM facts WHERE id = d.record_id)
    ELSE ''
END
"""
SIZE = """
CASE d.kind WHEN 'o' THEN (
    SELECT length(coalesce(title, '')) + length(coalesce(narrative, '')) + length(coalesce(text, ''))
        + length(facts)
    FROM observations WHERE id = d.record_id
) ELSE 0 END
"""
ROWS = f"SELECT d.kind, d.record_id, d.created_at, d.type, {TITLE}, {TEXT}, {SIZE} FROM documents d"
NEWEST_FIRST = "ORDER BY d.created_at DESC, d.id DESC"

# The sign keeps SQLite from reading all of a project for the few that are pinned.
PINNED = f"{ROWS} WHERE d.pinned = 1 AND +d.project IN (?, '') {NEWEST_FIRST} LIMIT 10"
NEWEST = f"{ROWS} WHERE d.kind = 'o' AND d.project = ? {NEWEST_FIRST} LIMIT 30"
LAST_SUMMARY = f"""
{ROWS} INDEXED BY documents_summaries WHERE d.kind = 's' AND d.project = ? {NEWEST_FIRST} LIMIT 1
"""
FACTS_OF = f"""
{ROWS} INDEXED BY documents_facts WHERE d.kind = 'f' AND d.project = {{}}
AND (SELECT confidence FROM facts WHERE id = d.record_id) >= {SUREST} {NEWEST_FIRST} LIMIT 10
"""
# Each from its own end of the index, which one condition for both would have to be read through.
FACTS = f"""
SELECT * FROM ({FACTS_OF.format("?1")})
UNION ALL SELECT * FROM ({FACTS_OF.format("''")}) WHERE ?1 <> '' LIMIT 10
"""
ONE = f"{ROWS} WHERE d.kind = ? AND d.record_id = ? AND d.project IN (?, '')"

SUMMARY = "\nUNION ALL ".join(
    f"SELECT '{name}', {column} FROM summaries WHERE id = ?1"
    for name, column in (
        ("Request", "request"),
        ("Completed", "completed"),
        ("Learned", "learned"),
        ("Next", "next_steps"),
        ("Summary", "text"),
    )
)
OPEN_NOTES = f"""
SELECT id, path, substr(text, 1, {MOST_TEXT}) FROM notes WHERE private = 0 AND deleted_at IS NULL
"""
NOTES = f"""
{OPEN_NOTES} AND project IN (?, '')
ORDER BY project = '', pinned DESC, updated_at DESC, id DESC LIMIT 3
"""
NOTE = f"{OPEN_NOTES} AND id = ? AND project IN (?, '')"
