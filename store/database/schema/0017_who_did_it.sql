-- Which sub-agent of a session did it, by the id that its agent gives it.
ALTER TABLE observations ADD COLUMN subagent TEXT;
UPDATE observations
SET subagent = json_extract(extra, '$.subagent'),
    extra = nullif(json_remove(extra, '$.subagent'), '{}')
WHERE extra LIKE '%"subagent"%' AND json_type(extra, '$.subagent') = 'text';
CREATE INDEX observations_by_subagent ON observations (subagent) WHERE subagent IS NOT NULL;

-- How often in a row the same came out of the same: a poll that says nothing new is counted.
ALTER TABLE observations ADD COLUMN repeats INTEGER NOT NULL DEFAULT 0;

-- Whether a program started the session, and nobody typed in it.
ALTER TABLE sessions ADD COLUMN automatic INTEGER NOT NULL DEFAULT 0 CHECK (automatic IN (0, 1));
CREATE INDEX sessions_automatic ON sessions (id) WHERE automatic = 1;
