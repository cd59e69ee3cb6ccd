-- The team that this store shares memories with (`store/team`), at most one, and what of it is known here.

-- dsn: where its server is, without a password. member and role: who this store is there. cursor: the number of
-- the newest row of the server that is stored here. trouble: why it could not be met at tried_at (ms).
CREATE TABLE team (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    team_id TEXT NOT NULL,
    name TEXT NOT NULL,
    dsn TEXT NOT NULL,
    member TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('reader', 'writer', 'admin')),
    cursor INTEGER NOT NULL DEFAULT 0,
    met_at INTEGER,
    tried_at INTEGER,
    trouble TEXT
) STRICT;

-- Projects whose memories are shared, from since on (ms). types: of what kinds and types; '[]' for all but
-- prompts and noise.
CREATE TABLE team_projects (
    project TEXT PRIMARY KEY,
    visibility TEXT NOT NULL CHECK (visibility IN ('project', 'team')),
    since INTEGER NOT NULL DEFAULT 0,
    types TEXT NOT NULL DEFAULT '[]'
) STRICT, WITHOUT ROWID;

-- What was said of one memory, whatever its project's rule is.
CREATE TABLE team_choices (
    uid TEXT PRIMARY KEY,
    visibility TEXT NOT NULL CHECK (visibility IN ('private', 'project', 'team'))
) STRICT, WITHOUT ROWID;

-- The rows that are on the team's server, as far as this store has met it: whose they are, and of which state
-- and version. `withdrawn` ones are here only.
CREATE TABLE team_rows (
    kind TEXT NOT NULL,
    uid TEXT NOT NULL,
    author TEXT NOT NULL,
    project TEXT NOT NULL,
    visibility TEXT NOT NULL,
    state TEXT NOT NULL,
    version TEXT NOT NULL,
    PRIMARY KEY (kind, uid)
) STRICT, WITHOUT ROWID;
CREATE INDEX team_rows_by_author ON team_rows (author);
