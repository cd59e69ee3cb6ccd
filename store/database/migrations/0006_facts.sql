-- A statement as it is compared: see store/statements.py. NULL until the store has met it.
ALTER TABLE facts ADD COLUMN statement TEXT;

DROP INDEX facts_statement;
CREATE UNIQUE INDEX facts_statement ON facts (project, kind, coalesce(statement, content))
    WHERE deleted_at IS NULL;
CREATE INDEX facts_by_statement ON facts (statement, kind);

-- Who told a fact: its confidence, entities, evidence and sources are made of these rows. source is
-- '' for what was told here, else the memory it came from; witnesses: what it rests on, each of
-- which counts once; is_verdict: it tells how sure its memory is, whatever its witnesses said.
CREATE TABLE fact_sources (
    id INTEGER PRIMARY KEY,
    uid TEXT NOT NULL UNIQUE,
    fact_id INTEGER NOT NULL REFERENCES facts (id) ON DELETE CASCADE,
    source TEXT NOT NULL,
    native_id TEXT NOT NULL,
    told_at INTEGER NOT NULL,
    deleted_at INTEGER,
    vanished_at INTEGER,
    is_verdict INTEGER NOT NULL DEFAULT 0 CHECK (is_verdict IN (0, 1)),
    confidence REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    entities TEXT NOT NULL CHECK (json_valid(entities)),
    evidence TEXT NOT NULL CHECK (json_valid(evidence)),
    places TEXT NOT NULL CHECK (json_valid(places)),
    witnesses TEXT NOT NULL CHECK (json_valid(witnesses)),
    session TEXT,
    extra TEXT CHECK (extra IS NULL OR json_valid(extra)),
    UNIQUE (fact_id, source, native_id)
) STRICT;
CREATE INDEX fact_sources_by_source ON fact_sources (source, native_id);

-- Directories that are kept in step with this store, by their source: how each of their files was
-- when it was last read (bytes and hash of its content), and what of each record was last written
-- there or read from there (the file, and a hash of what it said).
CREATE TABLE synced_files (
    directory TEXT NOT NULL,
    file TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    hash TEXT NOT NULL,
    PRIMARY KEY (directory, file)
) STRICT, WITHOUT ROWID;
CREATE TABLE synced_records (
    directory TEXT NOT NULL,
    uid TEXT NOT NULL,
    kind TEXT NOT NULL,
    file TEXT NOT NULL,
    hash TEXT NOT NULL,
    PRIMARY KEY (directory, uid)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER facts_forgotten AFTER DELETE ON facts BEGIN
    DELETE FROM vanished WHERE kind = 'facts' AND record_id = OLD.id;
END;
CREATE TRIGGER notes_forgotten AFTER DELETE ON notes BEGIN
    DELETE FROM vanished WHERE kind = 'notes' AND record_id = OLD.id;
END;

-- Where a directory of scheme C was last seen, by its source.
CREATE TABLE directories (
    directory TEXT PRIMARY KEY,
    path TEXT NOT NULL
) STRICT, WITHOUT ROWID;
