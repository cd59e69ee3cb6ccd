"""Gemini's hooks: no event has an id, but each its time."""

from __future__ import annotations

from typing import Any

from ..events import Event, SpoolRecord
from .payload import session_of, text, time_of, tool_of, with_content_key


def events(record: SpoolRecord) -> list[Event]:
    """The event of a hook. PreCompress comes before every request and means nothing."""
    told = record.event
    name = text(told, "hook_event_name")
    at = time_of(told, record)
    common: dict[str, Any] = {
        "agent": "gemini",
        "session": session_of(told, "session_id"),
        "at": at,
        "cwd": text(told, "cwd") or record.cwd or None,
        "transcript": text(told, "transcript_path") or None,
        "key": str(told["timestamp"]) if told.get("timestamp") else None,
    }
    if name == "SessionStart":
        return [Event(kind="session_start", **common)]
    if name == "BeforeAgent":
        return [Event(kind="prompt", text=text(told, "prompt"), **common)]
    if name == "AfterTool":
        answer = told.get("tool_response")
        failed = isinstance(answer, dict) and bool(answer.get("error"))
        event = Event(kind="tool", tool=tool_of(told, answer, failed=failed), **common)
        return [with_content_key(event)]
    if name == "AfterAgent":
        return [Event(kind="reply", text=text(told, "prompt_response"), **common)]
    if name == "SessionEnd":
        return [Event(kind="session_end", **common)]
    return []
