"""The foreign programs whose databases can be imported, how one is recognized, and why others can't be."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal

import apsw

from ....database.schema import APPLICATION_ID
from ....formats.sqlite.table import columns
from ....platform.translation import _
from . import codexmem, engram, trae_mem, version_3, version_4
from .mapping import Program

System = Literal["claude-mem", "codexmem", "trae-mem", "scheme-c", "memtui", "engram"]

CLAUDE_MEM = Program(
    "claude-mem",
    version_4.AGENT,
    (version_4.SESSIONS, *version_3.SESSIONS),
    (*version_4.CHILDREN, *version_3.CHILDREN),
)

PROGRAMS: Mapping[System, Callable[[apsw.Connection, Path], Program]] = {
    "claude-mem": lambda _db, _path: CLAUDE_MEM,
    "codexmem": lambda _db, _path: codexmem.PROGRAM,
    "trae-mem": trae_mem.program,
    "engram": lambda _db, _path: engram.PROGRAM,
}

UNREAD: Mapping[System | None, str] = {
    "scheme-c": _(
        "{path} is only the index of the store in its directory: import that directory. Nothing was "
        "imported."
    ),
    "memtui": _("{path} is a store of memtui's already: open it with --db. Nothing was imported."),
    None: _(
        "{path} holds none of the tables of claude-mem, codexmem, trae-mem or engram. Nothing was imported."
    ),
}


KEYS = {"memory_session_id", "sdk_session_id", "content_session_id", "claude_session_id"}
"""Columns by which claude-mem's rows name their sessions."""


def recognize_program(db: apsw.Connection) -> System | None:
    """Return the program that wrote a database; None when it is none we know."""
    cursor = db.execute("SELECT lower(name) FROM sqlite_schema WHERE type = 'table'")
    tables = {str(name) for (name,) in cursor}
    sessions, observations, summaries, pending, own_sessions = (
        set(columns(db, name))
        for name in ("sdk_sessions", "observations", "summaries", "pending_messages", "sessions")
    )
    if db.pragma("application_id") == APPLICATION_ID or "hlc" in observations:
        return "memtui"
    if {"chunks", "sync_state"} <= tables:
        return "scheme-c"
    is_titled = {"title", "content", "type"} <= observations
    if "topic_key" in observations or (is_titled and "directory" in own_sessions):
        return "engram"
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
        own = observations | set(columns(db, "user_prompts")) | set(columns(db, "session_summaries"))
        # Tables of these names are others' too; of a damaged file no columns may be known.
        return "claude-mem" if not own or own & KEYS else None
    return None
