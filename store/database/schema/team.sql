-- The team that this store shares memories with (`store/leaves/team`), at most one, and what of it is known here.

-- dsn: where its server is, without a password. member and role: who this store is there. cursor: the number of
-- the newest row of the server that is stored here. tells: what teammates shared agents are told: off, accepted
-- (facts and decisions), all. trouble: why it could not be met at tried_at (ms). read_dsn: where it is for reads
-- alone, a replica of it: without user and password; '' for none.
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
    trouble TEXT,
    read_dsn TEXT NOT NULL DEFAULT ''
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

-- What is shared by choice, or by a project's rule, is looked at anew by the next meeting, also where a change
-- was taken back.
-- @each table: change: event of
--     team_choices: added: INSERT; team_choices: changed: UPDATE; team_choices: removed: DELETE;
--     team_projects: added: INSERT; team_projects: changed: UPDATE; team_projects: removed: DELETE
CREATE TRIGGER @table_@change AFTER @event ON @table BEGIN
    UPDATE sync_peers SET meeting = NULL WHERE machine LIKE 'team-%' AND meeting IS NOT NULL;
END;
-- @end

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

-- What members said of each other's memories: uid is the memory's, version that which the verdict was given on, its
-- clock and machine; what was accepted holds for that one only. The reply to one that is disputed is shared.
CREATE TABLE team_reviews (
    uid TEXT NOT NULL,
    member TEXT NOT NULL,
    verdict TEXT NOT NULL CHECK (verdict IN ('accepted', 'kept out', 'disputed')),
    reply TEXT NOT NULL DEFAULT '',
    at INTEGER NOT NULL,
    version TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (uid, member)
) STRICT, WITHOUT ROWID;

-- The machines of the other members, as the server knew them when something was pulled last.
CREATE TABLE team_machines (
    machine TEXT PRIMARY KEY,
    member TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The memories that teammates shared, and whether agents are told nothing of them. Also what is one's own as a
-- teammate wrote it, with that one for its author; and of a store in no team whatever `team_rows` holds: what a
-- machine of one's own that is in the team brought, with its author. Agents are told nothing of that.
-- Made anew by 0032_teams.sql.
CREATE VIEW team_memories AS
    SELECT m.kind, m.record_id, iif(k.author IS t.member, x.member, k.author) AS author,
        CASE t.tells WHEN 'all' THEN coalesce(r.verdict, '') IN ('kept out', 'disputed')
        WHEN 'accepted' THEN NOT (r.verdict IS 'accepted' AND r.version IS m.hlc || ' ' || m.editor) ELSE 1 END AS is_withheld
    FROM (
        SELECT 'o' AS kind, 'observations' AS name, id AS record_id, uid, hlc, editor FROM observations
        UNION ALL
        SELECT 'p', 'prompts', id, uid, hlc, editor FROM prompts
        UNION ALL
        SELECT 's', 'summaries', id, uid, hlc, editor FROM summaries
        UNION ALL
        SELECT 'f', 'facts', id, uid, hlc, editor FROM facts
        UNION ALL
        SELECT '@', 'sessions', id, uid, hlc, editor FROM sessions
        UNION ALL
        SELECT 'n', 'notes', id, uid, hlc, editor FROM notes
    ) m JOIN team_rows k ON k.kind = m.name AND k.uid = m.uid LEFT JOIN team t ON t.id = 1
    LEFT JOIN team_machines x ON x.machine = m.editor
    LEFT JOIN team_reviews r ON r.uid = m.uid AND r.member = t.member
    WHERE k.author IS NOT t.member OR x.member IS NOT NULL;
