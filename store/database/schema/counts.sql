-- How many documents, labels, facts and messages there are, so that nothing has to count a million rows.
-- Triggers keep the numbers, which follow from the rows alone. One that comes to 0 leaves no row, and so no
-- name, behind.

-- Documents as they are counted. What is inserted here is counted, `number` times; -1 takes one away.
CREATE VIEW counted_documents AS
    SELECT d.created_at, d.project, d.kind, d.type, coalesce(s.agent, '') AS agent, 1 AS number
    FROM documents d LEFT JOIN sessions s ON s.id = d.session_id;

-- Documents by what they say of themselves.
CREATE TABLE document_counts (
    project TEXT NOT NULL, kind TEXT NOT NULL, type TEXT NOT NULL, agent TEXT NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (project, kind, type, agent)
) WITHOUT ROWID;
CREATE INDEX document_counts_empty ON document_counts (number) WHERE number = 0;

-- The same in spans of 2^26 ms, some 19 hours.
CREATE TABLE span_counts (
    span INTEGER NOT NULL, project TEXT NOT NULL, kind TEXT NOT NULL, type TEXT NOT NULL,
    agent TEXT NOT NULL, number INTEGER NOT NULL,
    PRIMARY KEY (span, project, kind, type, agent)
) WITHOUT ROWID;
CREATE INDEX span_counts_empty ON span_counts (number) WHERE number = 0;

-- Those of each type, project and agent alone, in the same spans: what statistics of a year read.
CREATE TABLE value_counts (
    span INTEGER NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, number INTEGER NOT NULL,
    PRIMARY KEY (span, name, value)
) WITHOUT ROWID;
CREATE INDEX value_counts_empty ON value_counts (number) WHERE number = 0;

-- Of all together, in spans of 2^22 ms, some 70 minutes.
CREATE TABLE time_counts (span INTEGER PRIMARY KEY, number INTEGER NOT NULL);

CREATE TRIGGER counted_documents_inserted INSTEAD OF INSERT ON counted_documents BEGIN
    INSERT INTO document_counts
        VALUES (NEW.project, NEW.kind, NEW.type, NEW.agent, NEW.number)
        ON CONFLICT DO UPDATE SET number = number + excluded.number;
    DELETE FROM document_counts WHERE number = 0;
    INSERT INTO span_counts
        VALUES (NEW.created_at >> 26, NEW.project, NEW.kind, NEW.type, NEW.agent, NEW.number)
        ON CONFLICT DO UPDATE SET number = number + excluded.number;
    DELETE FROM span_counts WHERE number = 0;
    INSERT INTO value_counts VALUES
        (NEW.created_at >> 26, 'type', NEW.type, NEW.number),
        (NEW.created_at >> 26, 'project', NEW.project, NEW.number),
        (NEW.created_at >> 26, 'agent', NEW.agent, NEW.number)
        ON CONFLICT DO UPDATE SET number = number + excluded.number;
    DELETE FROM value_counts WHERE number = 0;
    INSERT INTO time_counts VALUES (NEW.created_at >> 22, NEW.number)
        ON CONFLICT DO UPDATE SET number = number + excluded.number;
    DELETE FROM time_counts WHERE span = NEW.created_at >> 22 AND number = 0;
END;
CREATE TRIGGER documents_counted AFTER INSERT ON documents BEGIN
    INSERT INTO counted_documents VALUES (
        NEW.created_at, NEW.project, NEW.kind, NEW.type,
        coalesce((SELECT agent FROM sessions WHERE id = NEW.session_id), ''), 1
    );
END;
CREATE TRIGGER documents_uncounted AFTER DELETE ON documents BEGIN
    INSERT INTO counted_documents VALUES (
        OLD.created_at, OLD.project, OLD.kind, OLD.type,
        coalesce((SELECT agent FROM sessions WHERE id = OLD.session_id), ''), -1
    );
END;
CREATE TRIGGER documents_recounted
AFTER UPDATE OF session_id, project, type, created_at ON documents
WHEN (OLD.session_id, OLD.project, OLD.type, OLD.created_at)
    IS NOT (NEW.session_id, NEW.project, NEW.type, NEW.created_at) BEGIN
    INSERT INTO counted_documents VALUES (
        OLD.created_at, OLD.project, OLD.kind, OLD.type,
        coalesce((SELECT agent FROM sessions WHERE id = OLD.session_id), ''), -1
    ), (
        NEW.created_at, NEW.project, NEW.kind, NEW.type,
        coalesce((SELECT agent FROM sessions WHERE id = NEW.session_id), ''), 1
    );
END;

-- A session may come after its documents, and go before them: without it they count as of no agent.
-- BEFORE, so that documents that change with their session are counted by its new agent already.
CREATE TRIGGER sessions_counted AFTER INSERT ON sessions WHEN NEW.agent <> '' BEGIN
    INSERT INTO counted_documents
        SELECT created_at, project, kind, type, agent, number
        FROM documents CROSS JOIN (SELECT '' AS agent, -1 AS number UNION ALL SELECT NEW.agent, 1)
        WHERE session_id = NEW.id;
END;
CREATE TRIGGER sessions_recounted BEFORE UPDATE OF agent ON sessions
WHEN OLD.agent IS NOT NEW.agent BEGIN
    INSERT INTO counted_documents
        SELECT created_at, project, kind, type, agent, number
        FROM documents CROSS JOIN (SELECT OLD.agent AS agent, -1 AS number UNION ALL SELECT NEW.agent, 1)
        WHERE session_id = NEW.id;
END;
CREATE TRIGGER sessions_uncounted BEFORE DELETE ON sessions WHEN OLD.agent <> '' BEGIN
    INSERT INTO counted_documents
        SELECT created_at, project, kind, type, agent, number
        FROM documents CROSS JOIN (SELECT OLD.agent AS agent, -1 AS number UNION ALL SELECT '', 1)
        WHERE session_id = OLD.id;
