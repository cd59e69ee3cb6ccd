-- Whether a session was told the same before: what only looked at things is many thousands in a long session.
CREATE INDEX observations_repeatable ON observations (session_id, title)
WHERE type = 'discovery' AND private = 0 AND deleted_at IS NULL AND extra IS NULL;
