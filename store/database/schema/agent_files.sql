-- Files of agents that were edited here or seen in more than one version, as they were left: the journal's
-- changes of these rows are what an undo takes back in the files themselves. The path is bytes, for it need
-- not be UTF-8; sha256, mode and mtime_ns are NULL where there is no file.
CREATE TABLE agent_files (
    id INTEGER PRIMARY KEY,
    uid TEXT NOT NULL UNIQUE,
    path BLOB NOT NULL UNIQUE,
    sha256 TEXT,
    mode INTEGER,
    mtime_ns INTEGER
) STRICT;

-- The versions of these files whose bytes are kept beside the memory, by their hashes; seen_at is ms.
CREATE TABLE agent_file_versions (
    file_id INTEGER NOT NULL REFERENCES agent_files (id) ON DELETE CASCADE,
    seen_at INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    size INTEGER NOT NULL,
    PRIMARY KEY (file_id, seen_at, sha256)
) STRICT, WITHOUT ROWID;
CREATE INDEX agent_file_versions_by_content ON agent_file_versions (sha256);
