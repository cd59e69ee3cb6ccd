-- What the file says of itself, and what people chose in it: retention, projects, contexts of sessions,
-- searches.

PRAGMA application_id = 0x6d656d74; -- 'memt': how a file is known as ours

-- When the file was made, and when each later step was taken (ms). `PRAGMA user_version` is the truth.
CREATE TABLE schema_versions (
    version INTEGER PRIMARY KEY,
    applied_at INTEGER NOT NULL
) STRICT;

-- What is true of the whole file: whose machine it is of (machine_id), how the full-text indexes were made
-- (tokenizer), which state vectors follow (embeddings), what the journal no longer keeps (journal_dropped).
CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- How long memories are kept, by project; '*' is for every project without a policy of its own. Days may
-- be a part of one, or none.
CREATE TABLE retention_policies (
    project TEXT PRIMARY KEY,
    days REAL NOT NULL CHECK (days >= 0),
    grace_days REAL NOT NULL CHECK (grace_days >= 0),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

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

-- What sessions were given, and at what occasion: their start, by the source that the agent names
-- (startup, resume, clear, compact), "prompt" or "file". refs: the memories (JSON); tokens: about how many
-- they took. Their texts are not kept, so that what is deleted or hidden later is gone here too.
CREATE TABLE given_contexts (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    agent TEXT NOT NULL,
    session TEXT NOT NULL,
    project TEXT NOT NULL,
    tokens INTEGER NOT NULL,
    refs TEXT NOT NULL CHECK (json_valid(refs)),
    occasion TEXT NOT NULL DEFAULT 'startup'
) STRICT;

-- The query history: the newest few, each text once.
CREATE TABLE recent_searches (
    text TEXT PRIMARY KEY,
    used_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Queries that were saved under a name.
CREATE TABLE saved_searches (
    name TEXT PRIMARY KEY,
    query TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
