-- A document is a searchable row: an observation, prompt, summary or fact that is neither private
-- nor deleted. Lists, timelines, counts and indexes read documents, so none of them can show a
-- hidden row. kind: o, p, s, f. type: an observation's type, otherwise the kind's name.

CREATE TABLE documents (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    record_id INTEGER NOT NULL,
    session_id INTEGER,
    project TEXT NOT NULL,
    type TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    pinned INTEGER NOT NULL
);
CREATE UNIQUE INDEX documents_by_record ON documents (kind, record_id);
CREATE INDEX documents_by_time ON documents (created_at);
CREATE INDEX documents_by_project ON documents (project, created_at);
CREATE INDEX documents_by_session ON documents (session_id, created_at, kind);
CREATE INDEX documents_by_type ON documents (type, created_at);
CREATE INDEX documents_pinned ON documents (created_at) WHERE pinned = 1;

-- Documents whose text has changed and waits to be indexed; the store feeds the indexes before it
-- commits, other programs' writes are caught up by the next process that can write.
CREATE TABLE unindexed (document_id INTEGER PRIMARY KEY);
CREATE TRIGGER documents_deleted AFTER DELETE ON documents BEGIN
    DELETE FROM unindexed WHERE document_id = OLD.id;
END;

-- The inverted index of the lists. Names are stored once, so that a use costs a few bytes.
CREATE TABLE label_names (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    value TEXT NOT NULL,
    UNIQUE (kind, value)
);
CREATE TABLE label_uses (
    label_id INTEGER NOT NULL,
    document_id INTEGER NOT NULL,
    PRIMARY KEY (label_id, document_id)
) WITHOUT ROWID;
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

-- Those that documents leave out, for `is:private` and `is:deleted`.
CREATE VIEW hidden_documents AS
    SELECT -(4 * record_id + instr('opsf', kind) - 1) AS id, *
    FROM memories WHERE private = 1 OR deleted_at IS NOT NULL;

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

CREATE TRIGGER observations_inserted AFTER INSERT ON observations
WHEN NEW.private = 0 AND NEW.deleted_at IS NULL BEGIN
    INSERT INTO documents (kind, record_id, session_id, project, type, created_at, pinned)
        VALUES ('o', NEW.id, NEW.session_id, NEW.project,
            NEW.type, NEW.created_at, NEW.pinned);
    INSERT INTO unindexed SELECT id FROM documents WHERE kind = 'o' AND record_id = NEW.id;
    INSERT INTO label_names (kind, value)
        SELECT kind, value FROM (
            SELECT 'concept' AS kind, CAST(value AS TEXT) AS value FROM json_each(NEW.concepts)
            UNION ALL SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(NEW.files_read)
            UNION ALL SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(NEW.files_modified)
            UNION ALL SELECT 'tag' AS kind, CAST(value AS TEXT) AS value FROM json_each(NEW.tags)
        ) WHERE NEW.private = 0 AND NEW.deleted_at IS NULL
        ON CONFLICT DO NOTHING;
    INSERT INTO label_uses (label_id, document_id)
        SELECT label_names.id, (SELECT id FROM documents WHERE kind = 'o' AND record_id = NEW.id)
        FROM (
            SELECT 'concept' AS kind, CAST(value AS TEXT) AS value FROM json_each(NEW.concepts)
            UNION ALL SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(NEW.files_read)
            UNION ALL SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(NEW.files_modified)
            UNION ALL SELECT 'tag' AS kind, CAST(value AS TEXT) AS value FROM json_each(NEW.tags)
        ) AS used CROSS JOIN label_names USING (kind, value)
        WHERE NEW.private = 0 AND NEW.deleted_at IS NULL
        ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER observations_updated AFTER UPDATE OF
    title, subtitle, narrative, text, facts, concepts, files_read, files_modified, tags,
    private, deleted_at, created_at, pinned, session_id, project, type
