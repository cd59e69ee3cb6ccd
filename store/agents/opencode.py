"""OpenCode, through our plugin: an envelope for each event that the plugin hears of."""

from __future__ import annotations

import re
from typing import Any

from ..events import Event, SpoolRecord
from .payload import session_of, text, tool_of

UNTITLED = re.compile(r"(New|Child) session - \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
"""What OpenCode calls a session until its model has found a title."""


def events(record: SpoolRecord) -> list[Event]:
    """The event of an envelope; a session with a parent is a sub-agent's."""
    told = record.event
    name = text(told, "hook_event_name")
    session, parent = session_of(told, "session_id"), text(told, "parent_id")
    common: dict[str, Any] = {
        "agent": "opencode",
        "session": parent or session,
        "subagent": session if parent else None,
        "at": record.at,
        "cwd": text(told, "cwd", "worktree") or record.cwd or None,
    }
    if name == "session.created":
        return [Event(kind="session_start", title=titled(text(told, "title")), **common)]
    if name == "chat.message":
        key = text(told, "message_id") or None
        asked = text(told, "prompt")
        return [Event(kind="prompt", text=unquoted(asked), key=key, shared=bool(key), **common)]
    if name == "tool.execute.after":
        call = text(told, "tool_use_id") or None
        used = tool_of(told, told.get("tool_response", ""))
        return [Event(kind="tool", tool=used, key=call, shared=bool(call), **common)]
    if name == "session.idle" and (said := text(told, "last_assistant_message", "text")):
        key = text(told, "message_id") or None
        title = titled(text(told, "title"))
        return [Event(kind="reply", text=said, key=key, title=title, **common)]
    if name == "session.compacted" and (summary := text(told, "compact_summary")):
        return [Event(kind="compaction", text=summary, **common)]
    if name in ("session.deleted", "server.instance.disposed"):
        return [Event(kind="session_end", **common)]
    return []


def titled(title: str) -> str | None:
    """A session's title, once it has one: the first that is told stays."""
    return None if UNTITLED.fullmatch(title) else title or None


def unquoted(asked: str) -> str:
    """A prompt without the quotes that `opencode run "a b"` puts around it."""
    if len(asked) > 1 and asked[0] == asked[-1] == '"' and '"' not in asked[1:-1]:
        return asked[1:-1]
    return asked
