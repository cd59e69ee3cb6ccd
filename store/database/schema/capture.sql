-- What hooks and transcripts brought: the events that wait for an observer, those that are known, and how
-- far everything was read.

-- The queue: raw events that wait for an observer. observation_id and summary_id: the rules' record of a
-- message, which stands until a model's answer takes its place (purged with it). outcome: by whom the message
-- was observed, or why nothing came of it.
CREATE TABLE pending_messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
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

-- The events that are known, so that one is one row however often and by whichever way it comes. content: a
-- hash of what it says; at: when, ms; channel: hook, transcript or both; shared: both channels know it by this
-- key, in which no text stands; record_id: the row that was made of it, if any; 0 where a transcript that is
-- read again may make one.
CREATE TABLE captured_events (
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    content TEXT NOT NULL,
    at INTEGER NOT NULL,
    channel TEXT NOT NULL CHECK (channel IN ('hook', 'transcript', 'both')),
    shared INTEGER NOT NULL CHECK (shared IN (0, 1)),
    record_id INTEGER,
    PRIMARY KEY (session_id, kind, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX captured_events_by_content ON captured_events (session_id, kind, content);
-- The event that a record was made of.
CREATE INDEX captured_events_by_record ON captured_events (kind, record_id)
    WHERE record_id IS NOT NULL;

-- A sub-agent has an id of its own in some agents; its work belongs to the session that started it.
CREATE TABLE subagents (
    agent TEXT NOT NULL,
    id TEXT NOT NULL,
    parent TEXT NOT NULL,
    PRIMARY KEY (agent, id)
) STRICT, WITHOUT ROWID;

-- The tokens of each answer of a model: of which one, by its maker's name, and when it came (ms). Where neither
-- was told, its day is that of its session.
CREATE TABLE token_usage (
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    message TEXT NOT NULL,
    input INTEGER NOT NULL,
    output INTEGER NOT NULL,
    cache_read INTEGER NOT NULL,
    cache_written INTEGER NOT NULL,
    model TEXT NOT NULL DEFAULT '',
    at INTEGER,
    PRIMARY KEY (session_id, message)
) STRICT, WITHOUT ROWID;

-- How far each segment of the spool is stored, in bytes; kept in the transaction of its rows. A segment is
-- known by its content: `segment` is the path under which it was read last, `last` where the last stored line
-- begins, `mark` a fingerprint of its first bytes, of those at `last` and of those before `stored`. A file with
-- another mark is read from its beginning: `anew_at` says when that happened last, `anew_to` up to which byte
-- the file before was stored. `read_at` is when something was stored of it last. Times are ms.
CREATE TABLE spool_segments (
    segment TEXT PRIMARY KEY,
    stored INTEGER NOT NULL,
    last INTEGER,
    mark INTEGER,
    read_at INTEGER,
    anew_at INTEGER,
    anew_to INTEGER
) STRICT, WITHOUT ROWID;

-- Every line of the spool that was stored or quarantined, by its time (ms) and a hash of it, so that
-- none is stored twice, wherever and however often it is read.
CREATE TABLE spool_lines (
    at INTEGER NOT NULL,
    hash INTEGER NOT NULL,
    PRIMARY KEY (at, hash)
) STRICT, WITHOUT ROWID;

-- Records of the spool that could not be stored, with the reason.
CREATE TABLE quarantine (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    agent TEXT NOT NULL,
    reason TEXT NOT NULL,
    record TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 1
) STRICT;

-- The newest runs of hooks: how long each took, in microseconds.
CREATE TABLE hook_runs (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    agent TEXT NOT NULL,
    microseconds INTEGER NOT NULL
) STRICT;

-- How many events of hooks were stored, by agent and day (UTC, days since the epoch).
CREATE TABLE agent_days (
    agent TEXT NOT NULL,
    day INTEGER NOT NULL,
    events INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    PRIMARY KEY (agent, day)
) STRICT, WITHOUT ROWID;

-- Transcripts that were read: how far (bytes), what a reader has to remember until then (JSON), and
-- whether a hook has left a note that there is more (is_due).
CREATE TABLE transcripts (
    path TEXT PRIMARY KEY,
    agent TEXT NOT NULL,
    file TEXT NOT NULL DEFAULT '',
    read_bytes INTEGER NOT NULL DEFAULT 0,
    state TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(state)),
    is_due INTEGER NOT NULL DEFAULT 0 CHECK (is_due IN (0, 1)),
    read_at INTEGER
) STRICT;
CREATE INDEX transcripts_due ON transcripts (is_due) WHERE is_due = 1;
CREATE INDEX transcripts_unread ON transcripts (agent) WHERE read_at IS NULL;

-- Which session's transcript told a record first: forks and resumed sessions repeat what was said
-- before under their own id. Both are hashes.
CREATE TABLE transcript_records (
    id INTEGER PRIMARY KEY,
    session INTEGER NOT NULL
) STRICT;
