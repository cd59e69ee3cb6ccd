-- Rows as other programs and failing disks leave them: lists that are no JSON, items that are null,
-- a session that is not there, a clock that has nowhere to go. They have documents like all others.
DROP VIEW memories;
DROP VIEW memory_labels;
DROP TRIGGER prompts_inserted;
DROP TRIGGER prompts_quoted;
DROP TRIGGER prompts_unquoted;

CREATE VIEW memories AS
    SELECT 'o' AS kind, id AS record_id, session_id, project, type,
        created_at, pinned, private, deleted_at FROM observations
    UNION ALL
    SELECT 'p', id, session_id, coalesce((SELECT project FROM sessions WHERE id = prompts.session_id), ''),
        'prompt', created_at, pinned, private, deleted_at FROM prompts
    UNION ALL
    SELECT 's', id, session_id, project, 'summary',
        created_at, pinned, private, deleted_at FROM summaries
    UNION ALL
    SELECT 'f', id, NULL, project, 'fact',
        created_at, pinned, private, deleted_at FROM facts;

CREATE VIEW memory_labels AS
    SELECT 'o' AS memory_kind, o.id AS record_id, 'concept' AS kind, CAST(value AS TEXT) AS value
        FROM observations o, json_each(iif(json_valid(o.concepts), o.concepts, '[]')) WHERE value IS NOT NULL
    UNION ALL SELECT 'o', o.id, 'file', CAST(value AS TEXT)
        FROM observations o, json_each(iif(json_valid(o.files_read), o.files_read, '[]')) WHERE value IS NOT NULL
    UNION ALL SELECT 'o', o.id, 'file', CAST(value AS TEXT)
        FROM observations o, json_each(iif(json_valid(o.files_modified), o.files_modified, '[]')) WHERE value IS NOT NULL
    UNION ALL SELECT 'o', o.id, 'tag', CAST(value AS TEXT)
        FROM observations o, json_each(iif(json_valid(o.tags), o.tags, '[]')) WHERE value IS NOT NULL
    UNION ALL SELECT 's', s.id, 'file', CAST(value AS TEXT)
        FROM summaries s, json_each(iif(json_valid(s.files_read), s.files_read, '[]')) WHERE value IS NOT NULL
    UNION ALL SELECT 's', s.id, 'file', CAST(value AS TEXT)
        FROM summaries s, json_each(iif(json_valid(s.files_edited), s.files_edited, '[]')) WHERE value IS NOT NULL
    UNION ALL SELECT 'f', f.id, 'entity', CAST(value AS TEXT)
        FROM facts f, json_each(iif(json_valid(f.entities), f.entities, '[]')) WHERE value IS NOT NULL;

CREATE TRIGGER prompts_inserted AFTER INSERT ON prompts
WHEN NEW.private = 0 AND NEW.deleted_at IS NULL BEGIN
    INSERT INTO documents (kind, record_id, session_id, project, type, created_at, pinned)
        VALUES ('p', NEW.id, NEW.session_id,
            coalesce((SELECT project FROM sessions WHERE id = NEW.session_id), ''),
            'prompt', NEW.created_at, NEW.pinned);
END;
CREATE TRIGGER prompts_quoted AFTER UPDATE OF text, private, deleted_at ON prompts
WHEN (OLD.text, OLD.private, OLD.deleted_at) IS NOT (NEW.text, NEW.private, NEW.deleted_at) BEGIN
    UPDATE sessions SET hlc = max(min(hlc, 9223372036854775806) + 1, NEW.hlc), first_prompt = (
        SELECT text FROM prompts
        WHERE session_id = NEW.session_id AND private = 0 AND deleted_at IS NULL
        ORDER BY created_at, id LIMIT 1
    ) WHERE id = NEW.session_id AND (first_prompt IS NULL OR first_prompt = OLD.text);
END;
CREATE TRIGGER prompts_unquoted AFTER DELETE ON prompts BEGIN
    UPDATE sessions SET hlc = max(min(hlc, 9223372036854775806) + 1, OLD.hlc), first_prompt = (
        SELECT text FROM prompts
        WHERE session_id = OLD.session_id AND private = 0 AND deleted_at IS NULL
        ORDER BY created_at, id LIMIT 1
    ) WHERE id = OLD.session_id AND (first_prompt IS NULL OR first_prompt = OLD.text);
END;
