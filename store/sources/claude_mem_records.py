"""How a row of claude-mem reads as a record of ours. Each column goes by every name it ever had."""

from __future__ import annotations

from ..rows import Values
from .foreign_row import ForeignRow
from .landing import Mapped

AGENT = "claude-code"
"""Whose sessions they are where nothing says so: claude-mem knew no other agent before 12.0."""

AGENTS = {"claude": AGENT}
STATUSES = {status: status for status in ("active", "completed", "failed")}
PENDING_KINDS = {"observation": "observation", "summarize": "summary", "summary": "summary"}
PENDING_STATUSES = {
    "pending": "pending",
    # Its worker is not ours: what was under way there has to be done again here.
    "processing": "pending",
    "processed": "processed",
    "completed": "processed",
    "failed": "failed",
    "abandoned": "abandoned",
}
CONTENT_ID = ("content_session_id", "claude_session_id")
MEMORY_ID = ("memory_session_id", "sdk_session_id")
DROPPED = ("worker_port", "synced_at", "sync_rev")
"""State of claude-mem's own processes, which tells nothing about a memory."""


def session(row: ForeignRow, content_id: str, memory_id: str | None, agent: str) -> Mapped:
    """A session; its ids and agent are settled by the caller."""
    started = _created(row, "started_at", "created_at")
    initial: Values = {
        "project_path": None,
        "first_prompt": row.text("user_prompt"),
        "prompt_counter": row.number("prompt_counter") or 0,
    }
    values: Values = {
        "created_at": started,
        "agent": agent,
        "content_session_id": content_id,
        "memory_session_id": memory_id,
        "project": row.text("project") or "",
        "title": row.text("custom_title"),
        "status": _one_of(row, "status", STATUSES, "active"),
        "started_at": started,
        "completed_at": row.moment("completed_at"),
    }
    return Mapped(row.native_id, _with_rest(row, values), initial)


def prompt(row: ForeignRow, session_id: int) -> Mapped:
    """A prompt; one that was private as a whole stays as an empty one."""
    values: Values = {
        "session_id": session_id,
        "created_at": _created(row),
        "prompt_number": row.number("prompt_number") or 0,
        "text": row.text("prompt_text", "content") or "",
    }
    return Mapped(row.native_id, _with_rest(row, values), {})


def observation(row: ForeignRow, session_id: int) -> Mapped:
    """An observation. Its body is the narrative, else the text of old rows; both where they differ."""
    narrative, text = row.text("narrative"), row.text("text")
    # It changes when claude-mem upgrades its file, so it can't tell whether the row has.
    initial: Values = {
        "content_hash": row.text("content_hash"),
        "event_id": None,
        "tags": "[]",
    }
    values: Values = {
        "session_id": session_id,
        "created_at": _created(row),
        "project": row.text("project") or "",
        "type": row.text("type") or "unknown",
        "title": row.text("title"),
        "subtitle": row.text("subtitle"),
        "narrative": narrative or text,
        "text": text if narrative and text != narrative else None,
        "facts": row.items("facts"),
        "concepts": row.items("concepts"),
        "files_read": row.items("files_read"),
        "files_modified": row.items("files_modified"),
        "tool_name": row.text("tool_name"),
        "prompt_number": row.number("prompt_number"),
        "discovery_tokens": row.number("discovery_tokens") or 0,
    }
    return Mapped(row.native_id, _with_rest(row, values), initial)


def summary(row: ForeignRow, session_id: int) -> Mapped:
    """A summary: one row each, however many a session has."""
    values: Values = {
        "session_id": session_id,
        "created_at": _created(row),
        "project": row.text("project") or "",
        "request": row.text("request"),
        "investigated": row.text("investigated"),
        "learned": row.text("learned"),
        "completed": row.text("completed"),
        "next_steps": row.text("next_steps"),
        "notes": row.text("notes"),
        "files_read": row.items("files_read"),
        "files_edited": row.items("files_edited"),
        "prompt_number": row.number("prompt_number"),
        "discovery_tokens": row.number("discovery_tokens") or 0,
    }
    return Mapped(row.native_id, _with_rest(row, values), {"level": "detailed", "text": None})


def pending(row: ForeignRow, session_id: int) -> Mapped:
    """A message that was still queued, or failed, in the queue of 7.3 and later."""
    values: Values = {
        "session_id": session_id,
        "created_at": _created(row),
        "kind": _one_of(row, "message_type", PENDING_KINDS, "observation"),
        "status": _one_of(row, "status", PENDING_STATUSES, "failed"),
        "attempts": row.number("retry_count") or 0,
        "tool_name": row.text("tool_name"),
        "tool_input": row.text("tool_input"),
        "tool_response": row.text("tool_response"),
        "cwd": row.text("cwd"),
        "last_user_message": row.text("last_user_message"),
        "last_assistant_message": row.text("last_assistant_message"),
        "prompt_number": row.number("prompt_number"),
    }
    return Mapped(row.native_id, _with_rest(row, values), {"error": None, "event_id": None})


def _created(row: ForeignRow, *names: str) -> int:
    for name in names or ("created_at",):
        if found := row.moment(name):
            return found
    row.warn("its time is unknown; it stands at the beginning of time")
    return 0


def _one_of(row: ForeignRow, name: str, choices: dict[str, str], otherwise: str) -> str:
    written = row.text(name)
    if written is not None and written not in choices:
        row.warn(f"{name} is {written[:40]!r}, which is unknown; taken as {otherwise}")
    return choices.get(written or "", otherwise)


def _with_rest(row: ForeignRow, values: Values) -> Values:
    return values | {"extra": row.rest(*DROPPED)}
