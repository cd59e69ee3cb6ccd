"""Which program wrote a database: told by the tables and columns it has, never by its version tables."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import apsw

from ..migrations import APPLICATION_ID
from .foreign import reading
from .foreign_row import columns

System = Literal["claude-mem", "claude-mem 3", "codexmem", "trae-mem", "scheme-c", "memtui"]


def system(db: apsw.Connection, path: Path) -> System | None:
    """The program that a database belongs to; None when it is none we know.

    Raises SourceError when the file is damaged.
    """
    with reading(path):
        tables = {
            str(name)
            for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
        }
        sessions, observations, summaries, pending = (
            set(columns(db, name))
            for name in ("sdk_sessions", "observations", "summaries", "pending_messages")
        )
        ours = db.pragma("application_id") == APPLICATION_ID
    if ours:
        return "memtui"
    if {"chunks", "sync_state"} <= tables:
        return "scheme-c"
    if "sessions" in tables and "private" in observations and "level" in summaries:
        return "trae-mem"
    if "project_retention_policies" in tables or "dedupe_key" in pending:
        return "codexmem"
    if sessions and "worker_port" not in sessions and "text" not in observations:
        return "codexmem"
    if sessions & {"content_session_id", "claude_session_id"}:
        return "claude-mem"
    return "claude-mem 3" if {"memories", "overviews"} <= tables else None
