-- A session's records, hidden ones too: what a reply is stored beside, and what goes with a session.
CREATE INDEX prompts_by_session ON prompts (session_id);
CREATE INDEX observations_by_session ON observations (session_id);
CREATE INDEX summaries_by_session ON summaries (session_id);
-- The event that a record was made of.
CREATE INDEX captured_events_by_record ON captured_events (kind, record_id)
    WHERE record_id IS NOT NULL;
-- The pages of facts, newest first.
CREATE INDEX facts_by_time ON facts (created_at) WHERE private = 0 AND deleted_at IS NULL;
CREATE INDEX facts_by_project ON facts (project, created_at)
    WHERE private = 0 AND deleted_at IS NULL;
CREATE INDEX facts_by_kind ON facts (kind, created_at) WHERE private = 0 AND deleted_at IS NULL;
-- The changes that can be taken back, the newest of which is.
CREATE INDEX changes_standing ON changes (id) WHERE undone_at IS NULL;
