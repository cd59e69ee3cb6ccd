-- The rules' record of a message, which stands until a model's answer takes its place (purged with
-- it), and how the message ended: by whom it was observed, or why nothing came of it.
ALTER TABLE pending_messages ADD COLUMN observation_id INTEGER
    REFERENCES observations (id) ON DELETE CASCADE;
ALTER TABLE pending_messages ADD COLUMN summary_id INTEGER
    REFERENCES summaries (id) ON DELETE CASCADE;
ALTER TABLE pending_messages ADD COLUMN outcome TEXT;
UPDATE pending_messages SET observation_id = (
    SELECT id FROM observations WHERE observations.event_id = pending_messages.event_id
) WHERE kind = 'observation' AND event_id IS NOT NULL;
CREATE INDEX pending_messages_by_observation ON pending_messages (observation_id)
    WHERE observation_id IS NOT NULL;
CREATE INDEX pending_messages_by_summary ON pending_messages (summary_id)
    WHERE summary_id IS NOT NULL;
CREATE INDEX pending_messages_unobserved ON pending_messages (id)
    WHERE observation_id IS NULL AND summary_id IS NULL AND status IN ('pending', 'processing');
-- What has a record, without reading through its payload.
CREATE INDEX pending_messages_observed ON pending_messages (
    status, created_at, not_before, lease_until, session_id, prompt_number, kind, attempts, source
) WHERE observation_id IS NOT NULL OR summary_id IS NOT NULL;

-- What models were asked, by day (UTC, days since the epoch): calls, those of them that failed, and
-- tokens. A call is counted by an estimate before it is made, and by the model's own count after.
CREATE TABLE observer_days (
    day INTEGER NOT NULL,
    model TEXT NOT NULL,
    calls INTEGER NOT NULL,
    failed INTEGER NOT NULL,
    input INTEGER NOT NULL,
    output INTEGER NOT NULL,
    PRIMARY KEY (day, model)
) STRICT, WITHOUT ROWID;

-- Noise is a row, so that each tool use is one, but no document: as what is hidden, it stands in no
-- list, timeline, count or index. The triggers are those of 0002 but for that.
DROP VIEW hidden_documents;
CREATE VIEW hidden_documents AS
    SELECT -(4 * record_id + instr('opsf', kind) - 1) AS id, *
    FROM memories WHERE private = 1 OR deleted_at IS NOT NULL OR type = 'noise';
DROP TRIGGER observations_inserted;
DROP TRIGGER observations_updated;
CREATE TRIGGER observations_inserted AFTER INSERT ON observations
WHEN NEW.private = 0 AND NEW.deleted_at IS NULL AND NEW.type <> 'noise' BEGIN
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
        ) WHERE NEW.private = 0 AND NEW.deleted_at IS NULL AND NEW.type <> 'noise'
        ON CONFLICT DO NOTHING;
    INSERT INTO label_uses (label_id, document_id)
        SELECT label_names.id, (SELECT id FROM documents WHERE kind = 'o' AND record_id = NEW.id)
        FROM (
            SELECT 'concept' AS kind, CAST(value AS TEXT) AS value FROM json_each(NEW.concepts)
            UNION ALL SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(NEW.files_read)
            UNION ALL SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(NEW.files_modified)
            UNION ALL SELECT 'tag' AS kind, CAST(value AS TEXT) AS value FROM json_each(NEW.tags)
        ) AS used CROSS JOIN label_names USING (kind, value)
        WHERE NEW.private = 0 AND NEW.deleted_at IS NULL AND NEW.type <> 'noise'
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
        AND (NEW.private = 1 OR NEW.deleted_at IS NOT NULL OR NEW.type = 'noise');
    INSERT INTO documents (kind, record_id, session_id, project, type, created_at, pinned)
        SELECT 'o', NEW.id, NEW.session_id, NEW.project,
            NEW.type, NEW.created_at, NEW.pinned
        WHERE NEW.private = 0 AND NEW.deleted_at IS NULL AND NEW.type <> 'noise'
        ON CONFLICT (kind, record_id) DO UPDATE SET
            session_id = excluded.session_id, project = excluded.project, type = excluded.type,
            created_at = excluded.created_at, pinned = excluded.pinned;
    INSERT INTO unindexed
        SELECT id FROM documents WHERE kind = 'o' AND record_id = NEW.id
        AND (
            OLD.private = 1 OR OLD.deleted_at IS NOT NULL OR OLD.type = 'noise'
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
        ) WHERE NEW.private = 0 AND NEW.deleted_at IS NULL AND NEW.type <> 'noise'
        ON CONFLICT DO NOTHING;
    INSERT INTO label_uses (label_id, document_id)
        SELECT label_names.id, (SELECT id FROM documents WHERE kind = 'o' AND record_id = NEW.id)
        FROM (
            SELECT 'concept' AS kind, CAST(value AS TEXT) AS value FROM json_each(NEW.concepts)
            UNION ALL SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(NEW.files_read)
            UNION ALL SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(NEW.files_modified)
            UNION ALL SELECT 'tag' AS kind, CAST(value AS TEXT) AS value FROM json_each(NEW.tags)
        ) AS used CROSS JOIN label_names USING (kind, value)
        WHERE NEW.private = 0 AND NEW.deleted_at IS NULL AND NEW.type <> 'noise'
        ON CONFLICT DO NOTHING;
    DELETE FROM label_names
        WHERE (kind, value) IN (
            SELECT 'concept' AS kind, CAST(value AS TEXT) AS value FROM json_each(OLD.concepts)
            UNION ALL SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(OLD.files_read)
            UNION ALL SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(OLD.files_modified)
            UNION ALL SELECT 'tag' AS kind, CAST(value AS TEXT) AS value FROM json_each(OLD.tags)
        ) AND NOT EXISTS (SELECT 1 FROM label_uses WHERE label_id = label_names.id);
END;

CREATE INDEX observations_noise ON observations (id) WHERE type = 'noise';
UPDATE observations SET type = type WHERE type = 'noise';
