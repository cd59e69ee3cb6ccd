-- The tags of a session: what people put it in order by. A memory is found by those of its session too.
ALTER TABLE sessions ADD COLUMN tags TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(tags));
CREATE INDEX sessions_tagged ON sessions (id) WHERE tags <> '[]';
CREATE VIEW session_tags AS
    SELECT s.id AS session_id, CAST(value AS TEXT) AS value,
        s.private = 0 AND s.deleted_at IS NULL AS is_shown
    FROM sessions s, json_each(iif(json_valid(s.tags), s.tags, '[]'))
    WHERE s.tags <> '[]' AND value IS NOT NULL;
