-- A team's memory on a server that speaks PostgreSQL's protocol, also where one of many nodes keeps each row. Only
-- what distributed engines know too: no row security, triggers, temporary tables, advisory locks, LISTEN, indexes
-- over several columns by GIN, generated columns, text search, or references between rows.
--
-- Nobody but the owner reads or writes a table: members call functions.sql, which run as the owner, ask once who
-- has logged in (session_user) and what time it is, hand both on as values, and name all that they use in full.
--
-- This is what a new server begins with. A step to version N is a file NNNN_what.sql, and `SCHEMA` in server.py.

-- read_dsn: where a replica of this server is, for members' searches and pulls: without user and password; '' for
-- none. The database's owner sets it, since members' programs log in there.
CREATE TABLE memtui.team (
    team_id text PRIMARY KEY,
    name text NOT NULL,
    made_at bigint NOT NULL,
    read_dsn text NOT NULL DEFAULT ''
);

-- A member's name is the role that logs in. projects: those that it reads and writes; NULL for all.
CREATE TABLE memtui.member (
    team_id text NOT NULL,
    name text NOT NULL,
    role text NOT NULL CHECK (role IN ('reader', 'writer', 'admin')),
    projects text[],
    joined_at bigint NOT NULL,
    revoked_at bigint,
    PRIMARY KEY (team_id, name)
);

-- Whose machine one is: the first member who names it. meeting: a random name of its last one.
CREATE TABLE memtui.device (
    team_id text NOT NULL,
    machine text NOT NULL,
    member text NOT NULL,
    name text NOT NULL DEFAULT '',
    meeting text,
    met_at bigint,
    PRIMARY KEY (team_id, machine)
);

-- The number of the newest row of each slot: a team, and one of 16 hashes of a row's uid. A push is of one slot, and
-- updates its number first: so pushes to a slot commit in the order of their numbers, whoever has read a slot up to
-- one has all before it, and pushes to different slots wait for nothing of each other's. A slot is on one node, with
-- its rows: what a push stores is seen whole or not at all.
CREATE TABLE memtui.head (
    slot text PRIMARY KEY,
    head bigint NOT NULL
);

-- Records, and rules on them (merges, aliases, reviews), a row each. hlc and editor order two versions of a
-- record, of rules hlc is NULL; version names what is stored of either. author brought it first, via did last.
-- unseen: the versions that were replaced here by who hadn't seen them, the latest 8,000 characters of them.
-- state: here; deleted, or withdrawn by who shared it; renamed, known by another uid now; purged.
-- words is made by members' programs, as their own indexes are: the hashes (from 0) of what it says, in the order in
-- which that first stands there. Below 0 the server marks when a row was made, and a sample of all (memtui.marks).
-- size: bytes of the payload.
CREATE TABLE memtui.entry (
    team_id text NOT NULL,
    kind text COLLATE "C" NOT NULL,
    uid text COLLATE "C" NOT NULL CHECK (length(uid) BETWEEN 1 AND 1000),
    slot text NOT NULL,
    project text NOT NULL,
    author text NOT NULL,
    editor text NOT NULL,
    via text NOT NULL,
    hlc bigint,
    version text NOT NULL,
    unseen text NOT NULL DEFAULT '',
    visibility text NOT NULL CHECK (visibility IN ('project', 'team')),
    state text NOT NULL CHECK (state IN ('here', 'deleted', 'withdrawn', 'renamed', 'purged')),
    made_at bigint NOT NULL,
    deleted_at bigint,
    payload jsonb NOT NULL,
    words integer[] NOT NULL,
    size integer NOT NULL,
    seq bigint NOT NULL,
    PRIMARY KEY (team_id, kind, uid, slot),
    CHECK ((hlc IS NULL) = (kind IN ('fact_sources', 'merged_records', 'project_aliases', 'reviews'))),
    CHECK (kind IN ('sessions', 'prompts', 'observations', 'summaries', 'facts', 'notes',
        'fact_sources', 'merged_records', 'project_aliases', 'reviews')),
    CHECK (state = 'here' OR (deleted_at IS NOT NULL AND size < 4000)),
    CHECK (size < 4000000)
);
CREATE INDEX entry_by_seq ON memtui.entry (slot, seq);
CREATE INDEX entry_by_time ON memtui.entry (team_id, made_at);
-- Its list of what waits to be put in its place makes a push four times as cheap; a search reads all of that list.
CREATE INDEX entry_by_words ON memtui.entry USING gin (words)
    WITH (fastupdate = on, gin_pending_list_limit = 1024);

-- What an administrator took away of what others shared, and when (ms).
CREATE TABLE memtui.removal (
    slot text NOT NULL,
    team_id text NOT NULL,
    at bigint NOT NULL,
    member text NOT NULL,
    state text NOT NULL,
    kind text NOT NULL,
    uid text NOT NULL,
    author text NOT NULL,
    project text NOT NULL
);
CREATE INDEX removal_by_time ON memtui.removal (team_id, at);

GRANT USAGE ON SCHEMA memtui TO PUBLIC;
