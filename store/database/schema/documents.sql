-- Documents: what lists, timelines and indexes read. They and their labels are derived from the records by
-- the triggers below, as visibility.sql says.

-- A document is a searchable record: an observation, prompt, summary or fact that `visible_memories` shows.
-- kind: o, p, s, f. type: an observation's type, otherwise the kind's name. changed_in: the repository in
-- which a file of the memory has changed since it was made; 0 for none.
CREATE TABLE documents (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    record_id INTEGER NOT NULL,
    session_id INTEGER,
    project TEXT NOT NULL,
    type TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    pinned INTEGER NOT NULL,
    changed_in INTEGER NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX documents_by_record ON documents (kind, record_id);
CREATE INDEX documents_by_time ON documents (created_at);
CREATE INDEX documents_by_project ON documents (project, created_at);
CREATE INDEX documents_by_session ON documents (session_id, created_at, kind);
CREATE INDEX documents_by_type ON documents (type, created_at);
CREATE INDEX documents_pinned ON documents (created_at) WHERE pinned = 1;
-- A project's last summary and facts, without a walk over all of its observations.
CREATE INDEX documents_summaries ON documents (project, created_at) WHERE kind = 's';
CREATE INDEX documents_facts ON documents (project, created_at) WHERE kind = 'f';
CREATE INDEX documents_stale ON documents (created_at) WHERE changed_in > 0;

-- Documents whose text has changed and waits to be indexed; the store feeds the indexes before it
-- commits, other programs' writes are caught up by the next process that can write.
CREATE TABLE unindexed (document_id INTEGER PRIMARY KEY);

-- The inverted index of the lists. Names are stored once, so that a use costs a few bytes; `uses` is how many
-- documents have one.
CREATE TABLE label_names (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    value TEXT NOT NULL,
    uses INTEGER NOT NULL DEFAULT 0,
    UNIQUE (kind, value)
);
-- 0027_busiest_names.sql has one of all kinds.
CREATE INDEX label_names_entities ON label_names (uses DESC, value) WHERE kind = 'entity';
CREATE TABLE label_uses (
    label_id INTEGER NOT NULL,
    document_id INTEGER NOT NULL,
    PRIMARY KEY (label_id, document_id)
) WITHOUT ROWID;

CREATE VIEW labels AS
    SELECT kind, value, document_id
    FROM label_uses JOIN label_names ON label_names.id = label_id;

-- Documents and labels follow the rows, whoever writes these. Labels are read from the view `memory_labels`,
-- which SQLite turns into searches by id. Of the triggers of one event each does its part whatever the others
-- have done yet: their order is SQLite's.

-- `labels` can be written: a name is stored once, as long as a document uses it.
CREATE TRIGGER labels_inserted INSTEAD OF INSERT ON labels BEGIN
    INSERT INTO label_names (kind, value) VALUES (NEW.kind, NEW.value) ON CONFLICT DO NOTHING;
    INSERT INTO label_uses (label_id, document_id)
        SELECT id, NEW.document_id FROM label_names WHERE kind = NEW.kind AND value = NEW.value
        ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER labels_deleted INSTEAD OF DELETE ON labels BEGIN
    DELETE FROM label_uses WHERE document_id = OLD.document_id
        AND label_id = (SELECT id FROM label_names WHERE kind = OLD.kind AND value = OLD.value);
    DELETE FROM label_names WHERE kind = OLD.kind AND value = OLD.value
        AND NOT EXISTS (SELECT 1 FROM label_uses WHERE label_id = label_names.id);
END;

-- A document takes its labels, and its place in the queue of the indexes, with it. Its row has to be
-- there still when it goes: rows are hidden and deleted BEFORE.
CREATE TRIGGER documents_inserted AFTER INSERT ON documents BEGIN
    INSERT INTO unindexed VALUES (NEW.id);
    INSERT INTO labels (kind, value, document_id)
        SELECT kind, value, NEW.id FROM memory_labels
        WHERE memory_kind = NEW.kind AND record_id = NEW.record_id;
END;
CREATE TRIGGER documents_deleted AFTER DELETE ON documents BEGIN
    DELETE FROM unindexed WHERE document_id = OLD.id;
    DELETE FROM labels WHERE document_id = OLD.id AND (kind, value) IN (
        SELECT kind, value FROM memory_labels
        WHERE memory_kind = OLD.kind AND record_id = OLD.record_id
    );
END;

-- The documents of observations.
CREATE TRIGGER observations_inserted AFTER INSERT ON observations
WHEN NEW.private = 0 AND NEW.deleted_at IS NULL AND NEW.type <> 'noise' BEGIN
    INSERT INTO documents (kind, record_id, session_id, project, type, created_at, pinned)
        VALUES ('o', NEW.id, NEW.session_id, NEW.project, NEW.type, NEW.created_at, NEW.pinned);
END;
CREATE TRIGGER observations_changed
AFTER UPDATE OF private, deleted_at, session_id, project, type, created_at, pinned ON observations BEGIN
    INSERT INTO documents (kind, record_id, session_id, project, type, created_at, pinned)
        SELECT * FROM visible_memories WHERE kind = 'o' AND record_id = NEW.id
        ON CONFLICT (kind, record_id) DO UPDATE SET
            session_id = excluded.session_id, project = excluded.project, type = excluded.type,
            created_at = excluded.created_at, pinned = excluded.pinned;
END;
CREATE TRIGGER observations_hidden BEFORE UPDATE OF private, deleted_at, type ON observations
WHEN NEW.private = 1 OR NEW.deleted_at IS NOT NULL OR NEW.type = 'noise' BEGIN
    DELETE FROM documents WHERE kind = 'o' AND record_id = OLD.id;
END;
CREATE TRIGGER observations_deleted BEFORE DELETE ON observations BEGIN
    DELETE FROM documents WHERE kind = 'o' AND record_id = OLD.id;
END;
CREATE TRIGGER observations_reworded
AFTER UPDATE OF title, subtitle, narrative, text, facts, concepts, files_read, files_modified, tags ON
    observations
WHEN (OLD.title, OLD.subtitle, OLD.narrative, OLD.text, OLD.facts, OLD.concepts, OLD.files_read,
        OLD.files_modified, OLD.tags)
    IS NOT (NEW.title, NEW.subtitle, NEW.narrative, NEW.text, NEW.facts, NEW.concepts, NEW.files_read,
        NEW.files_modified, NEW.tags) BEGIN
    INSERT INTO unindexed SELECT id FROM documents WHERE kind = 'o' AND record_id = NEW.id
        ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER observations_unlabelled
BEFORE UPDATE OF concepts, files_read, files_modified, tags ON observations
WHEN (OLD.concepts, OLD.files_read, OLD.files_modified, OLD.tags)
    IS NOT (NEW.concepts, NEW.files_read, NEW.files_modified, NEW.tags) BEGIN
    DELETE FROM labels
        WHERE document_id = (SELECT id FROM documents WHERE kind = 'o' AND record_id = OLD.id)
        AND (kind, value) IN (
            SELECT kind, value FROM memory_labels WHERE memory_kind = 'o' AND record_id = OLD.id
        );
END;
CREATE TRIGGER observations_labelled
AFTER UPDATE OF concepts, files_read, files_modified, tags ON observations
WHEN (OLD.concepts, OLD.files_read, OLD.files_modified, OLD.tags)
    IS NOT (NEW.concepts, NEW.files_read, NEW.files_modified, NEW.tags) BEGIN
    INSERT INTO labels (kind, value, document_id)
        SELECT l.kind, l.value, d.id FROM documents d CROSS JOIN memory_labels l
        WHERE d.kind = 'o' AND d.record_id = NEW.id AND l.memory_kind = 'o' AND l.record_id = NEW.id;
END;

-- Of prompts.
CREATE TRIGGER prompts_inserted AFTER INSERT ON prompts
WHEN NEW.private = 0 AND NEW.deleted_at IS NULL BEGIN
    INSERT INTO documents (kind, record_id, session_id, project, type, created_at, pinned)
        VALUES ('p', NEW.id, NEW.session_id,
            coalesce((SELECT project FROM sessions WHERE id = NEW.session_id), ''),
            'prompt', NEW.created_at, NEW.pinned);
END;
CREATE TRIGGER prompts_changed
AFTER UPDATE OF private, deleted_at, session_id, created_at, pinned ON prompts BEGIN
    INSERT INTO documents (kind, record_id, session_id, project, type, created_at, pinned)
        SELECT * FROM visible_memories WHERE kind = 'p' AND record_id = NEW.id
        ON CONFLICT (kind, record_id) DO UPDATE SET
            session_id = excluded.session_id, project = excluded.project, type = excluded.type,
            created_at = excluded.created_at, pinned = excluded.pinned;
END;
CREATE TRIGGER prompts_hidden BEFORE UPDATE OF private, deleted_at ON prompts
WHEN NEW.private = 1 OR NEW.deleted_at IS NOT NULL BEGIN
    DELETE FROM documents WHERE kind = 'p' AND record_id = OLD.id;
END;
CREATE TRIGGER prompts_deleted BEFORE DELETE ON prompts BEGIN
    DELETE FROM documents WHERE kind = 'p' AND record_id = OLD.id;
END;
CREATE TRIGGER prompts_reworded AFTER UPDATE OF text ON prompts
WHEN OLD.text IS NOT NEW.text BEGIN
    INSERT INTO unindexed SELECT id FROM documents WHERE kind = 'p' AND record_id = NEW.id
        ON CONFLICT DO NOTHING;
END;

-- Of summaries. One that comes, changes or goes hides or shows the brief ones of its session.
CREATE TRIGGER summaries_inserted AFTER INSERT ON summaries
WHEN NEW.private = 0 AND NEW.deleted_at IS NULL BEGIN
    DELETE FROM documents WHERE kind = 's'
        AND record_id IN (SELECT brief_id FROM second_levels WHERE session_id = NEW.session_id);
    INSERT INTO documents (kind, record_id, session_id, project, type, created_at, pinned)
        SELECT * FROM visible_memories WHERE kind = 's' AND record_id = NEW.id;
END;
CREATE TRIGGER summaries_changed
AFTER UPDATE OF private, deleted_at, session_id, project, created_at, pinned ON summaries BEGIN
    INSERT INTO documents (kind, record_id, session_id, project, type, created_at, pinned)
        SELECT * FROM visible_memories WHERE kind = 's' AND record_id = NEW.id
        ON CONFLICT (kind, record_id) DO UPDATE SET
            session_id = excluded.session_id, project = excluded.project, type = excluded.type,
            created_at = excluded.created_at, pinned = excluded.pinned;
END;
CREATE TRIGGER summaries_hidden BEFORE UPDATE OF private, deleted_at ON summaries
WHEN NEW.private = 1 OR NEW.deleted_at IS NOT NULL BEGIN
    DELETE FROM documents WHERE kind = 's' AND record_id = OLD.id;
END;
CREATE TRIGGER summaries_deleted BEFORE DELETE ON summaries BEGIN
    DELETE FROM documents WHERE kind = 's' AND record_id = OLD.id;
END;
CREATE TRIGGER summaries_reworded
AFTER UPDATE OF request, investigated, learned, completed, next_steps, notes, text, files_read,
    files_edited ON summaries
WHEN (OLD.request, OLD.investigated, OLD.learned, OLD.completed, OLD.next_steps, OLD.notes, OLD.text,
        OLD.files_read, OLD.files_edited)
    IS NOT (NEW.request, NEW.investigated, NEW.learned, NEW.completed, NEW.next_steps, NEW.notes,
        NEW.text, NEW.files_read, NEW.files_edited) BEGIN
    INSERT INTO unindexed SELECT id FROM documents WHERE kind = 's' AND record_id = NEW.id
        ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER summaries_unlabelled BEFORE UPDATE OF files_read, files_edited ON summaries
WHEN (OLD.files_read, OLD.files_edited) IS NOT (NEW.files_read, NEW.files_edited) BEGIN
    DELETE FROM labels
        WHERE document_id = (SELECT id FROM documents WHERE kind = 's' AND record_id = OLD.id)
        AND (kind, value) IN (
            SELECT kind, value FROM memory_labels WHERE memory_kind = 's' AND record_id = OLD.id
        );
END;
CREATE TRIGGER summaries_labelled AFTER UPDATE OF files_read, files_edited ON summaries
WHEN (OLD.files_read, OLD.files_edited) IS NOT (NEW.files_read, NEW.files_edited) BEGIN
    INSERT INTO labels (kind, value, document_id)
        SELECT l.kind, l.value, d.id FROM documents d CROSS JOIN memory_labels l
        WHERE d.kind = 's' AND d.record_id = NEW.id AND l.memory_kind = 's' AND l.record_id = NEW.id;
END;

-- Of facts.
CREATE TRIGGER facts_inserted AFTER INSERT ON facts
WHEN NEW.private = 0 AND NEW.deleted_at IS NULL BEGIN
    INSERT INTO documents (kind, record_id, session_id, project, type, created_at, pinned)
        VALUES ('f', NEW.id, NULL, NEW.project, 'fact', NEW.created_at, NEW.pinned);
END;
CREATE TRIGGER facts_changed
AFTER UPDATE OF private, deleted_at, project, created_at, pinned ON facts BEGIN
    INSERT INTO documents (kind, record_id, session_id, project, type, created_at, pinned)
        SELECT * FROM visible_memories WHERE kind = 'f' AND record_id = NEW.id
        ON CONFLICT (kind, record_id) DO UPDATE SET
            session_id = excluded.session_id, project = excluded.project, type = excluded.type,
            created_at = excluded.created_at, pinned = excluded.pinned;
END;
CREATE TRIGGER facts_hidden BEFORE UPDATE OF private, deleted_at ON facts
WHEN NEW.private = 1 OR NEW.deleted_at IS NOT NULL BEGIN
    DELETE FROM documents WHERE kind = 'f' AND record_id = OLD.id;
END;
CREATE TRIGGER facts_deleted BEFORE DELETE ON facts BEGIN
    DELETE FROM documents WHERE kind = 'f' AND record_id = OLD.id;
END;
CREATE TRIGGER facts_reworded AFTER UPDATE OF content, entities ON facts
WHEN (OLD.content, OLD.entities) IS NOT (NEW.content, NEW.entities) BEGIN
    INSERT INTO unindexed SELECT id FROM documents WHERE kind = 'f' AND record_id = NEW.id
        ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER facts_unlabelled BEFORE UPDATE OF entities ON facts
WHEN OLD.entities IS NOT NEW.entities BEGIN
    DELETE FROM labels
        WHERE document_id = (SELECT id FROM documents WHERE kind = 'f' AND record_id = OLD.id)
        AND (kind, value) IN (
            SELECT kind, value FROM memory_labels WHERE memory_kind = 'f' AND record_id = OLD.id
        );
END;
CREATE TRIGGER facts_labelled AFTER UPDATE OF entities ON facts
WHEN OLD.entities IS NOT NEW.entities BEGIN
    INSERT INTO labels (kind, value, document_id)
        SELECT l.kind, l.value, d.id FROM documents d CROSS JOIN memory_labels l
        WHERE d.kind = 'f' AND d.record_id = NEW.id AND l.memory_kind = 'f' AND l.record_id = NEW.id;
END;

CREATE TRIGGER summaries_levelled AFTER UPDATE OF private, deleted_at, session_id, project, level,
    source, extra, request, investigated, learned, completed, next_steps, notes, text
ON summaries BEGIN
    DELETE FROM documents WHERE kind = 's'
        AND record_id IN (SELECT brief_id FROM second_levels WHERE session_id = NEW.session_id);
    INSERT INTO documents (kind, record_id, session_id, project, type, created_at, pinned)
        SELECT * FROM visible_memories WHERE kind = 's' AND record_id IN (
            SELECT brief_id FROM summary_levels WHERE session_id IN (OLD.session_id, NEW.session_id)
        ) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER summaries_alone AFTER DELETE ON summaries WHEN OLD.level = 'detailed' BEGIN
    INSERT INTO documents (kind, record_id, session_id, project, type, created_at, pinned)
        SELECT * FROM visible_memories WHERE kind = 's' AND record_id IN (
            SELECT brief_id FROM summary_levels WHERE session_id = OLD.session_id
        ) ON CONFLICT DO NOTHING;
END;

-- A session never shows a prompt that is hidden, and its prompts are of its project. `hlc` may be the largest
-- number there is already.
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
CREATE TRIGGER sessions_renamed AFTER UPDATE OF project ON sessions
WHEN OLD.project IS NOT NEW.project BEGIN
    UPDATE documents SET project = NEW.project WHERE session_id = NEW.id AND kind = 'p';
END;
