-- How long memories are kept, by project; '*' is for every project without a policy of its own.
CREATE TABLE retention_policies (
    project TEXT PRIMARY KEY,
    days INTEGER NOT NULL CHECK (days > 0),
    grace_days INTEGER NOT NULL CHECK (grace_days >= 0),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What was purged, without a word of what it said, so that no import brings it back.
CREATE TABLE purged (
    uid TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    source TEXT,
    native_id TEXT,
    at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX purged_by_source ON purged (source, native_id) WHERE source IS NOT NULL;
