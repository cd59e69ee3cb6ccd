"""Rows of documents as SQL: their titles, and the few that a context is made of. Nothing is
imported.

Of a project, and only what is not hidden; what is pinned, held true or noted without any
project is for all of them.
"""

from __future__ import annotations

from ..kinds import VISIBLE

TITLE = """
CASE d.kind
    WHEN 'o' THEN (
        SELECT coalesce(nullif(title, ''), nullif(subtitle, ''), substr(narrative, 1, 200),
            substr(text, 1, 200), '')
        FROM observations WHERE id = d.record_id
    )
    WHEN 'p' THEN (SELECT substr(text, 1, 400) FROM prompts WHERE id = d.record_id)
    WHEN 's' THEN (
        SELECT substr(coalesce(nullif(request, ''), nullif(completed, ''), nullif(learned, ''),
            text, ''), 1, 400)
        FROM summaries WHERE id = d.record_id
    )
    ELSE (SELECT substr(content, 1, 400) FROM facts WHERE id = d.record_id)
END
"""
"""The title of a row `d` of the documents: the first text that it has."""

LEAST_CONFIDENCE = 0.5
"""The least confidence of a fact that is told."""

READ_CHARACTERS = 2_000
"""Characters of a text or note that are read."""

TEXT = f"""
CASE d.kind
    WHEN 'o' THEN (
        SELECT substr(coalesce(nullif(narrative, ''), nullif(text, ''), subtitle, ''), 1, {READ_CHARACTERS})
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
AND (SELECT confidence FROM facts WHERE id = d.record_id) >= {LEAST_CONFIDENCE} {NEWEST_FIRST} LIMIT 10
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
SELECT id, path, substr(text, 1, {READ_CHARACTERS}) FROM notes WHERE {VISIBLE}
"""
NOTES = f"""
{OPEN_NOTES} AND project IN (?, '')
ORDER BY project = '', pinned DESC, updated_at DESC, id DESC LIMIT 3
"""
NOTE = f"{OPEN_NOTES} AND id = ? AND project IN (?, '')"
