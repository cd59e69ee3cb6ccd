"""Make small files in the shapes that claude-mem 9 and the newest claude-mem leave behind."""

import json
from pathlib import Path
from typing import Any

from ..foreign_files import AT, CREATED, WRITTEN, ForeignFile

V9 = """
CREATE TABLE schema_versions (id INTEGER PRIMARY KEY, version INTEGER UNIQUE, applied_at TEXT);
CREATE TABLE sdk_sessions (
    id INTEGER PRIMARY KEY AUTOINCREMENT, content_session_id TEXT UNIQUE NOT NULL,
    memory_session_id TEXT UNIQUE, project TEXT NOT NULL, user_prompt TEXT,
    started_at TEXT NOT NULL, started_at_epoch INTEGER NOT NULL, completed_at TEXT,
    completed_at_epoch INTEGER, status TEXT NOT NULL DEFAULT 'active', worker_port INTEGER,
    prompt_counter INTEGER DEFAULT 0
);
CREATE TABLE user_prompts (
    id INTEGER PRIMARY KEY AUTOINCREMENT, content_session_id TEXT NOT NULL,
    prompt_number INTEGER NOT NULL, prompt_text TEXT NOT NULL, created_at TEXT NOT NULL,
    created_at_epoch INTEGER NOT NULL
);
CREATE TABLE observations (
    id INTEGER PRIMARY KEY AUTOINCREMENT, memory_session_id TEXT NOT NULL, project TEXT NOT NULL,
    text TEXT, type TEXT, title TEXT, subtitle TEXT, facts TEXT, narrative TEXT, concepts TEXT,
    files_read TEXT, files_modified TEXT, prompt_number INTEGER,
    discovery_tokens INTEGER DEFAULT 0, created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL
);
CREATE TABLE session_summaries (
    id INTEGER PRIMARY KEY AUTOINCREMENT, memory_session_id TEXT NOT NULL, project TEXT NOT NULL,
    request TEXT, investigated TEXT, learned TEXT, completed TEXT, next_steps TEXT,
    files_read TEXT, files_edited TEXT, notes TEXT, prompt_number INTEGER,
    discovery_tokens INTEGER DEFAULT 0, created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL
);
CREATE TABLE pending_messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT, session_db_id INTEGER NOT NULL,
    content_session_id TEXT NOT NULL, message_type TEXT NOT NULL, tool_name TEXT, tool_input TEXT,
    tool_response TEXT, cwd TEXT, last_user_message TEXT, last_assistant_message TEXT,
    prompt_number INTEGER, status TEXT NOT NULL DEFAULT 'pending',
    retry_count INTEGER NOT NULL DEFAULT 0, created_at_epoch INTEGER NOT NULL,
    started_processing_at_epoch INTEGER, completed_at_epoch INTEGER, failed_at_epoch INTEGER
);
"""

SYNC = "synced_at INTEGER, origin_device_id TEXT, origin_local_id TEXT, sync_rev TEXT DEFAULT '1'"

NEWEST = (
    V9.replace("content_session_id TEXT UNIQUE NOT NULL,", "content_session_id TEXT NOT NULL,")
    .replace(
        "prompt_counter INTEGER DEFAULT 0\n",
        "prompt_counter INTEGER DEFAULT 0, platform_source TEXT NOT NULL DEFAULT 'claude', "
        "custom_title TEXT, UNIQUE (platform_source, content_session_id)\n",
    )
    .replace("prompt_text TEXT NOT NULL,", f"prompt_text TEXT NOT NULL, session_db_id INTEGER, {SYNC},")
    .replace(
        "text TEXT, type TEXT,",
        "text TEXT, type TEXT, content_hash TEXT, generated_by_model TEXT, merged_into_project TEXT, "
        f"relevance_count INTEGER DEFAULT 0, agent_type TEXT, agent_id TEXT, metadata TEXT, {SYNC},",
    )
    .replace("notes TEXT, prompt", f"notes TEXT, merged_into_project TEXT, {SYNC}, prompt")
    .replace("retry_count INTEGER NOT NULL DEFAULT 0,", "agent_id TEXT, tool_use_id TEXT,")
)

SHAPES = {"v9": V9, "newest": NEWEST}

DEFAULTS: dict[str, dict[str, Any]] = {
    "sdk_sessions": {"project": "atlas", "started_at": WRITTEN, "started_at_epoch": AT},
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


class ClaudeMemFile(ForeignFile):
    """A claude-mem database in the making."""

    defaults = DEFAULTS

    def __init__(self, path: Path, shape: str = "v9", made: str = WRITTEN) -> None:
        super().__init__(path, SHAPES[shape])
        self.run("INSERT INTO schema_versions VALUES (1, 4, ?)", made)

    def session(self, content_id: str = "c-1", memory_id: str | None = "m-1", **values: Any) -> str:
        return self.add(
            "sdk_sessions", content_session_id=content_id, memory_session_id=memory_id, **values
        )

    def prompt(self, **values: Any) -> str:
        return self.add("user_prompts", **values)

    def observation(self, **values: Any) -> str:
        return self.add("observations", **values)

    def summary(self, **values: Any) -> str:
        return self.add("session_summaries", **values)

    def pending(self, **values: Any) -> str:
        return self.add("pending_messages", **values)

    def observations(self, count: int) -> None:
        """Many at once, of the session m-1."""
        self.run(
            "WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers LIMIT ?) "
            "INSERT INTO observations (memory_session_id, project, title, narrative, created_at, "
            "created_at_epoch) SELECT 'm-1', 'atlas', 'row ' || n, printf('%.*c', 200, 'x'), '', ? + n "
            "FROM numbers",
            count,
            AT,
        )

    def texts(self, table: str) -> list[str]:
        """The names of a table's columns of text."""
        names = self.run(
            "SELECT json_group_array(name) FROM pragma_table_info(?) WHERE type = 'TEXT'", table
        )
        return [str(name) for name in json.loads(names)]
