"""In which agent's shell a command runs, by the variables that agents set for what they start.

The lean `mem add` asks: nothing is imported, and the agents' own modules aren't either.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

SHELLS = (
    ("copilot", ("COPILOT_AGENT_SESSION_ID",), ("COPILOT_CLI",)),
    ("gemini", ("GEMINI_SESSION_ID",), ("GEMINI_CLI",)),
    ("codex", ("CODEX_THREAD_ID",), ("CODEX_SANDBOX", "CODEX_CI")),
    ("qwen-code", ("QWEN_CODE_SESSION_ID",), ("QWEN_CODE",)),
    ("cline", (), ("CLINE_ACTIVE",)),
    ("opencode", ("OPENCODE_SESSION_ID",), ("OPENCODE",)),
    ("cursor", ("CURSOR_CONVERSATION_ID",), ("CURSOR_AGENT",)),
    ("pi", ("PI_SESSION_ID",), ("PI_CODING_AGENT",)),
    ("claude-code", ("CLAUDE_CODE_SESSION_ID", "CLAUDE_SESSION_ID"), ("CLAUDECODE",)),
)
"""Agents, the variables that hold the session's id, and those that only say whose shell it is. Claude
Code comes last: others set its variables too, or run inside of it."""

LONGEST = 200


def agent_shell(environment: Mapping[str, str]) -> tuple[str, str] | None:
    """Return the agent whose shell this is and its session's id, "" where that isn't told; None outside
    of agents."""
    for agent, ids, marks in SHELLS:
        for name in ids:
            if is_session_id(result := environment.get(name, "")):
                return agent, result
        for name in marks:
            if environment.get(name):
                return agent, ""
    return None


def is_session_id(text: str) -> bool:
    """Return whether a variable's value can be a session's id: letters, digits and a few signs."""
    return 4 <= len(text) <= LONGEST and text.translate(SIGNS).isalnum() and text.isascii()


SIGNS = {ord(sign): None for sign in "-_.:"}
