"""Windsurf: a session is a trajectory, a turn an execution."""

from __future__ import annotations

from .base import Agent, Json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..records.events import Event, SpoolRecord, ToolUse

TOOLS = {
    "post_read_code": "read_code",
    "post_write_code": "write_code",
    "post_run_command": "run_command",
    "post_mcp_tool_use": "mcp",
}

REPLIES = ("post_cascade_response", "post_cascade_response_with_transcript")
"""The ends of a turn. Only the first tells the reply; older configurations registered the other."""


def entry(command: str) -> Json:
    """An entry of its configuration: it knows no timeout."""
    return {"command": command, "show_output": False}


class Windsurf(Agent):
    """Windsurf, whose transcripts repeat what its hooks report, and are not read."""

    name = "windsurf"
    position = 70

    precedence = 30
    own_fields = (("agent_action_name", "trajectory_id"),)

    hooks = dict.fromkeys(
        (
            "pre_user_prompt post_write_code post_run_command post_read_code "
            "post_mcp_tool_use post_cascade_response"
        ).split(),
        entry,
    )
    home_folders = (".codeium/windsurf", ".windsurf")
    programs = ("windsurf",)
    project_configuration = ".windsurf/hooks.json"
    server_configuration = "mcp_config.json"
    skill = "skills/memtui/SKILL.md"
    commands = "global_workflows/{name}.md"
    notes = ("Windsurf gives hooks no way to hand a memory to a starting session.",)

    def events(self, record: SpoolRecord) -> list[Event]:
        """The event of a hook."""
        from ..records.events import Event
        from .payload import session_of, text, time_of, with_content_key

        payload = record.event
        name = text(payload, "agent_action_name")
        details = payload.get("tool_info")
        info: dict[str, Any] = details if isinstance(details, dict) else {}
        turn = f"{text(payload, 'execution_id')} {text(payload, 'timestamp')}".strip()
        common: dict[str, Any] = {
            "agent": self.name,
            "session": session_of(payload, "trajectory_id"),
            "at": time_of(payload, record),
            "cwd": record.cwd or text(info, "cwd") or None,
            "key": turn or None,
        }
        if name == "pre_user_prompt":
            prompt = text(info, "user_prompt")
            return [with_content_key(Event(kind="prompt", text=prompt, **common))]
        if name in TOOLS:
            return [with_content_key(Event(kind="tool", tool=tool_of_event(name, info), **common))]
        if name in REPLIES:
            reply = text(info, "response")
            return [with_content_key(Event(kind="reply", text=reply, **common))]
        return []


def tool_of_event(name: str, info: dict[str, Any]) -> ToolUse:
    """The tool that an event reports; of a command it reports no output."""
    from ..records.events import ToolUse
    from .payload import text

    if name != "post_mcp_tool_use":
        return ToolUse(TOOLS[name], info, "")
    server, called = text(info, "mcp_server_name"), text(info, "mcp_tool_name")
    return ToolUse(f"mcp__{server}__{called}", info.get("mcp_tool_arguments"), info.get("mcp_result", ""))


AGENT = Windsurf()
