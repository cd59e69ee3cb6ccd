"""Make small files in the shapes that claude-mem 3, codexmem, trae-mem and engram leave behind."""

from pathlib import Path
from typing import Any, ClassVar

import apsw

AT = 1_770_000_000_000
"""The time of every row that is given no other."""

WRITTEN = "2026-02-02T02:40:00.000Z"
CREATED = {"created_at": WRITTEN, "created_at_epoch": AT}

CLAUDE_MEM_3 = """
CREATE TABLE schema_versions (id INTEGER PRIMARY KEY, version INTEGER UNIQUE, applied_at TEXT);
CREATE TABLE sessions (
    id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT UNIQUE NOT NULL, project TEXT NOT NULL,
    created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL,
    source TEXT NOT NULL DEFAULT 'compress', archive_path TEXT, archived_at TEXT, metadata_json TEXT
);
CREATE TABLE memories (
    id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, text TEXT NOT NULL,
    document_id TEXT UNIQUE, keywords TEXT, created_at TEXT NOT NULL,
    created_at_epoch INTEGER NOT NULL, project TEXT NOT NULL, origin TEXT NOT NULL DEFAULT 'transcript',
    title TEXT, subtitle TEXT, facts TEXT, concepts TEXT, files_touched TEXT
);
CREATE TABLE overviews (
    id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, content TEXT NOT NULL,
    created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL, project TEXT NOT NULL,
    origin TEXT NOT NULL DEFAULT 'claude'
);
"""

CODEXMEM = """
CREATE TABLE schema_versions (id INTEGER PRIMARY KEY, version INTEGER UNIQUE, applied_at TEXT);
CREATE TABLE sdk_sessions (
    id INTEGER PRIMARY KEY AUTOINCREMENT, content_session_id TEXT UNIQUE NOT NULL,
    memory_session_id TEXT UNIQUE, project TEXT NOT NULL, user_prompt TEXT,
    started_at TEXT NOT NULL, started_at_epoch INTEGER NOT NULL, completed_at TEXT,
    completed_at_epoch INTEGER, status TEXT NOT NULL
);
CREATE TABLE user_prompts (
    id INTEGER PRIMARY KEY AUTOINCREMENT, content_session_id TEXT NOT NULL,
    prompt_number INTEGER NOT NULL, prompt_text TEXT NOT NULL, created_at TEXT NOT NULL,
    created_at_epoch INTEGER NOT NULL
);
CREATE TABLE observations (
    id INTEGER PRIMARY KEY AUTOINCREMENT, memory_session_id TEXT NOT NULL, project TEXT NOT NULL,
    type TEXT NOT NULL, title TEXT, subtitle TEXT, facts TEXT, narrative TEXT, concepts TEXT,
    files_read TEXT, files_modified TEXT, prompt_number INTEGER,
    discovery_tokens INTEGER DEFAULT 0, created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL
);
CREATE TABLE session_summaries (
    id INTEGER PRIMARY KEY AUTOINCREMENT, memory_session_id TEXT NOT NULL, project TEXT NOT NULL,
    request TEXT, learned TEXT, created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL
);
CREATE TABLE pending_messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT, session_db_id INTEGER NOT NULL,
    content_session_id TEXT NOT NULL, message_type TEXT NOT NULL, tool_name TEXT, tool_input TEXT,
    status TEXT NOT NULL DEFAULT 'pending', retry_count INTEGER NOT NULL DEFAULT 0,
    created_at_epoch INTEGER NOT NULL, failed_at_epoch INTEGER
);
"""

SHIPPED = """
ALTER TABLE pending_messages ADD COLUMN dedupe_key TEXT;
ALTER TABLE observations ADD COLUMN last_accessed_at_epoch INTEGER;
ALTER TABLE observations ADD COLUMN deleted_at_epoch INTEGER;
ALTER TABLE session_summaries ADD COLUMN deleted_at_epoch INTEGER;
ALTER TABLE user_prompts ADD COLUMN deleted_at_epoch INTEGER;
CREATE TABLE project_retention_policies (project TEXT PRIMARY KEY, ttl_days INTEGER);
"""
"""What codexmem's program adds to what its document specifies; it leaves schema_versions empty."""

TRAE_MEM = """
CREATE TABLE sessions (
    id TEXT PRIMARY KEY, started_at INTEGER NOT NULL, ended_at INTEGER, project_path TEXT,
    meta_json TEXT
);
CREATE TABLE observations (
    id TEXT PRIMARY KEY, session_id TEXT NOT NULL, ts INTEGER NOT NULL, kind TEXT NOT NULL,
    tool_name TEXT, content TEXT NOT NULL, private INTEGER NOT NULL DEFAULT 0, tags_json TEXT
);
CREATE TABLE summaries (
    id TEXT PRIMARY KEY, session_id TEXT NOT NULL, created_at INTEGER NOT NULL, level TEXT NOT NULL,
    content TEXT NOT NULL
);
"""

