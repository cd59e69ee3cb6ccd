-- The team that this store shares memories with (`store/team`), at most one, and what of it is known here.

-- dsn: where its server is, without a password. member and role: who this store is there. cursor: the number of
-- the newest row of the server that is stored here. tells: what teammates shared agents are told: off, accepted
-- (facts and decisions), all. trouble: why it could not be met at tried_at (ms).
CREATE TABLE team (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    team_id TEXT NOT NULL,
    name TEXT NOT NULL,
    dsn TEXT NOT NULL,
    member TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('reader', 'writer', 'admin')),
    cursor INTEGER NOT NULL DEFAULT 0,
    tells TEXT NOT NULL DEFAULT 'off' CHECK (tells IN ('off', 'accepted', 'all')),
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
-- and version. shared_here: whether this store gave it, whose rules may take it away again.
CREATE TABLE team_rows (
    kind TEXT NOT NULL,
    uid TEXT NOT NULL,
    author TEXT NOT NULL,
    project TEXT NOT NULL,
    visibility TEXT NOT NULL,
    state TEXT NOT NULL,
    version TEXT NOT NULL,
    shared_here INTEGER NOT NULL DEFAULT 0 CHECK (shared_here IN (0, 1)),
    PRIMARY KEY (kind, uid)
) STRICT, WITHOUT ROWID;
CREATE INDEX team_rows_by_author ON team_rows (author);

-- What members said of each other's memories: uid is the memory's. The reply to one that is disputed is shared.
CREATE TABLE team_reviews (
    uid TEXT NOT NULL,
    member TEXT NOT NULL,
    verdict TEXT NOT NULL CHECK (verdict IN ('accepted', 'kept out', 'disputed')),
    reply TEXT NOT NULL DEFAULT '',
    at INTEGER NOT NULL,
    PRIMARY KEY (uid, member)
) STRICT, WITHOUT ROWID;

-- The memories that teammates shared, and whether agents are told nothing of them. Step 28 has it anew.
CREATE VIEW team_memories AS
    SELECT 'o' AS kind, m.id AS record_id, k.author, CASE t.tells WHEN 'all' THEN coalesce(r.verdict, '') IN ('kept out', 'disputed')
        WHEN 'accepted' THEN coalesce(r.verdict, '') <> 'accepted' ELSE 1 END AS is_withheld
    FROM observations m JOIN team_rows k ON k.kind = 'observations' AND k.uid = m.uid JOIN team t ON t.id = 1 AND k.author <> t.member
    LEFT JOIN team_reviews r ON r.uid = m.uid AND r.member = t.member
    UNION ALL
    SELECT 'p', m.id, k.author, CASE t.tells WHEN 'all' THEN coalesce(r.verdict, '') IN ('kept out', 'disputed')
        WHEN 'accepted' THEN coalesce(r.verdict, '') <> 'accepted' ELSE 1 END
    FROM prompts m JOIN team_rows k ON k.kind = 'prompts' AND k.uid = m.uid JOIN team t ON t.id = 1 AND k.author <> t.member
    LEFT JOIN team_reviews r ON r.uid = m.uid AND r.member = t.member
    UNION ALL
    SELECT 's', m.id, k.author, CASE t.tells WHEN 'all' THEN coalesce(r.verdict, '') IN ('kept out', 'disputed')
        WHEN 'accepted' THEN coalesce(r.verdict, '') <> 'accepted' ELSE 1 END
    FROM summaries m JOIN team_rows k ON k.kind = 'summaries' AND k.uid = m.uid JOIN team t ON t.id = 1 AND k.author <> t.member
    LEFT JOIN team_reviews r ON r.uid = m.uid AND r.member = t.member
    UNION ALL
    SELECT 'f', m.id, k.author, CASE t.tells WHEN 'all' THEN coalesce(r.verdict, '') IN ('kept out', 'disputed')
        WHEN 'accepted' THEN coalesce(r.verdict, '') <> 'accepted' ELSE 1 END
    FROM facts m JOIN team_rows k ON k.kind = 'facts' AND k.uid = m.uid JOIN team t ON t.id = 1 AND k.author <> t.member
    LEFT JOIN team_reviews r ON r.uid = m.uid AND r.member = t.member
    UNION ALL
    SELECT '@', m.id, k.author, CASE t.tells WHEN 'all' THEN coalesce(r.verdict, '') IN ('kept out', 'disputed')
        WHEN 'accepted' THEN coalesce(r.verdict, '') <> 'accepted' ELSE 1 END
    FROM sessions m JOIN team_rows k ON k.kind = 'sessions' AND k.uid = m.uid JOIN team t ON t.id = 1 AND k.author <> t.member
    LEFT JOIN team_reviews r ON r.uid = m.uid AND r.member = t.member
    UNION ALL
    SELECT 'n', m.id, k.author, CASE t.tells WHEN 'all' THEN coalesce(r.verdict, '') IN ('kept out', 'disputed')
        WHEN 'accepted' THEN coalesce(r.verdict, '') <> 'accepted' ELSE 1 END
    FROM notes m JOIN team_rows k ON k.kind = 'notes' AND k.uid = m.uid JOIN team t ON t.id = 1 AND k.author <> t.member
    LEFT JOIN team_reviews r ON r.uid = m.uid AND r.member = t.member;
