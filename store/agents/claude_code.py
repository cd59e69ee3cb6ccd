"""Claude Code's hooks."""

from __future__ import annotations

from typing import Any

from ..events import Event, SpoolRecord
from .payload import session_of, text, tool_of


def events(record: SpoolRecord) -> list[Event]:
    """The event of a hook; none for those that tell nothing new or are of no lasting worth."""
    return like_claude(record, "claude-code", turn="prompt_id")


def like_claude(record: SpoolRecord, agent: str, turn: str) -> list[Event]:
    """The event of a hook that speaks as Claude Code's do; `turn` is the field that names a turn."""
    told = record.event
    name = text(told, "hook_event_name")
    key = text(told, turn) or None
    common: dict[str, Any] = {
        "agent": agent,
        "session": session_of(told, "session_id"),
        "at": record.at,
        "cwd": text(told, "cwd") or record.cwd or None,
        "subagent": text(told, "agent_id") or None,
        "transcript": text(told, "transcript_path") or None,
    }
    if name == "SessionStart":
        return [Event(kind="session_start", title=text(told, "session_title") or None, **common)]
    if name == "UserPromptSubmit":
        return [
            Event(kind="prompt", text=text(told, "prompt"), key=key, shared=bool(key), **common)
        ]
    if name in ("PostToolUse", "PostToolUseFailure"):
        call = text(told, "tool_use_id") or None
        failed = name == "PostToolUseFailure"
        answer = text(told, "error") or None if failed else told.get("tool_response")
        used = tool_of(told, answer if answer is not None else "", failed=failed)
        return [Event(kind="tool", tool=used, key=call, shared=bool(call), **common)]
    if name == "Stop":
        said = text(told, "last_assistant_message")
        return [Event(kind="reply", text=said, key=key and f"{key} {said[:200]}", **common)]
    if name == "PostCompact" and text(told, "compact_summary"):
        return [
            Event(
                kind="compaction", text=summary_in(text(told, "compact_summary")), key=key, **common
            )
        ]
    if name == "SessionEnd":
        return [Event(kind="session_end", **common)]
    return []


def summary_in(said: str) -> str:
    """The summary in what a compaction says, without the analysis that precedes it."""
    if "<summary>" in said:
        said = said.partition("<summary>")[2]
    return said.partition("</summary>")[0].strip()
