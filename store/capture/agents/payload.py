"""Reading a hook's payload, whatever it holds: texts, times, and the fields that agents share."""

from __future__ import annotations

from typing import Any

from ...sources.moments import moment
from ..events import ToolUse
from ..spool import SpoolRecord

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
