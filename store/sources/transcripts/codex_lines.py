"""What a line of a rollout is, and what the ids in it tell."""

from __future__ import annotations

import re
from pathlib import Path
from uuid import UUID

from .fields import mapping
from .parts import Record, text

THREAD = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=\.jsonl?\b|$)")
WRAPPED = ("session_meta", "turn_context", "event_msg", "compacted", "token_usage_record")
AGENT_WENT_ON = ("agent_message", "agent_reasoning", "agent_reasoning_raw_content")
TURN_BEGINS = ("task_started", "turn_started")
TURN_ENDS = ("task_complete", "turn_complete", "turn_aborted")


def unwrapped(record: Record) -> tuple[str, Record]:
    """A line's kind and payload; ValueError where it has none that is an object.

    The oldest files hold bare metas and bare items.
    """
    kind = text(record.get("type"))
    if "payload" in record or kind in WRAPPED:
        payload = record.get("payload")
        if not isinstance(payload, dict):
            raise ValueError(f"A line of the kind {kind or 'unknown'!r} has no object as payload.")
        return kind, payload
    if not kind:
        return ("session_meta" if "id" in record and "timestamp" in record else ""), record
    return "response_item", record


def spawned(payload: Record) -> tuple[bool, str]:
    """Whether a session's meta is a sub-agent's, and the id of the session that it works for."""
    source = mapping(payload.get("source")).get("subagent")
    spawn = mapping(mapping(source).get("thread_spawn"))
    parent = text(payload.get("parent_thread_id")) or text(spawn.get("parent_thread_id"))
    if not (source or parent):
        return False, ""
    root = text(payload.get("session_id"))
    return True, root if root and root != payload.get("id") else parent


def made(identity: object) -> int | None:
    """When an id was made, in ms since the epoch: a UUID of version 7 tells it."""
    try:
        found = UUID(text(identity))
    except ValueError:
        return None
    return found.int >> 80 if found.version == 7 else None


def named(path: Path) -> str:
    """The id of a thread as its file's name tells it; else the whole name."""
    found = THREAD.search(path.name)
    return found.group() if found else path.stem


def went_on(kind: str, payload: Record) -> bool:
    """Whether a line shows the agent at work, so that what was asked before stands as it is."""
    inner = text(payload.get("type"))
    if kind == "response_item":
        return inner not in ("", "message") or payload.get("role") == "assistant"
    if kind == "event_msg":
        item = text(mapping(payload.get("item")).get("type"))
        known = inner in AGENT_WENT_ON or inner in TURN_ENDS
        return known or item not in ("", "UserMessage", "HookPrompt")
    return kind == "compacted"
