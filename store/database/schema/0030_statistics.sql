-- What statistics of a year read instead of every span's counts and every observation. Triggers keep it.

-- How many documents have a type, a project or an agent, each alone, in spans of 2^26 ms.
CREATE TABLE value_counts (
    span INTEGER NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, number INTEGER NOT NULL,
    PRIMARY KEY (span, name, value)
) WITHOUT ROWID;
CREATE INDEX value_counts_empty ON value_counts (number) WHERE number = 0;
INSERT INTO value_counts
    SELECT span, column1, CASE column1 WHEN 'type' THEN type WHEN 'project' THEN project ELSE agent END, sum(number)
    FROM span_counts CROSS JOIN (VALUES ('type'), ('project'), ('agent')) GROUP BY 1, 2, 3;

DROP TRIGGER counted_documents_inserted;
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

-- The tokens that it took to discover the visible observations, in spans of 2^22 ms.
CREATE TABLE token_counts (span INTEGER PRIMARY KEY, tokens REAL NOT NULL);
INSERT INTO token_counts
    SELECT created_at >> 22, total(discovery_tokens) FROM observations INDEXED BY observations_discovery
    WHERE private = 0 AND deleted_at IS NULL AND type <> 'noise' AND discovery_tokens <> 0 GROUP BY 1;
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
