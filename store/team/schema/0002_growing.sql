-- Where a replica of this server is, for members' searches and pulls: without user and password; '' for none. The
-- database's owner sets it, since members' programs log in there.
ALTER TABLE memtui.team ADD COLUMN read_dsn text NOT NULL DEFAULT '';

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
ALTER TABLE memtui.removal ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_projects ON memtui.removal FOR SELECT USING (
    team_id IN (SELECT memtui.teams())
    AND (author = session_user OR team_id IN (SELECT memtui.whole_teams())
        OR (team_id, project) IN (SELECT s.team_id, s.project FROM memtui.scopes() s))
);
GRANT SELECT ON memtui.removal TO PUBLIC;
