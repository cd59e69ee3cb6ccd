"""The schema of claude-mem 9: its tables, indexes and full-text indexes, by their own names."""

from __future__ import annotations

TABLES = """
CREATE TABLE schema_versions (
    id INTEGER PRIMARY KEY,
    version INTEGER UNIQUE NOT NULL,
    applied_at TEXT NOT NULL
);
CREATE TABLE sdk_sessions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    content_session_id TEXT UNIQUE NOT NULL,
    memory_session_id TEXT UNIQUE,
    project TEXT NOT NULL,
    user_prompt TEXT,
    started_at TEXT NOT NULL,
    started_at_epoch INTEGER NOT NULL,
    completed_at TEXT,
    completed_at_epoch INTEGER,
    status TEXT CHECK(status IN ('active', 'completed', 'failed')) NOT NULL DEFAULT 'active',
    worker_port INTEGER,
    prompt_counter INTEGER DEFAULT 0
);
CREATE TABLE user_prompts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    content_session_id TEXT NOT NULL,
    prompt_number INTEGER NOT NULL,
    prompt_text TEXT NOT NULL,
    created_at TEXT NOT NULL,
    created_at_epoch INTEGER NOT NULL,
    FOREIGN KEY(content_session_id) REFERENCES sdk_sessions(content_session_id) ON DELETE CASCADE
);
CREATE TABLE pending_messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    session_db_id INTEGER NOT NULL,
    content_session_id TEXT NOT NULL,
    message_type TEXT NOT NULL CHECK(message_type IN ('observation', 'summarize')),
    tool_name TEXT,
    tool_input TEXT,
    tool_response TEXT,
    cwd TEXT,
    last_user_message TEXT,
    last_assistant_message TEXT,
    prompt_number INTEGER,
    status TEXT NOT NULL DEFAULT 'pending'
        CHECK(status IN ('pending', 'processing', 'processed', 'failed')),
    retry_count INTEGER NOT NULL DEFAULT 0,
    created_at_epoch INTEGER NOT NULL,
    started_processing_at_epoch INTEGER,
    completed_at_epoch INTEGER,
    failed_at_epoch INTEGER,
    FOREIGN KEY (session_db_id) REFERENCES sdk_sessions(id) ON DELETE CASCADE
);
CREATE TABLE observations (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    memory_session_id TEXT NOT NULL,
    project TEXT NOT NULL,
    text TEXT,
    type TEXT NOT NULL,
    title TEXT,
    subtitle TEXT,
    facts TEXT,
    narrative TEXT,
    concepts TEXT,
    files_read TEXT,
    files_modified TEXT,
    prompt_number INTEGER,
    discovery_tokens INTEGER DEFAULT 0,
    created_at TEXT NOT NULL,
    created_at_epoch INTEGER NOT NULL,
    FOREIGN KEY(memory_session_id) REFERENCES sdk_sessions(memory_session_id)
        ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE TABLE session_summaries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    memory_session_id TEXT NOT NULL,
    project TEXT NOT NULL,
    request TEXT,
    investigated TEXT,
    learned TEXT,
    completed TEXT,
    next_steps TEXT,
    files_read TEXT,
    files_edited TEXT,
    notes TEXT,
    prompt_number INTEGER,
    discovery_tokens INTEGER DEFAULT 0,
    created_at TEXT NOT NULL,
    created_at_epoch INTEGER NOT NULL,
    FOREIGN KEY(memory_session_id) REFERENCES sdk_sessions(memory_session_id)
        ON DELETE CASCADE ON UPDATE CASCADE
);
"""

INDEXES = """
CREATE INDEX idx_sdk_sessions_claude_id ON sdk_sessions(content_session_id);
CREATE INDEX idx_sdk_sessions_sdk_id ON sdk_sessions(memory_session_id);
CREATE INDEX idx_sdk_sessions_project ON sdk_sessions(project);
CREATE INDEX idx_sdk_sessions_status ON sdk_sessions(status);
CREATE INDEX idx_sdk_sessions_started ON sdk_sessions(started_at_epoch DESC);
CREATE INDEX idx_user_prompts_claude_session ON user_prompts(content_session_id);
CREATE INDEX idx_user_prompts_created ON user_prompts(created_at_epoch DESC);
CREATE INDEX idx_user_prompts_prompt_number ON user_prompts(prompt_number);
CREATE INDEX idx_user_prompts_lookup ON user_prompts(content_session_id, prompt_number);
CREATE INDEX idx_pending_messages_session ON pending_messages(session_db_id);
CREATE INDEX idx_pending_messages_status ON pending_messages(status);
CREATE INDEX idx_pending_messages_claude_session ON pending_messages(content_session_id);
CREATE INDEX idx_observations_sdk_session ON observations(memory_session_id);
CREATE INDEX idx_observations_project ON observations(project);
CREATE INDEX idx_observations_type ON observations(type);
CREATE INDEX idx_observations_created ON observations(created_at_epoch DESC);
CREATE INDEX idx_session_summaries_sdk_session ON session_summaries(memory_session_id);
CREATE INDEX idx_session_summaries_project ON session_summaries(project);
CREATE INDEX idx_session_summaries_created ON session_summaries(created_at_epoch DESC);
"""

SEARCHED = {
    "user_prompts": ("prompt_text",),
    "observations": ("title", "subtitle", "narrative", "text", "facts", "concepts"),
    "session_summaries": (
        "request", "investigated", "learned", "completed", "next_steps", "notes",
    ),
}  # fmt: skip
"""The tables that have a full-text index, and its columns."""

VERSIONS = (4, 5, 6, 7, 8, 9, 10, 11, 16, 17, 19, 20, 21)
"""The `schema_versions` of a file that 9.1 made; 9.x upgrades nothing in it."""


def search_index(table: str) -> str:
    """Return the SQL that builds a table's full-text index of the rows that are there."""
    columns = ", ".join(SEARCHED[table])
    return (
        f"CREATE VIRTUAL TABLE {table}_fts USING fts5("
        f"{columns}, content='{table}', content_rowid='id');"
        f"INSERT INTO {table}_fts({table}_fts) VALUES('rebuild');"
    )


def triggers(table: str) -> str:
    """Return the SQL of the triggers that keep the full-text index equal to the rows."""
    columns = ", ".join(SEARCHED[table])
    new = ", ".join(f"new.{column}" for column in SEARCHED[table])
    old = ", ".join(f"old.{column}" for column in SEARCHED[table])
    put = f"INSERT INTO {table}_fts(rowid, {columns}) VALUES (new.id, {new});"
    drop = f"INSERT INTO {table}_fts({table}_fts, rowid, {columns}) VALUES('delete', old.id, {old});"
    return (
        f"CREATE TRIGGER {table}_ai AFTER INSERT ON {table} BEGIN {put} END;"
        f"CREATE TRIGGER {table}_ad AFTER DELETE ON {table} BEGIN {drop} END;"
        f"CREATE TRIGGER {table}_au AFTER UPDATE ON {table} BEGIN {drop} {put} END;"
    )
