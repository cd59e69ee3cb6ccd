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
-- The names that the most documents have, of each kind.
CREATE INDEX label_names_by_uses ON label_names (kind, uses DESC, value);
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

-- A document comes with its row. A summary that comes hides the brief ones of its session.
CREATE TRIGGER observations_inserted AFTER INSERT ON observations
WHEN NEW.private = 0 AND NEW.deleted_at IS NULL AND NEW.type <> 'noise' BEGIN
    INSERT INTO documents (kind, record_id, session_id, project, type, created_at, pinned)
        VALUES ('o', NEW.id, NEW.session_id, NEW.project, NEW.type, NEW.created_at, NEW.pinned);
END;
CREATE TRIGGER prompts_inserted AFTER INSERT ON prompts
WHEN NEW.private = 0 AND NEW.deleted_at IS NULL BEGIN
    INSERT INTO documents (kind, record_id, session_id, project, type, created_at, pinned)
        VALUES ('p', NEW.id, NEW.session_id,
            coalesce((SELECT project FROM sessions WHERE id = NEW.session_id), ''),
            'prompt', NEW.created_at, NEW.pinned);
END;
CREATE TRIGGER summaries_inserted AFTER INSERT ON summaries
WHEN NEW.private = 0 AND NEW.deleted_at IS NULL BEGIN
    DELETE FROM documents WHERE kind = 's'
        AND record_id IN (SELECT brief_id FROM second_levels WHERE session_id = NEW.session_id);
    INSERT INTO documents (kind, record_id, session_id, project, type, created_at, pinned)
        SELECT * FROM visible_memories WHERE kind = 's' AND record_id = NEW.id;
END;
CREATE TRIGGER facts_inserted AFTER INSERT ON facts
WHEN NEW.private = 0 AND NEW.deleted_at IS NULL BEGIN
    INSERT INTO documents (kind, record_id, session_id, project, type, created_at, pinned)
        VALUES ('f', NEW.id, NULL, NEW.project, 'fact', NEW.created_at, NEW.pinned);
END;

-- It changes, is hidden and goes with its row. placed: the columns that it takes over; seen: those that hide it.
-- @each table: kind: placed: seen: is_hidden of
--     observations: o: private, deleted_at, session_id, project, type, created_at, pinned
--         : private, deleted_at, type: NEW.private = 1 OR NEW.deleted_at IS NOT NULL OR NEW.type = 'noise';
--     prompts: p: private, deleted_at, session_id, created_at, pinned
--         : private, deleted_at: NEW.private = 1 OR NEW.deleted_at IS NOT NULL;
--     summaries: s: private, deleted_at, session_id, project, created_at, pinned
--         : private, deleted_at: NEW.private = 1 OR NEW.deleted_at IS NOT NULL;
--     facts: f: private, deleted_at, project, created_at, pinned
--         : private, deleted_at: NEW.private = 1 OR NEW.deleted_at IS NOT NULL
CREATE TRIGGER @table_changed AFTER UPDATE OF @placed ON @table BEGIN
    INSERT INTO documents (kind, record_id, session_id, project, type, created_at, pinned)
        SELECT * FROM visible_memories WHERE kind = '@kind' AND record_id = NEW.id
        ON CONFLICT (kind, record_id) DO UPDATE SET
            session_id = excluded.session_id, project = excluded.project, type = excluded.type,
            created_at = excluded.created_at, pinned = excluded.pinned;
END;
CREATE TRIGGER @table_hidden BEFORE UPDATE OF @seen ON @table
WHEN @is_hidden BEGIN
    DELETE FROM documents WHERE kind = '@kind' AND record_id = OLD.id;
END;
CREATE TRIGGER @table_deleted BEFORE DELETE ON @table BEGIN
    DELETE FROM documents WHERE kind = '@kind' AND record_id = OLD.id;
END;
-- @end

-- It waits to be indexed when its words change.
-- @each table: kind: words of
--     observations: o: title, subtitle, narrative, text, facts, concepts, files_read, files_modified, tags;
--     prompts: p: text;
--     summaries: s: request, investigated, learned, completed, next_steps, notes, text, files_read, files_edited;
--     facts: f: content, entities
CREATE TRIGGER @table_reworded AFTER UPDATE OF @words ON @table
WHEN OLD.@words IS NOT NEW.@words BEGIN
    INSERT INTO unindexed SELECT id FROM documents WHERE kind = '@kind' AND record_id = NEW.id
        ON CONFLICT DO NOTHING;
END;
-- @end

-- Its labels are those of its row's lists.
-- @each table: kind: lists of
--     observations: o: concepts, files_read, files_modified, tags;
--     summaries: s: files_read, files_edited;
--     facts: f: entities
CREATE TRIGGER @table_unlabelled BEFORE UPDATE OF @lists ON @table
WHEN OLD.@lists IS NOT NEW.@lists BEGIN
    DELETE FROM labels
        WHERE document_id = (SELECT id FROM documents WHERE kind = '@kind' AND record_id = OLD.id)
        AND (kind, value) IN (
            SELECT kind, value FROM memory_labels WHERE memory_kind = '@kind' AND record_id = OLD.id
        );
END;
CREATE TRIGGER @table_labelled AFTER UPDATE OF @lists ON @table
WHEN OLD.@lists IS NOT NEW.@lists BEGIN
    INSERT INTO labels (kind, value, document_id)
        SELECT l.kind, l.value, d.id FROM documents d CROSS JOIN memory_labels l
        WHERE d.kind = '@kind' AND d.record_id = NEW.id AND l.memory_kind = '@kind' AND l.record_id = NEW.id;
END;
-- @end

-- One that changes or goes hides or shows the brief ones of its session.
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
