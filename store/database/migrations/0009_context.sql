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

-- A project's last summary and facts, without a walk over all of its observations.
CREATE INDEX documents_summaries ON documents (project, created_at) WHERE kind = 's';
CREATE INDEX documents_facts ON documents (project, created_at) WHERE kind = 'f';
