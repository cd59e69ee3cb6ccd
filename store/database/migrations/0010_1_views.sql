-- What was here before is made anew.
DROP TRIGGER IF EXISTS documents_deleted;
DROP TRIGGER IF EXISTS observations_inserted;
DROP TRIGGER IF EXISTS observations_updated;
DROP TRIGGER IF EXISTS observations_deleted;
DROP TRIGGER IF EXISTS prompts_inserted;
DROP TRIGGER IF EXISTS prompts_updated;
DROP TRIGGER IF EXISTS prompts_deleted;
DROP TRIGGER IF EXISTS summaries_inserted;
DROP TRIGGER IF EXISTS summaries_updated;
DROP TRIGGER IF EXISTS summaries_deleted;
DROP TRIGGER IF EXISTS facts_inserted;
DROP TRIGGER IF EXISTS facts_updated;
DROP TRIGGER IF EXISTS facts_deleted;
DROP TRIGGER IF EXISTS sessions_renamed;
DROP VIEW IF EXISTS labels;
DROP VIEW IF EXISTS memories;
DROP VIEW IF EXISTS hidden_documents;
DROP VIEW IF EXISTS memory_labels;

CREATE VIEW labels AS
    SELECT kind, value, document_id
    FROM label_uses JOIN label_names ON label_names.id = label_id;

-- All memories in the shape of documents, hidden or not.
CREATE VIEW memories AS
    SELECT 'o' AS kind, id AS record_id, session_id, project, type,
        created_at, pinned, private, deleted_at FROM observations
    UNION ALL
    SELECT 'p', id, session_id, (SELECT project FROM sessions WHERE id = prompts.session_id),
        'prompt', created_at, pinned, private, deleted_at FROM prompts
    UNION ALL
    SELECT 's', id, session_id, project, 'summary',
        created_at, pinned, private, deleted_at FROM summaries
    UNION ALL
    SELECT 'f', id, NULL, project, 'fact',
        created_at, pinned, private, deleted_at FROM facts;

-- Those that are documents, and those that documents leave out: the rule of what is visible.
CREATE VIEW visible_memories AS
    SELECT kind, record_id, session_id, project, type, created_at, pinned FROM memories
    WHERE private = 0 AND deleted_at IS NULL AND type <> 'noise';

-- Those that documents leave out, for `is:private` and `is:deleted`.
CREATE VIEW hidden_documents AS
    SELECT -(4 * record_id + instr('opsf', kind) - 1) AS id, *
    FROM memories WHERE private = 1 OR deleted_at IS NOT NULL OR type = 'noise';

-- The items of all memories' lists: what `labels` holds of the visible ones.
CREATE VIEW memory_labels AS
    SELECT 'o' AS memory_kind, o.id AS record_id, 'concept' AS kind, CAST(value AS TEXT) AS value
        FROM observations o, json_each(o.concepts)
    UNION ALL SELECT 'o', o.id, 'file', CAST(value AS TEXT)
        FROM observations o, json_each(o.files_read)
    UNION ALL SELECT 'o', o.id, 'file', CAST(value AS TEXT)
        FROM observations o, json_each(o.files_modified)
    UNION ALL SELECT 'o', o.id, 'tag', CAST(value AS TEXT)
        FROM observations o, json_each(o.tags)
    UNION ALL SELECT 's', s.id, 'file', CAST(value AS TEXT)
        FROM summaries s, json_each(s.files_read)
    UNION ALL SELECT 's', s.id, 'file', CAST(value AS TEXT)
        FROM summaries s, json_each(s.files_edited)
    UNION ALL SELECT 'f', f.id, 'entity', CAST(value AS TEXT)
        FROM facts f, json_each(f.entities);

