"""Recognize which program wrote a database, by its tables and columns, never by its version tables."""

from __future__ import annotations

from typing import Literal

import apsw

from ...database.migrations import APPLICATION_ID
from ..sqlite.table import columns

System = Literal["claude-mem", "codexmem", "trae-mem", "scheme-c", "memtui"]


def system(db: apsw.Connection) -> System | None:
    """Return the program that wrote a database; None when it is none we know."""
    found = db.execute("SELECT lower(name) FROM sqlite_schema WHERE type = 'table'")
    tables = {str(name) for (name,) in found}
    sessions, observations, summaries, pending = (
        set(columns(db, name))
        for name in ("sdk_sessions", "observations", "summaries", "pending_messages")
    )
    if db.pragma("application_id") == APPLICATION_ID or "hlc" in observations:
        return "memtui"
    if {"chunks", "sync_state"} <= tables:
        return "scheme-c"
    # Two of the three, since of a damaged file a table may be missing.
    if ("sessions" in tables) + ("private" in observations) + ("level" in summaries) > 1:
        return "trae-mem"
    if "project_retention_policies" in tables or "dedupe_key" in pending:
        return "codexmem"
    if sessions and observations and not ("worker_port" in sessions or "text" in observations):
        return "codexmem"
    if "sdk_sessions" in tables or {"memories", "overviews"} <= tables:
        return "claude-mem"
    if "user_prompts" in tables and tables & {"observations", "session_summaries"}:
        return "claude-mem"
    return None
