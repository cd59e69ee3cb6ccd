-- What hooks and transcripts told, so that one event is one row however often and by whichever way
-- it comes. content: a hash of what it says; at: when, ms; channel: hook, transcript or both;
-- shared: both channels know it by this key; record_id: the row that was made of it, if any.
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

-- A sub-agent has an id of its own in some agents; its work belongs to the session that started it.
CREATE TABLE subagents (
    agent TEXT NOT NULL,
    id TEXT NOT NULL,
    parent TEXT NOT NULL,
    PRIMARY KEY (agent, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE token_usage (
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    message TEXT NOT NULL,
    input INTEGER NOT NULL,
    output INTEGER NOT NULL,
    cache_read INTEGER NOT NULL,
    cache_written INTEGER NOT NULL,
    PRIMARY KEY (session_id, message)
) STRICT, WITHOUT ROWID;

-- How far each segment of the spool is stored, in bytes; kept in the transaction of its rows.
CREATE TABLE spool_segments (
    segment TEXT PRIMARY KEY,
    stored INTEGER NOT NULL
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
