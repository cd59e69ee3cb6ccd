"""Reading a hook's payload, whatever it holds: texts, times, and the fields that agents share."""

from __future__ import annotations

import json
from dataclasses import replace
from hashlib import blake2b
from typing import Any

from ..events import Event, SpoolRecord, ToolUse
from ..text.times import moment

Payload = dict[str, Any]


def text(payload: Payload, *names: str) -> str:
    """The first of these fields that holds a text with anything in it; "" when none does."""
    for name in names:
        found = payload.get(name)
        if isinstance(found, str) and found.strip():
            return found
    return ""


def session_of(payload: Payload, *names: str) -> str:
    """The session's id. Raises ValueError where it is missing: nothing can be told of it then."""
    if found := text(payload, *names):
        return found
    raise ValueError(f"the event names no session ({' or '.join(names)} is missing)")


def time_of(payload: Payload, record: SpoolRecord) -> int:
    """When it happened (ms): as the agent tells, else as the hook ran."""
    told = payload.get("timestamp")
    if isinstance(told, str):
        return moment(None, told) or record.at
    if isinstance(told, int | float) and not isinstance(told, bool):
        return moment(int(told), None) or record.at
    return record.at


def tool_of(payload: Payload, response: object = None, *, failed: bool = False) -> ToolUse:
    """The tool that was used, by the fields most agents share."""
    given = payload.get("tool_input", payload.get("toolArgs"))
    name = text(payload, "tool_name", "toolName") or "unknown"
    return ToolUse(name, given, response, failed)


def content_hash(event: Event) -> str:
    """A hash of what an event says, alike in both channels.

    Of a tool use that is what the tool was given: what it answered is told in many ways. Of a
    compaction it is nothing, for only one of the two tells the whole summary.
    """
    said = event.text
    if event.tool is not None:
        said = json.dumps(event.tool.input, sort_keys=True)
    elif event.kind == "compaction":
        said = ""
    return blake2b(" ".join(said.split()).encode("utf-8", "replace"), digest_size=8).hexdigest()


def with_content_key(event: Event) -> Event:
    """An event named by its time, with a key that tells it from others of the same moment."""
    return replace(event, key=event.key and f"{event.key} {content_hash(event)}")
