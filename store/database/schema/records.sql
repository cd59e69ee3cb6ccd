-- The records: what a person or an agent would call a memory, and the sessions that they belong to. Columns
-- stay in their order: the changesets of the journal know them by their place. Times are milliseconds since the
-- epoch, UTC. Lists are JSON arrays of strings.

-- What every record has. AUTOINCREMENT: the number of a record that is purged, or whose adding is undone, is
-- given to no other. origin, editor: machines; hlc: a hybrid logical clock; source, native_id, fingerprint: which
-- import it came from; extra: all of it that has no column.
-- @define record
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    uid TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    deleted_at INTEGER,
    private INTEGER NOT NULL DEFAULT 0 CHECK (private IN (0, 1)),
    pinned INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1)),
    origin TEXT NOT NULL DEFAULT '',
    editor TEXT NOT NULL DEFAULT '',
    hlc INTEGER NOT NULL DEFAULT 0,
    source TEXT,
    native_id TEXT,
    fingerprint TEXT,
    extra TEXT CHECK (extra IS NULL OR json_valid(extra)),
-- @end

-- A working session of an agent, which knows it by content_session_id. memory_session_id may come later,
-- and change. automatic: a program started it, and nobody typed in it. continues: the session that it goes on
-- from, as a fork or with what was handed over: AGENT/ID, by the agent's own id.
CREATE TABLE sessions (
@record
    agent TEXT NOT NULL,
    content_session_id TEXT NOT NULL,
    memory_session_id TEXT UNIQUE,
    project TEXT NOT NULL DEFAULT '',
    project_path TEXT,
    title TEXT,
    first_prompt TEXT,
    status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'completed', 'failed')),
    started_at INTEGER NOT NULL,
    completed_at INTEGER,
    prompt_counter INTEGER NOT NULL DEFAULT 0,
    automatic INTEGER NOT NULL DEFAULT 0 CHECK (automatic IN (0, 1)),
    continues TEXT,
    UNIQUE (content_session_id, agent)
) STRICT;
CREATE INDEX sessions_by_project ON sessions (project, started_at);
CREATE INDEX sessions_by_start ON sessions (started_at);
-- What the list of sessions counts.
CREATE INDEX sessions_listed ON sessions (started_at, project, agent)
    WHERE private = 0 AND deleted_at IS NULL;
CREATE INDEX sessions_automatic ON sessions (id) WHERE automatic = 1;
CREATE INDEX sessions_continuing ON sessions (continues) WHERE continues IS NOT NULL;

-- What a user asked.
CREATE TABLE prompts (
@record
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    prompt_number INTEGER NOT NULL,
    text TEXT NOT NULL
) STRICT;
-- A session's records, hidden ones too: what a reply is stored beside, and what goes with a session.
CREATE INDEX prompts_by_session ON prompts (session_id);

-- What was learned or done. event_id: the event that it was made of, so that the same one twice is one
-- row. text: what a foreign memory holds beside the narrative. subagent: which sub-agent of the session did it, by
-- the id that its agent gives it. repeats: how often in a row the same came out of the same, as of a poll that says
-- nothing new.
CREATE TABLE observations (
@record
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    project TEXT NOT NULL DEFAULT '',
    type TEXT NOT NULL DEFAULT 'note',
    title TEXT,
    subtitle TEXT,
    narrative TEXT,
    text TEXT,
    facts TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(facts)),
    concepts TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(concepts)),
    files_read TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(files_read)),
    files_modified TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(files_modified)),
    tags TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(tags)),
    tool_name TEXT,
    prompt_number INTEGER,
    discovery_tokens INTEGER NOT NULL DEFAULT 0,
    event_id TEXT UNIQUE,
    content_hash TEXT,
    subagent TEXT,
    repeats INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX observations_by_tool ON observations (tool_name) WHERE tool_name IS NOT NULL;
CREATE INDEX observations_noise ON observations (private, deleted_at) WHERE type = 'noise';
-- Replies that are kept, with their length.
CREATE INDEX observations_replies
    ON observations (length(title) + length(coalesce(narrative, '')))
    WHERE tool_name = 'reply' AND private = 0 AND deleted_at IS NULL;
CREATE INDEX observations_by_subagent ON observations (subagent) WHERE subagent IS NOT NULL;
-- A session's records, and those of a turn.
CREATE INDEX observations_by_turn ON observations (session_id, prompt_number);
-- What it took to discover the visible ones of a time, which statistics read instead of all rows.
CREATE INDEX observations_discovery ON observations (created_at, project, discovery_tokens)
    WHERE private = 0 AND deleted_at IS NULL AND type <> 'noise';