ON observations BEGIN
    DELETE FROM label_uses
        WHERE document_id = (SELECT id FROM documents WHERE kind = 'o' AND record_id = OLD.id)
        AND label_id IN (
            SELECT label_names.id FROM (
                SELECT 'concept' AS kind, CAST(value AS TEXT) AS value FROM json_each(OLD.concepts)
                UNION ALL SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(OLD.files_read)
                UNION ALL SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(OLD.files_modified)
                UNION ALL SELECT 'tag' AS kind, CAST(value AS TEXT) AS value FROM json_each(OLD.tags)
            ) AS used CROSS JOIN label_names USING (kind, value)
        );
    DELETE FROM documents
        WHERE kind = 'o' AND record_id = OLD.id
        AND (NEW.private = 1 OR NEW.deleted_at IS NOT NULL);
    INSERT INTO documents (kind, record_id, session_id, project, type, created_at, pinned)
        SELECT 'o', NEW.id, NEW.session_id, NEW.project,
            NEW.type, NEW.created_at, NEW.pinned
        WHERE NEW.private = 0 AND NEW.deleted_at IS NULL
        ON CONFLICT (kind, record_id) DO UPDATE SET
            session_id = excluded.session_id, project = excluded.project, type = excluded.type,
            created_at = excluded.created_at, pinned = excluded.pinned;
    INSERT INTO unindexed
        SELECT id FROM documents WHERE kind = 'o' AND record_id = NEW.id
        AND (
            OLD.private = 1 OR OLD.deleted_at IS NOT NULL
            OR (OLD.title, OLD.subtitle, OLD.narrative, OLD.text, OLD.facts, OLD.concepts,
                OLD.files_read, OLD.files_modified, OLD.tags)
            IS NOT (NEW.title, NEW.subtitle, NEW.narrative, NEW.text, NEW.facts, NEW.concepts,
                NEW.files_read, NEW.files_modified, NEW.tags)
        )
        ON CONFLICT DO NOTHING;
    INSERT INTO label_names (kind, value)
        SELECT kind, value FROM (
            SELECT 'concept' AS kind, CAST(value AS TEXT) AS value FROM json_each(NEW.concepts)
            UNION ALL SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(NEW.files_read)
            UNION ALL SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(NEW.files_modified)
            UNION ALL SELECT 'tag' AS kind, CAST(value AS TEXT) AS value FROM json_each(NEW.tags)
        ) WHERE NEW.private = 0 AND NEW.deleted_at IS NULL
        ON CONFLICT DO NOTHING;
    INSERT INTO label_uses (label_id, document_id)
        SELECT label_names.id, (SELECT id FROM documents WHERE kind = 'o' AND record_id = NEW.id)
        FROM (
            SELECT 'concept' AS kind, CAST(value AS TEXT) AS value FROM json_each(NEW.concepts)
            UNION ALL SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(NEW.files_read)
            UNION ALL SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(NEW.files_modified)
            UNION ALL SELECT 'tag' AS kind, CAST(value AS TEXT) AS value FROM json_each(NEW.tags)
        ) AS used CROSS JOIN label_names USING (kind, value)
        WHERE NEW.private = 0 AND NEW.deleted_at IS NULL
        ON CONFLICT DO NOTHING;
    DELETE FROM label_names
        WHERE (kind, value) IN (
            SELECT 'concept' AS kind, CAST(value AS TEXT) AS value FROM json_each(OLD.concepts)
            UNION ALL SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(OLD.files_read)
            UNION ALL SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(OLD.files_modified)
            UNION ALL SELECT 'tag' AS kind, CAST(value AS TEXT) AS value FROM json_each(OLD.tags)
        ) AND NOT EXISTS (SELECT 1 FROM label_uses WHERE label_id = label_names.id);
END;

CREATE TRIGGER observations_deleted AFTER DELETE ON observations BEGIN
    DELETE FROM label_uses
        WHERE document_id = (SELECT id FROM documents WHERE kind = 'o' AND record_id = OLD.id)
        AND label_id IN (
            SELECT label_names.id FROM (
                SELECT 'concept' AS kind, CAST(value AS TEXT) AS value FROM json_each(OLD.concepts)
                UNION ALL SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(OLD.files_read)
                UNION ALL SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(OLD.files_modified)
                UNION ALL SELECT 'tag' AS kind, CAST(value AS TEXT) AS value FROM json_each(OLD.tags)
            ) AS used CROSS JOIN label_names USING (kind, value)
        );
    DELETE FROM label_names
        WHERE (kind, value) IN (
            SELECT 'concept' AS kind, CAST(value AS TEXT) AS value FROM json_each(OLD.concepts)
            UNION ALL SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(OLD.files_read)
            UNION ALL SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(OLD.files_modified)
            UNION ALL SELECT 'tag' AS kind, CAST(value AS TEXT) AS value FROM json_each(OLD.tags)
        ) AND NOT EXISTS (SELECT 1 FROM label_uses WHERE label_id = label_names.id);
    DELETE FROM documents WHERE kind = 'o' AND record_id = OLD.id;
