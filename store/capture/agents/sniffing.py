"""Which agent really sent an event: several run each other's hooks, so the command can't be trusted."""

from __future__ import annotations

from ..names import AGENTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Set
    from typing import Any

    from ..events import Agent
    from ..spool import SpoolRecord

NAMES: dict[str, Agent] = {name: name for name in AGENTS} | {"claude": "claude-code"}
"""What the commands in agents' settings may call them."""

GEMINI_EVENTS = {
    "BeforeAgent", "AfterAgent", "BeforeTool", "AfterTool", "BeforeModel", "AfterModel",
    "BeforeToolSelection", "PreCompress",
}  # fmt: skip
OPENCODE_EVENTS = {
    "session.created", "session.updated", "session.idle", "session.compacted", "session.deleted",
    "chat.message", "tool.execute.after", "server.instance.disposed",
}  # fmt: skip
COPILOT_KEYS = {"toolName", "initialPrompt", "initial_prompt", "transformedPrompt", "stopReason"}


def sniff(record: SpoolRecord) -> Agent:
    """The agent whose event this is. Raises ValueError when it is none that is known."""
    return sniffed(record.agent, record.event, record.env)


def sniffed(agent: str, event: dict[str, Any], environment: Set[str]) -> Agent:
    """The same of an event, the agent that the hook's command names, and the telling variables."""
    name = str(event.get("hook_event_name", ""))
    path = str(event.get("transcript_path") or "")
    result = event.get("tool_result")
    if (
        "COPILOT_CLI" in environment
        or ("sessionId" in event and COPILOT_KEYS & event.keys())
        or (isinstance(result, dict) and "result_type" in result)
    ):
        return "copilot"
    if "cursor_version" in event or {"conversation_id", "generation_id"} <= event.keys():
        return "cursor"
    if {"agent_action_name", "trajectory_id"} <= event.keys():
        return "windsurf"
    if {"stepIdx", "workspacePaths"} & event.keys() and "conversationId" in event:
        raise ValueError("the event is of Antigravity, which is not supported")
    if name in OPENCODE_EVENTS:
        return "opencode"
    if name in GEMINI_EVENTS or "GEMINI_SESSION_ID" in environment:
        return "gemini"
    if ("turn_id" in event and "model" in event) or "/rollout-" in path:
        return "codex"
    told = NAMES.get(agent)
    if ".claude/projects" in path or (
        "CLAUDECODE" in environment and told not in ("trae", "opencode")
    ):
        return "claude-code"
    if told is None:
        known = ", ".join(AGENTS)
        raise ValueError(f"{agent!r} is no agent that is known; there are {known}")
    return told
