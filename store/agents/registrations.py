"""Which events of each agent are registered, and in what shape its configuration wants them.

Only events that tell something worth keeping; none that can stop the agent (a `preToolUse` that
fails forbids the tool), and none that tells the same again. From the agents' own documentation.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..events import AgentName

Json = dict[str, object]


@dataclass(frozen=True, slots=True)
class Registration:
    """How an agent's configuration registers hooks: `events` in order, each with its entry.

    `header` is what a new file begins with, beside "hooks".
    """

    events: dict[str, Callable[[str], Json]]
    header: Json

    def entries(self, command: str) -> dict[str, Json]:
        """What the list of each event gains."""
        return {event: entry(command) for event, entry in self.events.items()}


def grouped(matcher: str | None, timeout: int, name: str | None = None) -> Callable[[str], Json]:
    """An entry that holds handlers, for what a matcher matches; `timeout` in the agent's unit."""

    def entry(command: str) -> Json:
        handler: Json = {"type": "command", "command": command, "timeout": timeout}
        named = handler if name is None else {"name": name, **handler}
        return ({} if matcher is None else {"matcher": matcher}) | {"hooks": [named]}

    return entry


def cursor(command: str) -> Json:
    """Cursor's entry, its timeout in seconds."""
    return {"command": command, "timeout": 10}


def copilot(command: str) -> Json:
    """Copilot's entry, its timeout in seconds."""
    return {"type": "command", "bash": command, "timeoutSec": 10}


def windsurf(command: str) -> Json:
    """Windsurf's entry: it knows no timeout."""
    return {"command": command, "show_output": False}


CLAUDE_STARTS = "startup|resume|clear|compact|fork"
GEMINI_MS = 10_000

REGISTRATIONS: dict[AgentName, Registration] = {
    "claude-code": Registration(
        {
            "SessionStart": grouped(CLAUDE_STARTS, 10),
            "UserPromptSubmit": grouped(None, 10),
            "PostToolUse": grouped("*", 10),
            "PostToolUseFailure": grouped("*", 10),
            "PreCompact": grouped(None, 20),
            "PostCompact": grouped(None, 20),
            "SubagentStop": grouped(None, 10),
            "Stop": grouped(None, 20),
            "SessionEnd": grouped(None, 20),
        },
        {},
    ),
    "codex": Registration(
        {
            "SessionStart": grouped(None, 10),
            "UserPromptSubmit": grouped(None, 10),
            "PostToolUse": grouped("*", 10),
            "PreCompact": grouped(None, 10),
            "PostCompact": grouped(None, 10),
            "SubagentStop": grouped(None, 10),
            "Stop": grouped(None, 10),
            "SessionEnd": grouped(None, 3),  # the most that Codex grants it
        },
        {},
    ),
    "cursor": Registration(
        dict.fromkeys(
            (
                "sessionStart beforeSubmitPrompt postToolUse postToolUseFailure "
                "afterAgentResponse preCompact stop sessionEnd"
            ).split(),
            cursor,
        ),
        {"version": 1},
    ),
    "gemini": Registration(
        {
            "SessionStart": grouped("*", GEMINI_MS, "memtui"),
            "BeforeAgent": grouped("*", GEMINI_MS, "memtui"),
            "AfterTool": grouped(".*", GEMINI_MS, "memtui"),
            "AfterAgent": grouped("*", GEMINI_MS, "memtui"),
            "SessionEnd": grouped("*", GEMINI_MS, "memtui"),
        },
        {},
    ),
    "copilot": Registration(
        dict.fromkeys(
            (
                "sessionStart userPromptSubmitted postToolUse postToolUseFailure "
                "preCompact subagentStop agentStop sessionEnd"
            ).split(),
            copilot,
        ),
        {"version": 1},
    ),
    "windsurf": Registration(
        dict.fromkeys(
            (
                "pre_user_prompt post_write_code post_run_command post_read_code "
                "post_mcp_tool_use post_cascade_response_with_transcript"
            ).split(),
            windsurf,
        ),
        {},
    ),
    "trae": Registration(
        {
            "SessionStart": grouped(None, 10),
            "UserPromptSubmit": grouped(None, 10),
            "PostToolUse": grouped(None, 10),
            "Stop": grouped(None, 10),
        },
        {"version": 1},
    ),
}
"""Of every agent but OpenCode, which takes a plugin."""