END;

CREATE TRIGGER prompts_inserted AFTER INSERT ON prompts
WHEN NEW.private = 0 AND NEW.deleted_at IS NULL BEGIN
    INSERT INTO documents (kind, record_id, session_id, project, type, created_at, pinned)
        VALUES ('p', NEW.id, NEW.session_id, (SELECT project FROM sessions WHERE id = NEW.session_id),
            'prompt', NEW.created_at, NEW.pinned);
    INSERT INTO unindexed SELECT id FROM documents WHERE kind = 'p' AND record_id = NEW.id;
END;

CREATE TRIGGER prompts_updated AFTER UPDATE OF
    text, private, deleted_at, created_at, pinned, session_id
ON prompts BEGIN
    DELETE FROM documents
        WHERE kind = 'p' AND record_id = OLD.id
        AND (NEW.private = 1 OR NEW.deleted_at IS NOT NULL);
    INSERT INTO documents (kind, record_id, session_id, project, type, created_at, pinned)
        SELECT 'p', NEW.id, NEW.session_id, (SELECT project FROM sessions WHERE id = NEW.session_id),
            'prompt', NEW.created_at, NEW.pinned
        WHERE NEW.private = 0 AND NEW.deleted_at IS NULL
        ON CONFLICT (kind, record_id) DO UPDATE SET
            session_id = excluded.session_id, project = excluded.project, type = excluded.type,
            created_at = excluded.created_at, pinned = excluded.pinned;
    INSERT INTO unindexed
        SELECT id FROM documents WHERE kind = 'p' AND record_id = NEW.id
        AND (
            OLD.private = 1 OR OLD.deleted_at IS NOT NULL
            OR (OLD.text)
            IS NOT (NEW.text)
        )
        ON CONFLICT DO NOTHING;
    -- A session never shows a prompt that is hidden.
    UPDATE sessions SET hlc = max(hlc + 1, NEW.hlc), first_prompt = (
        SELECT text FROM prompts WHERE id = (
            SELECT record_id FROM documents WHERE session_id = NEW.session_id AND kind = 'p'
            ORDER BY created_at, record_id LIMIT 1
        )
    ) WHERE id = NEW.session_id AND (first_prompt IS NULL OR first_prompt = OLD.text)
        AND (OLD.text, OLD.private, OLD.deleted_at) IS NOT (NEW.text, NEW.private, NEW.deleted_at);
END;

CREATE TRIGGER prompts_deleted AFTER DELETE ON prompts BEGIN
    DELETE FROM documents WHERE kind = 'p' AND record_id = OLD.id;
    UPDATE sessions SET hlc = max(hlc + 1, OLD.hlc), first_prompt = (
        SELECT text FROM prompts WHERE id = (
            SELECT record_id FROM documents WHERE session_id = OLD.session_id AND kind = 'p'
            ORDER BY created_at, record_id LIMIT 1
        )
    ) WHERE id = OLD.session_id AND (first_prompt IS NULL OR first_prompt = OLD.text);
END;

CREATE TRIGGER summaries_inserted AFTER INSERT ON summaries
WHEN NEW.private = 0 AND NEW.deleted_at IS NULL BEGIN
    INSERT INTO documents (kind, record_id, session_id, project, type, created_at, pinned)
        VALUES ('s', NEW.id, NEW.session_id, NEW.project,
            'summary', NEW.created_at, NEW.pinned);
    INSERT INTO unindexed SELECT id FROM documents WHERE kind = 's' AND record_id = NEW.id;
    INSERT INTO label_names (kind, value)
        SELECT kind, value FROM (
            SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(NEW.files_read)
            UNION ALL SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(NEW.files_edited)
        ) WHERE NEW.private = 0 AND NEW.deleted_at IS NULL
        ON CONFLICT DO NOTHING;
    INSERT INTO label_uses (label_id, document_id)
        SELECT label_names.id, (SELECT id FROM documents WHERE kind = 's' AND record_id = NEW.id)
        FROM (
            SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(NEW.files_read)
            UNION ALL SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(NEW.files_edited)
        ) AS used CROSS JOIN label_names USING (kind, value)
        WHERE NEW.private = 0 AND NEW.deleted_at IS NULL
        ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER summaries_updated AFTER UPDATE OF
    request, investigated, learned, completed, next_steps, notes, text, files_read,
    files_edited, private, deleted_at, created_at, pinned, session_id, project