ENGRAM = """
CREATE TABLE sessions (
    id TEXT PRIMARY KEY, project TEXT NOT NULL, directory TEXT NOT NULL, started_at TEXT NOT NULL,
    ended_at TEXT, summary TEXT
);
CREATE TABLE observations (
    id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, type TEXT NOT NULL,
    title TEXT NOT NULL, content TEXT NOT NULL, tool_name TEXT, project TEXT,
    scope TEXT NOT NULL DEFAULT 'project', topic_key TEXT, normalized_hash TEXT,
    revision_count INTEGER NOT NULL DEFAULT 1, duplicate_count INTEGER NOT NULL DEFAULT 1,
    last_seen_at TEXT, created_at TEXT NOT NULL, updated_at TEXT NOT NULL, deleted_at TEXT,
    FOREIGN KEY (session_id) REFERENCES sessions(id)
);
CREATE VIRTUAL TABLE observations_fts USING fts5(
    title, content, tool_name, type, project, content='observations', content_rowid='id'
);
CREATE TABLE user_prompts (
    id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, content TEXT NOT NULL,
    project TEXT, created_at TEXT NOT NULL, FOREIGN KEY (session_id) REFERENCES sessions(id)
);
CREATE TABLE sync_chunks (chunk_id TEXT PRIMARY KEY, imported_at TEXT NOT NULL);
"""


class ForeignFile:
    """A database in the making. It is closed between writes, so no -wal is left."""

    defaults: ClassVar[dict[str, dict[str, Any]]]

    def __init__(self, path: Path, schema: str) -> None:
        self.path = path
        self.run(schema)

    def add(self, table: str, **values: Any) -> str:
        """Insert a row, with defaults for what is not given, and give its native id."""
        row = self.defaults[table] | values
        names, places = ", ".join(row), ", ".join("?" * len(row))
        return str(self.run(f"INSERT INTO {table} ({names}) VALUES ({places}) RETURNING id", *row.values()))

    def run(self, sql: str, *values: Any) -> Any:
        """Run statements; the first value that they give."""
        db = apsw.Connection(str(self.path))
        try:
            return db.execute(sql, values).get
        finally:
            db.close()


class OldClaudeMemFile(ForeignFile):
    """What claude-mem 3 left, with the session s-1."""

    defaults: ClassVar = {
        "sessions": {"session_id": "s-1", "project": "atlas"} | CREATED,
        "memories": {"session_id": "s-1", "project": "atlas", "text": "it works"} | CREATED,
        "overviews": {"session_id": "s-1", "project": "atlas", "content": "all done"} | CREATED,
    }

    def __init__(self, path: Path) -> None:
        super().__init__(path, CLAUDE_MEM_3)
        self.run("INSERT INTO schema_versions VALUES (1, 1, ?)", WRITTEN)
        self.add("sessions")


class CodexmemFile(ForeignFile):
    """What codexmem leaves, as specified or as shipped, with the session c-1."""

    defaults: ClassVar = {
        "sdk_sessions": {
            "content_session_id": "c-1",
            "memory_session_id": "m-1",
            "project": "atlas",
            "started_at": WRITTEN,
            "started_at_epoch": AT,
            "status": "active",
        },
        "user_prompts": {"content_session_id": "c-1", "prompt_number": 1, "prompt_text": "go on"} | CREATED,
        "observations": {"memory_session_id": "m-1", "project": "atlas", "type": "change"} | CREATED,
        "session_summaries": {"memory_session_id": "m-1", "project": "atlas"} | CREATED,
        "pending_messages": {
            "session_db_id": 1,
            "content_session_id": "c-1",
            "message_type": "observation",
            "created_at_epoch": AT,
        },
    }

    def __init__(self, path: Path, *, shipped: bool = True) -> None:
        super().__init__(path, CODEXMEM + (SHIPPED if shipped else ""))
        if not shipped:
            self.run("INSERT INTO schema_versions VALUES (1, 1, ?)", WRITTEN)
        self.add("sdk_sessions")


class TraeMemFile(ForeignFile):
    """What trae-mem leaves, with the session t-1. Its times are seconds."""

    defaults: ClassVar = {
        "sessions": {"id": "t-1", "started_at": AT // 1_000, "project_path": "/home/dev/atlas"},
        "observations": {"session_id": "t-1", "ts": AT // 1_000, "kind": "note", "content": "so"},
        "summaries": {"session_id": "t-1", "created_at": AT // 1_000, "level": "brief"}
        | {"content": "all done"},
    }

    def __init__(self, path: Path) -> None:
        super().__init__(path, TRAE_MEM)
        self.add("sessions")

    def observation(self, native_id: str, content: str, **values: Any) -> str:
        return self.add("observations", id=native_id, content=content, **values)

    def summary(self, native_id: str, content: str, **values: Any) -> str:
        return self.add("summaries", id=native_id, content=content, **values)


class EngramFile(ForeignFile):
    """What engram leaves, with the session e-1. Its times are texts, in UTC."""

    defaults: ClassVar = {
        "sessions": {"id": "e-1", "project": "atlas", "directory": "/home/dev/atlas"}
        | {"started_at": "2026-02-02 02:40:00"},
        "observations": {"session_id": "e-1", "type": "decision", "project": "atlas"}
        | {"created_at": "2026-02-02 02:40:00", "updated_at": "2026-02-02 02:40:00"},
        "user_prompts": {"session_id": "e-1", "project": "atlas"} | {"created_at": "2026-02-02 02:40:00"},
    }

    def __init__(self, path: Path) -> None:
        super().__init__(path, ENGRAM)
        self.add("sessions")

    def observation(self, title: str, content: str, **values: Any) -> str:
        return self.add("observations", title=title, content=content, **values)