-- Which sub-agents worked in a session.
CREATE INDEX observations_of_subagents ON observations (session_id, subagent) WHERE subagent IS NOT NULL;
-- Whether a session was told the same before: what only looked at things is many thousands in a long session.
CREATE INDEX observations_repeatable ON observations (session_id, title)
    WHERE type = 'discovery' AND private = 0 AND deleted_at IS NULL AND extra IS NULL;

-- What a session came to. Brief and detailed are two levels of one summary: see `summary_levels`.
CREATE TABLE summaries (
@record
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    project TEXT NOT NULL DEFAULT '',
    level TEXT NOT NULL DEFAULT 'detailed' CHECK (level IN ('brief', 'detailed')),
    request TEXT,
    investigated TEXT,
    learned TEXT,
    completed TEXT,
    next_steps TEXT,
    notes TEXT,
    text TEXT,
    files_read TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(files_read)),
    files_edited TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(files_edited)),
    prompt_number INTEGER,
    discovery_tokens INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX summaries_by_session ON summaries (session_id);

-- What is held true: W (world), B (biography), O (opinion), S (summary). statement: the key under which
-- two facts are the same one; NULL until the store has met it. superseded_by: the uid of the fact that took
-- its place: what it says is no longer true, and no session is told. One that was purged since has no row,
-- and supersedes still.
CREATE TABLE facts (
@record
    project TEXT NOT NULL DEFAULT '',
    kind TEXT NOT NULL DEFAULT 'O' CHECK (kind IN ('W', 'B', 'O', 'S')),
    content TEXT NOT NULL,
    entities TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(entities)),
    confidence REAL NOT NULL DEFAULT 1.0 CHECK (confidence BETWEEN 0 AND 1),
    evidence TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(evidence)),
    sources TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(sources)),
    statement TEXT,
    superseded_by TEXT
) STRICT;
CREATE UNIQUE INDEX facts_statement ON facts (project, kind, coalesce(statement, content))
    WHERE deleted_at IS NULL;
CREATE INDEX facts_by_statement ON facts (statement, kind);
-- The pages of facts, newest first.
CREATE INDEX facts_by_time ON facts (created_at) WHERE private = 0 AND deleted_at IS NULL;
CREATE INDEX facts_by_project ON facts (project, created_at)
    WHERE private = 0 AND deleted_at IS NULL;
CREATE INDEX facts_by_kind ON facts (kind, created_at) WHERE private = 0 AND deleted_at IS NULL;
CREATE INDEX facts_superseded ON facts (superseded_by) WHERE superseded_by IS NOT NULL;

-- Core memory: `MEMORY.md` and its like, a row a file.
CREATE TABLE notes (
@record
    project TEXT NOT NULL DEFAULT '',
    path TEXT NOT NULL,
    text TEXT NOT NULL,
    UNIQUE (project, path)
) STRICT;

-- By where they came from; and the trash, the last deleted first.
-- @each table of sessions; prompts; observations; summaries; facts; notes
CREATE UNIQUE INDEX @table_by_source ON @table (source, native_id) WHERE source IS NOT NULL;
CREATE INDEX @table_in_trash ON @table (deleted_at) WHERE deleted_at IS NOT NULL;
-- @end
-- What is hidden, with why; and which were made on a machine. Noise, which no list shows, isn't counted among these.
-- @each table: origin of prompts: origin; observations: origin, type; summaries: origin; facts: origin
CREATE INDEX @table_hidden ON @table (created_at, private, deleted_at)
    WHERE private = 1 OR deleted_at IS NOT NULL;
CREATE INDEX @table_by_origin ON @table (@origin);
-- @end

-- The assertions of a fact: its confidence, entities, evidence and sources are made of them. source is ''
-- for what was told here, else the memory it came from; witnesses: what it rests on, each of which counts
-- once; is_verdict: it tells how sure its memory is, whatever its witnesses said.
CREATE TABLE fact_sources (
    id INTEGER PRIMARY KEY,
    uid TEXT NOT NULL UNIQUE,
    fact_id INTEGER NOT NULL REFERENCES facts (id) ON DELETE CASCADE,
    source TEXT NOT NULL,
    native_id TEXT NOT NULL,
    told_at INTEGER NOT NULL,
    deleted_at INTEGER,
    vanished_at INTEGER,
    is_verdict INTEGER NOT NULL DEFAULT 0 CHECK (is_verdict IN (0, 1)),
    confidence REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    entities TEXT NOT NULL CHECK (json_valid(entities)),
    evidence TEXT NOT NULL CHECK (json_valid(evidence)),
    places TEXT NOT NULL CHECK (json_valid(places)),
    witnesses TEXT NOT NULL CHECK (json_valid(witnesses)),
    session TEXT,
    extra TEXT CHECK (extra IS NULL OR json_valid(extra)),
    UNIQUE (fact_id, source, native_id)
) STRICT;
CREATE INDEX fact_sources_by_source ON fact_sources (source, native_id);