ON summaries BEGIN
    DELETE FROM label_uses
        WHERE document_id = (SELECT id FROM documents WHERE kind = 's' AND record_id = OLD.id)
        AND label_id IN (
            SELECT label_names.id FROM (
                SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(OLD.files_read)
                UNION ALL SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(OLD.files_edited)
            ) AS used CROSS JOIN label_names USING (kind, value)
        );
    DELETE FROM documents
        WHERE kind = 's' AND record_id = OLD.id
        AND (NEW.private = 1 OR NEW.deleted_at IS NOT NULL);
    INSERT INTO documents (kind, record_id, session_id, project, type, created_at, pinned)
        SELECT 's', NEW.id, NEW.session_id, NEW.project,
            'summary', NEW.created_at, NEW.pinned
        WHERE NEW.private = 0 AND NEW.deleted_at IS NULL
        ON CONFLICT (kind, record_id) DO UPDATE SET
            session_id = excluded.session_id, project = excluded.project, type = excluded.type,
            created_at = excluded.created_at, pinned = excluded.pinned;
    INSERT INTO unindexed
        SELECT id FROM documents WHERE kind = 's' AND record_id = NEW.id
        AND (
            OLD.private = 1 OR OLD.deleted_at IS NOT NULL
            OR (OLD.request, OLD.investigated, OLD.learned, OLD.completed, OLD.next_steps,
                OLD.notes, OLD.text, OLD.files_read, OLD.files_edited)
            IS NOT (NEW.request, NEW.investigated, NEW.learned, NEW.completed, NEW.next_steps,
                NEW.notes, NEW.text, NEW.files_read, NEW.files_edited)
        )
        ON CONFLICT DO NOTHING;
    INSERT INTO label_names (kind, value)
        SELECT kind, value FROM (
            SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(NEW.files_read)
            UNION ALL SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(NEW.files_edited)
        ) WHERE NEW.private = 0 AND NEW.deleted_at IS NULL
        ON CONFLICT DO NOTHING;
    INSERT INTO label_uses (label_id, document_id)
        SELECT label_names.id, (SELECT id FROM documents WHERE kind = 's' AND record_id = NEW.id)
        FROM (
            SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(NEW.files_read)
            UNION ALL SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(NEW.files_edited)
        ) AS used CROSS JOIN label_names USING (kind, value)
        WHERE NEW.private = 0 AND NEW.deleted_at IS NULL
        ON CONFLICT DO NOTHING;
    DELETE FROM label_names
        WHERE (kind, value) IN (
            SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(OLD.files_read)
            UNION ALL SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(OLD.files_edited)
        ) AND NOT EXISTS (SELECT 1 FROM label_uses WHERE label_id = label_names.id);
END;

CREATE TRIGGER summaries_deleted AFTER DELETE ON summaries BEGIN
    DELETE FROM label_uses
        WHERE document_id = (SELECT id FROM documents WHERE kind = 's' AND record_id = OLD.id)
        AND label_id IN (
            SELECT label_names.id FROM (
                SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(OLD.files_read)
                UNION ALL SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(OLD.files_edited)
            ) AS used CROSS JOIN label_names USING (kind, value)
        );
    DELETE FROM label_names
        WHERE (kind, value) IN (
            SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(OLD.files_read)
            UNION ALL SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(OLD.files_edited)
        ) AND NOT EXISTS (SELECT 1 FROM label_uses WHERE label_id = label_names.id);
    DELETE FROM documents WHERE kind = 's' AND record_id = OLD.id;
END;

