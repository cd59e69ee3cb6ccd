"""Copilot's hooks, in both of its dialects: camelCase without a name, and Claude Code's."""

from __future__ import annotations

from typing import Any

from ..events import Event, SpoolRecord
from .payload import Payload, session_of, text, time_of, tool_of, with_content_key

NAMES = {
    "SessionStart": "start", "UserPromptSubmit": "prompt", "PostToolUse": "tool",
    "PostToolUseFailure": "failure", "Stop": "stop", "SessionEnd": "end",
}  # fmt: skip


def events(record: SpoolRecord) -> list[Event]:
    """The event of a hook. It is named by its time, which both dialects tell alike."""
    told = record.event
    at = time_of(told, record)
    child = text(told, "agentId", "agent_id")
    parent = text(told, "parentAgentId", "parent_agent_id")
    common: dict[str, Any] = {
        "agent": "copilot",
        "session": parent or session_of(told, "sessionId", "session_id"),
        "subagent": child or None,
        "at": at,
        "cwd": text(told, "cwd") or record.cwd or None,
        "transcript": text(told, "transcriptPath", "transcript_path") or None,
        "key": str(at) if told.get("timestamp") else None,
    }
    kind = kind_of(told)
    if kind == "start":
        return [Event(kind="session_start", **common)]
    if kind == "prompt":
        return [Event(kind="prompt", text=text(told, "prompt"), **common)]
    if kind in ("tool", "failure"):
        answer = told.get("toolResult", told.get("tool_result", text(told, "error")))
        used = tool_of(told, answer, failed=kind == "failure")
        return [with_content_key(Event(kind="tool", tool=used, **common))]
    if kind == "stop":
        return [Event(kind="reply", **common)]
    if kind == "end":
        failed = text(told, "reason") in ("error", "abort", "timeout")
        return [Event(kind="session_end", failed=failed, **common)]
    return []


def kind_of(told: Payload) -> str | None:
    """What an event is: by its name, else by the fields that only it has."""
    if name := text(told, "hook_event_name"):
        return NAMES.get(name)
    if "transformedPrompt" in told or "agentName" in told:
        return None
    if "toolName" in told:
        return "failure" if "error" in told else "tool" if "toolResult" in told else None
    if "stopReason" in told:
        return "stop"
    if "prompt" in told:
        return "prompt"
    if "reason" in told:
        return "end"
    return "start" if "source" in told else None
