"""The agents that are known, which of them sent an event, and the events that its hook reported.

Several agents run each other's hooks, so the event itself says whose it is, not the command.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Set
    from typing import Any

    from ..events import AgentName, Event, SpoolRecord


AGENTS: tuple[AgentName, ...] = (
    "claude-code", "codex", "cursor", "gemini", "opencode", "copilot", "windsurf", "trae",
)  # fmt: skip

NAMES_IN_COMMANDS: dict[str, AgentName] = {name: name for name in AGENTS} | {
    "claude": "claude-code"
}
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


def events_of(record: SpoolRecord) -> list[Event]:
    """The events that a hook's record tells of; none for what is worth no memory.

    Raises ValueError with a sentence when it is no agent's event, or lacks what every event has.
    """
    from importlib import import_module

    agent = agent_of_record(record)
    module = import_module(f".{agent.replace('-', '_')}", __package__)
    read: Callable[[SpoolRecord], list[Event]] = module.events
    return read(record)


def agent_of_record(record: SpoolRecord) -> AgentName:
    """The agent whose event this is. Raises ValueError when it is none that is known."""
    return agent_of_event(record.agent, record.event, record.env)


def agent_of_event(agent: str, event: dict[str, Any], environment: Set[str]) -> AgentName:
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
    told = NAMES_IN_COMMANDS.get(agent)
    if ".claude/projects" in path or (
        "CLAUDECODE" in environment and told not in ("trae", "opencode")
    ):
        return "claude-code"
    if told is None:
        known = ", ".join(AGENTS)
        raise ValueError(f"{agent!r} is no agent that is known; there are {known}")
    return told
