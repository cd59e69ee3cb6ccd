-- How often agents of this machine were given a memory, when last and which one in which session; and how often one
-- read it after that by asking for it, or named it in a reply. kind: a letter, as in documents, or n for a note. The
-- log of contexts keeps its newest entries, this all counts.
CREATE TABLE memory_uses (
    kind TEXT NOT NULL,
    record_id INTEGER NOT NULL,
    told INTEGER NOT NULL DEFAULT 0,
    told_at INTEGER,
    agent TEXT NOT NULL DEFAULT '',
    session TEXT NOT NULL DEFAULT '',
    reads INTEGER NOT NULL DEFAULT 0,
    read_at INTEGER,
    cited INTEGER NOT NULL DEFAULT 0,
    cited_at INTEGER,
    PRIMARY KEY (kind, record_id)
) STRICT, WITHOUT ROWID;
INSERT INTO memory_uses (kind, record_id, told, told_at, agent, session)
    SELECT iif(value GLOB '[0-9]*', 'o', substr(value, 1, 1)), CAST(ltrim(value, 'pfsn') AS INTEGER), count(*), max(at),
        agent, session
    FROM given_contexts, json_each(iif(json_valid(refs), refs, '[]'))
    WHERE value GLOB '[0-9pfsn]*' GROUP BY 1, 2;

-- They go with their memory: a later one may have its number.
-- @each table: kind of observations: o; prompts: p; summaries: s; facts: f; notes: n
CREATE TRIGGER @table_uses_deleted AFTER DELETE ON @table BEGIN
    DELETE FROM memory_uses WHERE kind = '@kind' AND record_id = OLD.id;
END;
-- @end
