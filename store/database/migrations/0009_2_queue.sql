-- The queue: raw events that wait for an observer. observation_id and summary_id: the rules' record
-- of a message, which stands until a model's answer takes its place (purged with it). outcome: by
-- whom the message was observed, or why nothing came of it.
CREATE TABLE pending_messages (
    id INTEGER PRIMARY KEY,
    uid TEXT NOT NULL UNIQUE,
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('observation', 'summary')),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    status TEXT NOT NULL DEFAULT 'pending'
        CHECK (status IN ('pending', 'processing', 'processed', 'failed', 'abandoned')),
    attempts INTEGER NOT NULL DEFAULT 0,
    lease_owner TEXT,
    lease_until INTEGER,
    not_before INTEGER,
    error TEXT,
    tool_name TEXT,
    tool_input TEXT,
    tool_response TEXT,
    cwd TEXT,
    last_user_message TEXT,
    last_assistant_message TEXT,
    prompt_number INTEGER,
    event_id TEXT UNIQUE,
    source TEXT,
    native_id TEXT,
    fingerprint TEXT,
    extra TEXT CHECK (extra IS NULL OR json_valid(extra)),
    observation_id INTEGER REFERENCES observations (id) ON DELETE CASCADE,
    summary_id INTEGER REFERENCES summaries (id) ON DELETE CASCADE,
    outcome TEXT
) STRICT;
CREATE INDEX pending_messages_by_status ON pending_messages (status, id);
CREATE INDEX pending_messages_by_session ON pending_messages (session_id, status);
CREATE UNIQUE INDEX pending_messages_by_source ON pending_messages (source, native_id)
    WHERE source IS NOT NULL;
CREATE INDEX pending_messages_by_observation ON pending_messages (observation_id)
    WHERE observation_id IS NOT NULL;
CREATE INDEX pending_messages_by_summary ON pending_messages (summary_id)
    WHERE summary_id IS NOT NULL;
CREATE INDEX pending_messages_unobserved ON pending_messages (id)
    WHERE observation_id IS NULL AND summary_id IS NULL AND status IN ('pending', 'processing');
-- What has a record, without reading through its payload.
CREATE INDEX pending_messages_observed ON pending_messages (
    status, created_at, not_before, lease_until, session_id, prompt_number, kind, attempts, source
) WHERE observation_id IS NOT NULL OR summary_id IS NOT NULL;

-- What models were asked, by day (UTC, days since the epoch): calls, those of them that failed, and
-- tokens. A call is counted by an estimate before it is made, and by the model's own count after.
CREATE TABLE observer_days (
    day INTEGER NOT NULL,
    model TEXT NOT NULL,
    calls INTEGER NOT NULL,
    failed INTEGER NOT NULL,
    input INTEGER NOT NULL,
    output INTEGER NOT NULL,
    PRIMARY KEY (day, model)
) STRICT, WITHOUT ROWID;