CREATE TRIGGER facts_inserted AFTER INSERT ON facts
WHEN NEW.private = 0 AND NEW.deleted_at IS NULL BEGIN
    INSERT INTO documents (kind, record_id, session_id, project, type, created_at, pinned)
        VALUES ('f', NEW.id, NULL, NEW.project,
            'fact', NEW.created_at, NEW.pinned);
    INSERT INTO unindexed SELECT id FROM documents WHERE kind = 'f' AND record_id = NEW.id;
    INSERT INTO label_names (kind, value)
        SELECT kind, value FROM (
            SELECT 'entity' AS kind, CAST(value AS TEXT) AS value FROM json_each(NEW.entities)
        ) WHERE NEW.private = 0 AND NEW.deleted_at IS NULL
        ON CONFLICT DO NOTHING;
    INSERT INTO label_uses (label_id, document_id)
        SELECT label_names.id, (SELECT id FROM documents WHERE kind = 'f' AND record_id = NEW.id)
        FROM (
            SELECT 'entity' AS kind, CAST(value AS TEXT) AS value FROM json_each(NEW.entities)
        ) AS used CROSS JOIN label_names USING (kind, value)
        WHERE NEW.private = 0 AND NEW.deleted_at IS NULL
        ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER facts_updated AFTER UPDATE OF
    content, entities, private, deleted_at, created_at, pinned, project
ON facts BEGIN
    DELETE FROM label_uses
        WHERE document_id = (SELECT id FROM documents WHERE kind = 'f' AND record_id = OLD.id)
        AND label_id IN (
            SELECT label_names.id FROM (
                SELECT 'entity' AS kind, CAST(value AS TEXT) AS value FROM json_each(OLD.entities)
            ) AS used CROSS JOIN label_names USING (kind, value)
        );
    DELETE FROM documents
        WHERE kind = 'f' AND record_id = OLD.id
        AND (NEW.private = 1 OR NEW.deleted_at IS NOT NULL);
    INSERT INTO documents (kind, record_id, session_id, project, type, created_at, pinned)
        SELECT 'f', NEW.id, NULL, NEW.project,
            'fact', NEW.created_at, NEW.pinned
        WHERE NEW.private = 0 AND NEW.deleted_at IS NULL
        ON CONFLICT (kind, record_id) DO UPDATE SET
            session_id = excluded.session_id, project = excluded.project, type = excluded.type,
            created_at = excluded.created_at, pinned = excluded.pinned;
    INSERT INTO unindexed
        SELECT id FROM documents WHERE kind = 'f' AND record_id = NEW.id
        AND (
            OLD.private = 1 OR OLD.deleted_at IS NOT NULL
            OR (OLD.content, OLD.entities)
            IS NOT (NEW.content, NEW.entities)
        )
        ON CONFLICT DO NOTHING;
    INSERT INTO label_names (kind, value)
        SELECT kind, value FROM (
            SELECT 'entity' AS kind, CAST(value AS TEXT) AS value FROM json_each(NEW.entities)
        ) WHERE NEW.private = 0 AND NEW.deleted_at IS NULL
        ON CONFLICT DO NOTHING;
    INSERT INTO label_uses (label_id, document_id)
        SELECT label_names.id, (SELECT id FROM documents WHERE kind = 'f' AND record_id = NEW.id)
        FROM (
            SELECT 'entity' AS kind, CAST(value AS TEXT) AS value FROM json_each(NEW.entities)
        ) AS used CROSS JOIN label_names USING (kind, value)
        WHERE NEW.private = 0 AND NEW.deleted_at IS NULL
        ON CONFLICT DO NOTHING;
    DELETE FROM label_names
        WHERE (kind, value) IN (
            SELECT 'entity' AS kind, CAST(value AS TEXT) AS value FROM json_each(OLD.entities)
        ) AND NOT EXISTS (SELECT 1 FROM label_uses WHERE label_id = label_names.id);
END;

CREATE TRIGGER facts_deleted AFTER DELETE ON facts BEGIN
    DELETE FROM label_uses
        WHERE document_id = (SELECT id FROM documents WHERE kind = 'f' AND record_id = OLD.id)
        AND label_id IN (
            SELECT label_names.id FROM (
                SELECT 'entity' AS kind, CAST(value AS TEXT) AS value FROM json_each(OLD.entities)
            ) AS used CROSS JOIN label_names USING (kind, value)
        );
    DELETE FROM label_names
        WHERE (kind, value) IN (
            SELECT 'entity' AS kind, CAST(value AS TEXT) AS value FROM json_each(OLD.entities)
        ) AND NOT EXISTS (SELECT 1 FROM label_uses WHERE label_id = label_names.id);
    DELETE FROM documents WHERE kind = 'f' AND record_id = OLD.id;
END;

CREATE TRIGGER sessions_renamed AFTER UPDATE OF project ON sessions
WHEN OLD.project IS NOT NEW.project BEGIN
    UPDATE documents SET project = NEW.project WHERE session_id = NEW.id AND kind = 'p';
END;
