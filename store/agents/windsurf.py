"""Windsurf's hooks: a session is a trajectory, a turn an execution."""

from __future__ import annotations

from typing import Any

from ..events import Event, SpoolRecord, ToolUse
from .payload import session_of, text, time_of, with_content_key

TOOLS = {
    "post_read_code": "read_code",
    "post_write_code": "write_code",
    "post_run_command": "run_command",
    "post_mcp_tool_use": "mcp",
}


def events(record: SpoolRecord) -> list[Event]:
    """The event of a hook; a transcript is only noted, since it tells what the hooks have told."""
    told = record.event
    name = text(told, "agent_action_name")
    found = told.get("tool_info")
    info: dict[str, Any] = found if isinstance(found, dict) else {}
    turn = f"{text(told, 'execution_id')} {text(told, 'timestamp')}".strip()
    common: dict[str, Any] = {
        "agent": "windsurf",
        "session": session_of(told, "trajectory_id"),
        "at": time_of(told, record),
        "cwd": record.cwd or text(info, "cwd") or None,
        "key": turn or None,
    }
    if name == "pre_user_prompt":
        return [with_content_key(Event(kind="prompt", text=text(info, "user_prompt"), **common))]
    if name in TOOLS:
        return [with_content_key(Event(kind="tool", tool=tool(name, info), **common))]
    if name == "post_cascade_response":
        return [with_content_key(Event(kind="reply", text=text(info, "response"), **common))]
    return []


def tool(name: str, info: dict[str, Any]) -> ToolUse:
    """What was done; of a command no output is told."""
    if name != "post_mcp_tool_use":
        return ToolUse(TOOLS[name], info, "")
    server, called = text(info, "mcp_server_name"), text(info, "mcp_tool_name")
    return ToolUse(
        f"mcp__{server}__{called}", info.get("mcp_tool_arguments"), info.get("mcp_result", "")
    )
