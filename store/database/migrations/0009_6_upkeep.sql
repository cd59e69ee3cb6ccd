-- The journal: every edit and delete as a changeset that can be taken back.
CREATE TABLE changes (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    what TEXT NOT NULL,
    changeset BLOB NOT NULL,
    undone_at INTEGER
) STRICT;

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

-- Where a project is known to lie: kind is remote (host/owner/name) or root (a directory).
CREATE TABLE project_places (
    kind TEXT NOT NULL CHECK (kind IN ('remote', 'root')),
    place TEXT NOT NULL,
    project TEXT NOT NULL,
    PRIMARY KEY (kind, place)
) STRICT, WITHOUT ROWID;

-- A project's former names, after a merge.
CREATE TABLE project_aliases (
    name TEXT PRIMARY KEY,
    project TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The query history: the newest few, each text once.
CREATE TABLE recent_searches (
    text TEXT PRIMARY KEY,
    used_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE saved_searches (
    name TEXT PRIMARY KEY,
    query TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What sessions were given when they started: the refs of the memories (JSON) and about how many
-- tokens they took. Their texts are not kept, so that what is deleted or hidden later is gone here too.
CREATE TABLE given_contexts (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    agent TEXT NOT NULL,
    session TEXT NOT NULL,
    project TEXT NOT NULL,
    tokens INTEGER NOT NULL,
    refs TEXT NOT NULL CHECK (json_valid(refs))
) STRICT;

-- What somebody has chosen for a project's sessions: lists of refs (JSON). first: in this order,
-- before all else; left_out: never; brief: only their line, not their text.
CREATE TABLE context_profiles (
    project TEXT PRIMARY KEY,
    updated_at INTEGER NOT NULL,
    budget INTEGER NOT NULL,
    first TEXT NOT NULL CHECK (json_valid(first)),
    left_out TEXT NOT NULL CHECK (json_valid(left_out)),
    brief TEXT NOT NULL CHECK (json_valid(brief))
) STRICT, WITHOUT ROWID;
