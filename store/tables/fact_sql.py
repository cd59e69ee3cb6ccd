"""The SQL by which facts are listed and counted, by what they name and by whose statement they are."""

from __future__ import annotations

from ..kinds import VISIBLE, visible

NEWEST_FIRST = "ORDER BY created_at DESC, id DESC LIMIT :limit OFFSET :offset"

NAMING = """
id IN (
    SELECT d.record_id FROM labels l JOIN documents d ON d.id = l.document_id
    WHERE l.kind = 'entity' AND l.value = :entity
)
"""
# The same, asked of each fact of a walk: cheaper where very many name the entity.
WALKED_NAMING = """
EXISTS (
    SELECT 1 FROM documents d CROSS JOIN label_uses u ON u.document_id = d.id
    WHERE d.kind = 'f' AND d.record_id = facts.id
    AND u.label_id = (SELECT id FROM label_names WHERE kind = 'entity' AND value = :entity)
)
"""
MANY = 1_000
"""So many facts that name an entity are not sorted for a page, but found on a walk."""

NAMED = f"""
SELECT count(*) FROM (
    SELECT 1 FROM labels WHERE kind = 'entity' AND value = :entity LIMIT {MANY}
)
"""

# Of what a session holds the uids are looked for in the evidence of all facts, which are few.
OF_SESSION = f"""
{VISIBLE} AND superseded_by IS NULL AND id IN (
    SELECT fact_id FROM fact_sources
    WHERE session = :key AND deleted_at IS NULL AND vanished_at IS NULL
    UNION SELECT f.id FROM facts f, json_each(iif(json_valid(f.evidence), f.evidence, '[]')) e
    WHERE e.value IN (
        SELECT uid FROM prompts WHERE session_id = :session
        UNION SELECT uid FROM observations WHERE session_id = :session
        UNION SELECT uid FROM summaries WHERE session_id = :session
    )
)
"""

STATED_BY = "iif(json_valid(extra), json_extract(extra, '$.speaker'), NULL)"

# Only facts have labels of this kind.
ENTITIES = """
SELECT value, uses FROM label_names INDEXED BY label_names_by_uses
WHERE kind = 'entity' ORDER BY uses DESC, value LIMIT :limit
"""
ENTITIES_OF = """
SELECT CAST(value AS TEXT), count(DISTINCT asked.id) FROM (
    SELECT id, entities FROM facts WHERE {condition} ORDER BY created_at DESC, id DESC LIMIT :asked
) asked
CROSS JOIN json_each(iif(json_valid(entities), entities, '[]'))
WHERE value IS NOT NULL GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT :limit
"""

MAY_REPLACE = "may_replace"
"""The key of `extra` that lists the uids of facts which one may have taken the place of."""
NOTED_REPLACEMENTS = f"""
SELECT new.id, old.id
FROM facts new, json_each(iif(json_valid(new.extra), new.extra, '{{}}'), '$.{MAY_REPLACE}') noted
JOIN facts old ON old.uid = noted.value
WHERE {visible("new")} AND {visible("old")}
    AND new.superseded_by IS NULL AND old.superseded_by IS NULL AND new.project = old.project
    AND (? IS NULL OR new.project = ?)
ORDER BY new.created_at, new.id
"""

UNKEYED = "SELECT id, project, kind, content, deleted_at FROM facts WHERE statement IS NULL"
