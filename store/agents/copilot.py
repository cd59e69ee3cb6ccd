"""Copilot CLI, in both dialects of its hooks: camelCase without a name, and Claude Code's."""

from __future__ import annotations

from .base import Agent, Json, bash_entry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from ..records.events import Event, SpoolRecord

KINDS = {
    "SessionStart": "start", "UserPromptSubmit": "prompt", "PostToolUse": "tool",
    "PostToolUseFailure": "failure", "Stop": "stop", "SessionEnd": "end",
}  # fmt: skip
"""What an event is that has a name."""


class Copilot(Agent):
    """Copilot CLI. An event is named by its time, which both dialects report alike."""

    name = "copilot"
    position = 60

    precedence = 10
    own_fields = (
        ("sessionId", "toolName"), ("sessionId", "initialPrompt"), ("sessionId", "initial_prompt"),
        ("sessionId", "transformedPrompt"), ("sessionId", "stopReason"),
    )  # fmt: skip
    own_result_field = "result_type"
    variable = "COPILOT_CLI"
    nameless = True

    envelope = "SELECT json_object('additionalContext', :text)"
    """It reads only the top level."""
    prompt_events = ("", "UserPromptSubmit")
    hooks = dict.fromkeys(
        (
            "sessionStart userPromptSubmitted postToolUse postToolUseFailure "
            "preCompact subagentStop agentStop sessionEnd"
        ).split(),
        bash_entry,
    )
    header = {"version": 1}
    home_folders = (".copilot",)
    home_variable = "COPILOT_HOME"
    programs = ("copilot",)
    resuming = ("copilot", "--resume={id}")
    prompting = ("copilot", "-i", "{prompt}")
    configuration = "hooks/memtui.json"
    project_configuration = ".github/copilot/settings.local.json"
    notes = (
        "Copilot runs a repository's Claude Code hooks too: an event that comes twice is stored once.",
    )

    # It has no commands of its users' own: `/memtui` calls the skill.
    server_configuration = "mcp-config.json"
    skill = "skills/memtui/SKILL.md"

    transcript_folders = ("session-state",)
    transcript_names = r"^([^/]+/events|[^/]+)\.jsonl$"
    line_reader = "copilot.CopilotReader"

    def events(self, record: SpoolRecord) -> list[Event]:
        """The event of a hook."""
        from ..records.events import Event
        from .payload import session_of, text, time_of, tool_of, with_content_key

        payload = record.event
        at = time_of(payload, record)
        parent = text(payload, "parentAgentId", "parent_agent_id")
        common: dict[str, Any] = {
            "agent": self.name,
            "session": parent or session_of(payload, "sessionId", "session_id"),
            "subagent": text(payload, "agentId", "agent_id") or None,
            "at": at,
            "cwd": text(payload, "cwd") or record.cwd or None,
            "transcript": text(payload, "transcriptPath", "transcript_path") or None,
            "key": str(at) if payload.get("timestamp") else None,
        }
        name = text(payload, "hook_event_name")
        kind = KINDS.get(name) if name else kind_of_nameless(payload)
        if kind == "start":
            return [Event(kind="session_start", **common)]
        if kind == "prompt":
            return [Event(kind="prompt", text=text(payload, "prompt"), **common)]
        if kind in ("tool", "failure"):
            output = payload.get("toolResult", payload.get("tool_result", text(payload, "error")))
            tool = tool_of(payload, output, failed=kind == "failure")
            return [with_content_key(Event(kind="tool", tool=tool, **common))]
        if kind == "stop":
            return [Event(kind="reply", **common)]
        if kind == "end":
            failed = text(payload, "reason") in ("error", "abort", "timeout")
            return [Event(kind="session_end", failed=failed, **common)]
        return []

    def server(self, words: Sequence[str]) -> Json:
        """An entry with all of our tools."""
        return {"type": "local", **super().server(words), "tools": ["*"]}


def kind_of_nameless(payload: Mapping[str, Any]) -> str | None:
    """What an event without a name is, by the fields that only it has."""
    if "transformedPrompt" in payload or "agentName" in payload:
        return None
    if "toolName" in payload:
        return "failure" if "error" in payload else "tool" if "toolResult" in payload else None
    if "stopReason" in payload:
        return "stop"
    if "prompt" in payload:
        return "prompt"
    if "reason" in payload:
        return "end"
    return "start" if "source" in payload else None


AGENT = Copilot()
