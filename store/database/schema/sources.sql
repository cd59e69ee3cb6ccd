-- Where records came from, and where they are kept in step with files of other programs.

-- Which source a foreign file is, by what marks it: wherever a copy of it lies, however far it was
-- upgraded or damaged, its rows are the records that they became the first time. Marks are hashes.
CREATE TABLE source_marks (
    mark TEXT PRIMARY KEY,
    source TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Records whose row was gone when its source was last imported, and since when (ms). kind is the table.
CREATE TABLE vanished (
    kind TEXT NOT NULL,
    record_id INTEGER NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (kind, record_id)
) STRICT, WITHOUT ROWID;
-- @each table of sessions; prompts; observations; summaries; pending_messages; facts; notes
CREATE TRIGGER @table_forgotten AFTER DELETE ON @table BEGIN
    DELETE FROM vanished WHERE kind = '@table' AND record_id = OLD.id;
END;
-- @end

-- Where a directory of scheme C was last seen, by its source.
CREATE TABLE directories (
    directory TEXT PRIMARY KEY,
    path TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Directories that are kept in step with this store: how each of their files was when it was last read
-- (bytes and hash of its content).
CREATE TABLE synced_files (
    directory TEXT NOT NULL,
    file TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    hash TEXT NOT NULL,
    PRIMARY KEY (directory, file)
) STRICT, WITHOUT ROWID;

-- What of each record was last written to such a directory or read from it: the file, and a hash of its text.
CREATE TABLE synced_records (
    directory TEXT NOT NULL,
    uid TEXT NOT NULL,
    kind TEXT NOT NULL,
    file TEXT NOT NULL,
    hash TEXT NOT NULL,
    PRIMARY KEY (directory, uid)
) STRICT, WITHOUT ROWID;
