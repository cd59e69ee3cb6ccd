-- A team's memory on a server that speaks PostgreSQL's protocol. Only what distributed engines know too: no
-- triggers, temporary tables, advisory locks, LISTEN, indexes over several columns by GIN, generated columns, or
-- references between rows. team_id leads every key.
--
-- Nobody but the owner writes to a table: members read by row security, and write by functions.sql, which
-- run as the owner, ask who has logged in (session_user), and name all that they use in full.
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

-- The number of the newest row of a team. A push updates it first, so that pushes commit in the order of their
-- numbers, and whoever has read up to one has all before it.
CREATE TABLE memtui.head (
    team_id text PRIMARY KEY,
    head bigint NOT NULL
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

-- Whose machine one is: the first member who brings a row of it. meeting: a random name of its last one.
CREATE TABLE memtui.device (
    team_id text NOT NULL,
    machine text NOT NULL,
    member text NOT NULL,
    name text NOT NULL DEFAULT '',
    meeting text,
    met_at bigint,
    PRIMARY KEY (team_id, machine)
);

-- Records, and rules on them (merges, aliases, reviews), a row each. hlc and editor order two versions of a
-- record, of rules hlc is NULL; version names what is stored of either. author brought it first, via did last.
-- state: here; deleted, or withdrawn by who shared it; renamed, known by another uid now; purged.
-- words is made by members' programs, as their own indexes are. stated: by which change of the team its author first
-- named a row as it is; NULL where somebody else did. Of two rows that turn out to be one record, what stays is
-- whose who was first.
CREATE TABLE memtui.entry (
    team_id text NOT NULL,
    kind text NOT NULL,
    uid text NOT NULL CHECK (length(uid) BETWEEN 1 AND 1000),
    project text NOT NULL,
    author text NOT NULL,
    editor text NOT NULL,
    via text NOT NULL,
    hlc bigint,
    version text NOT NULL,
    visibility text NOT NULL CHECK (visibility IN ('project', 'team')),
    state text NOT NULL CHECK (state IN ('here', 'deleted', 'withdrawn', 'renamed', 'purged')),
    made_at bigint NOT NULL,
    deleted_at bigint,
    payload jsonb NOT NULL,
    words tsvector NOT NULL,
    seq bigint NOT NULL,
    stated bigint,
    PRIMARY KEY (team_id, kind, uid),
    CHECK ((hlc IS NULL) = (kind IN ('fact_sources', 'merged_records', 'project_aliases', 'reviews'))),
    CHECK (kind IN ('sessions', 'prompts', 'observations', 'summaries', 'facts', 'notes',
        'fact_sources', 'merged_records', 'project_aliases', 'reviews')),
    CHECK (state = 'here' OR (deleted_at IS NOT NULL AND length(payload::text) < 4000)),
    CHECK (length(payload::text) < 4000000)
);
CREATE INDEX entry_by_seq ON memtui.entry (team_id, seq);
CREATE INDEX entry_by_time ON memtui.entry (team_id, made_at);
-- Its list of pending rows would make pushes faster, and the index grow for ever.
CREATE INDEX entry_by_words ON memtui.entry USING gin (words) WITH (fastupdate = off);

-- Words are looked at in many more rows than are shown, so they stay in the row, and texts leave it first.
ALTER TABLE memtui.entry ALTER COLUMN words SET STORAGE MAIN;

-- What an administrator took away of what others shared, by the number that the change got, and when (ms).
CREATE TABLE memtui.removal (
    team_id text NOT NULL,
    seq bigint NOT NULL,
    at bigint NOT NULL,
    member text NOT NULL,
    state text NOT NULL,
    kind text NOT NULL,
    uid text NOT NULL,
    author text NOT NULL,
    project text NOT NULL,
    PRIMARY KEY (team_id, seq)
);

CREATE FUNCTION memtui.teams() RETURNS SETOF text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT m.team_id FROM memtui.member m WHERE m.name = session_user AND m.revoked_at IS NULL
$$;
CREATE FUNCTION memtui.whole_teams() RETURNS SETOF text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT m.team_id FROM memtui.member m
    WHERE m.name = session_user AND m.revoked_at IS NULL AND m.projects IS NULL
$$;
CREATE FUNCTION memtui.scopes() RETURNS TABLE (team_id text, project text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT m.team_id, p.project FROM memtui.member m CROSS JOIN unnest(m.projects) AS p (project)
    WHERE m.name = session_user AND m.revoked_at IS NULL
$$;
CREATE FUNCTION memtui.now_ms() RETURNS bigint
LANGUAGE sql VOLATILE SET search_path = pg_catalog, pg_temp AS $$
    SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint
$$;

-- What else than its uid names a record: two rows that share one of these are one record.
CREATE FUNCTION memtui.names_of(p_kind text, p_project text, p_payload jsonb) RETURNS text[]
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT array_remove(ARRAY[
        'event ' || (p_payload ->> 'event_id'),
        'from ' || (p_payload ->> 'source') || ' ' || (p_payload ->> 'native_id'),
        CASE p_kind
            WHEN 'sessions' THEN 'session ' || (p_payload ->> 'agent') || ' ' || (p_payload ->> 'content_session_id')
            WHEN 'facts' THEN 'fact ' || p_project || ' ' || (p_payload ->> 'kind') || ' '
                || rtrim(lower(regexp_replace(p_payload ->> 'content', '\s+', ' ', 'g')), ' .。!！;；')
        END], NULL)
$$;

ALTER TABLE memtui.team ENABLE ROW LEVEL SECURITY;
ALTER TABLE memtui.head ENABLE ROW LEVEL SECURITY;
ALTER TABLE memtui.member ENABLE ROW LEVEL SECURITY;
ALTER TABLE memtui.device ENABLE ROW LEVEL SECURITY;
ALTER TABLE memtui.entry ENABLE ROW LEVEL SECURITY;
ALTER TABLE memtui.removal ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_teams ON memtui.team FOR SELECT USING (team_id IN (SELECT memtui.teams()));
CREATE POLICY own_teams ON memtui.head FOR SELECT USING (team_id IN (SELECT memtui.teams()));
CREATE POLICY own_teams ON memtui.member FOR SELECT USING (team_id IN (SELECT memtui.teams()));
CREATE POLICY own_teams ON memtui.device FOR SELECT USING (team_id IN (SELECT memtui.teams()));
CREATE POLICY own_projects ON memtui.entry FOR SELECT USING (
    team_id IN (SELECT memtui.teams())
    AND (visibility = 'team' OR team_id IN (SELECT memtui.whole_teams())
        OR (team_id, project) IN (SELECT s.team_id, s.project FROM memtui.scopes() s))
);
CREATE POLICY own_projects ON memtui.removal FOR SELECT USING (
    team_id IN (SELECT memtui.teams())
    AND (author = session_user OR team_id IN (SELECT memtui.whole_teams())
        OR (team_id, project) IN (SELECT s.team_id, s.project FROM memtui.scopes() s))
);
-- Who is no member sees no row.
GRANT USAGE ON SCHEMA memtui TO PUBLIC;
GRANT SELECT ON memtui.schema_version, memtui.team, memtui.head, memtui.member, memtui.device, memtui.entry,
    memtui.removal TO PUBLIC;