END;

-- How many documents have a label, in `label_names`.
CREATE TRIGGER label_uses_counted AFTER INSERT ON label_uses BEGIN
    UPDATE label_names SET uses = uses + 1 WHERE id = NEW.label_id;
END;
CREATE TRIGGER label_uses_uncounted AFTER DELETE ON label_uses BEGIN
    UPDATE label_names SET uses = uses - 1 WHERE id = OLD.label_id;
END;

-- The tokens that it took to discover the visible observations, in spans of 2^22 ms.
CREATE TABLE token_counts (span INTEGER PRIMARY KEY, tokens REAL NOT NULL);
CREATE TRIGGER observations_tokens AFTER INSERT ON observations
WHEN NEW.private = 0 AND NEW.deleted_at IS NULL AND NEW.type <> 'noise' AND NEW.discovery_tokens <> 0 BEGIN
    INSERT INTO token_counts VALUES (NEW.created_at >> 22, NEW.discovery_tokens)
        ON CONFLICT DO UPDATE SET tokens = tokens + excluded.tokens;
    DELETE FROM token_counts WHERE span = NEW.created_at >> 22 AND tokens = 0;
END;
CREATE TRIGGER observations_tokens_gone AFTER DELETE ON observations
WHEN OLD.private = 0 AND OLD.deleted_at IS NULL AND OLD.type <> 'noise' AND OLD.discovery_tokens <> 0 BEGIN
    UPDATE token_counts SET tokens = tokens - OLD.discovery_tokens WHERE span = OLD.created_at >> 22;
    DELETE FROM token_counts WHERE span = OLD.created_at >> 22 AND tokens = 0;
END;
CREATE TRIGGER observations_tokens_changed
AFTER UPDATE OF discovery_tokens, created_at, private, deleted_at, type ON observations
WHEN (OLD.discovery_tokens, OLD.created_at, OLD.private, OLD.deleted_at, OLD.type)
    IS NOT (NEW.discovery_tokens, NEW.created_at, NEW.private, NEW.deleted_at, NEW.type) BEGIN
    INSERT INTO token_counts SELECT OLD.created_at >> 22, -OLD.discovery_tokens
        WHERE OLD.private = 0 AND OLD.deleted_at IS NULL AND OLD.type <> 'noise' AND OLD.discovery_tokens <> 0
        ON CONFLICT DO UPDATE SET tokens = tokens + excluded.tokens;
    INSERT INTO token_counts SELECT NEW.created_at >> 22, NEW.discovery_tokens
        WHERE NEW.private = 0 AND NEW.deleted_at IS NULL AND NEW.type <> 'noise' AND NEW.discovery_tokens <> 0
        ON CONFLICT DO UPDATE SET tokens = tokens + excluded.tokens;
    DELETE FROM token_counts WHERE span IN (OLD.created_at >> 22, NEW.created_at >> 22) AND tokens = 0;
END;

-- How many visible facts of a kind a project has.
CREATE TABLE fact_counts (
    project TEXT NOT NULL, kind TEXT NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (project, kind)
) WITHOUT ROWID;
CREATE TRIGGER facts_counted AFTER INSERT ON facts
WHEN NEW.private = 0 AND NEW.deleted_at IS NULL BEGIN
    INSERT INTO fact_counts VALUES (NEW.project, NEW.kind, 1)
        ON CONFLICT DO UPDATE SET number = number + 1;
END;
CREATE TRIGGER facts_uncounted AFTER DELETE ON facts
WHEN OLD.private = 0 AND OLD.deleted_at IS NULL BEGIN
    UPDATE fact_counts SET number = number - 1 WHERE project = OLD.project AND kind = OLD.kind;
    DELETE FROM fact_counts WHERE project = OLD.project AND kind = OLD.kind AND number = 0;
END;
CREATE TRIGGER facts_recounted AFTER UPDATE OF project, kind, private, deleted_at ON facts
WHEN (OLD.project, OLD.kind, OLD.private = 0 AND OLD.deleted_at IS NULL)
    IS NOT (NEW.project, NEW.kind, NEW.private = 0 AND NEW.deleted_at IS NULL) BEGIN
    UPDATE fact_counts SET number = number - 1 WHERE project = OLD.project AND kind = OLD.kind
        AND OLD.private = 0 AND OLD.deleted_at IS NULL;
    INSERT INTO fact_counts SELECT NEW.project, NEW.kind, 1
        WHERE NEW.private = 0 AND NEW.deleted_at IS NULL
        ON CONFLICT DO UPDATE SET number = number + 1;
    DELETE FROM fact_counts WHERE project = OLD.project AND kind = OLD.kind AND number = 0;
END;

-- How many messages are in a state.
CREATE TABLE message_counts (status TEXT PRIMARY KEY, number INTEGER NOT NULL) WITHOUT ROWID;
CREATE TRIGGER pending_messages_counted AFTER INSERT ON pending_messages BEGIN
    INSERT INTO message_counts VALUES (NEW.status, 1) ON CONFLICT DO UPDATE SET number = number + 1;
END;
CREATE TRIGGER pending_messages_uncounted AFTER DELETE ON pending_messages BEGIN
    UPDATE message_counts SET number = number - 1 WHERE status = OLD.status;
END;
CREATE TRIGGER pending_messages_recounted AFTER UPDATE OF status ON pending_messages
WHEN OLD.status IS NOT NEW.status BEGIN
    UPDATE message_counts SET number = number - 1 WHERE status = OLD.status;
    INSERT INTO message_counts VALUES (NEW.status, 1) ON CONFLICT DO UPDATE SET number = number + 1;
END;
