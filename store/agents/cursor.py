"""Cursor's hooks. Shells and edits are told by postToolUse; their own events would tell them twice."""

from __future__ import annotations

from typing import Any

from ..events import Event, SpoolRecord
from .payload import session_of, text, tool_of


def events(record: SpoolRecord) -> list[Event]:
    """The event of a hook."""
    told = record.event
    name = text(told, "hook_event_name")
    roots = told.get("workspace_roots")
    root = roots[0] if isinstance(roots, list) and roots and isinstance(roots[0], str) else ""
    generation = text(told, "generation_id")
    common: dict[str, Any] = {
        "agent": "cursor",
        "session": session_of(told, "conversation_id", "session_id"),
        "at": record.at,
        "cwd": root or text(told, "cwd") or record.cwd or None,
        "transcript": text(told, "transcript_path") or None,
    }
    if name == "sessionStart":
        return [Event(kind="session_start", **common)]
    if name == "beforeSubmitPrompt":
        return [Event(kind="prompt", text=text(told, "prompt"), key=generation or None, **common)]
    if name in ("postToolUse", "postToolUseFailure"):
        failed = name == "postToolUseFailure"
        answer = told.get("tool_output", "") if not failed else text(told, "error_message")
        call = text(told, "tool_use_id") or None
        return [Event(kind="tool", tool=tool_of(told, answer, failed=failed), key=call, **common)]
    if name == "afterAgentResponse":
        said = text(told, "text")
        key = generation and f"{generation} {said[:200]}"
        return [Event(kind="reply", text=said, key=key or None, **common)]
    if name == "sessionEnd":
        failed = "error" in (text(told, "final_status"), text(told, "reason"))
        return [Event(kind="session_end", failed=failed, **common)]
    return []
