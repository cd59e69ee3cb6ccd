"""The envelope in which each agent takes its context at the start of a session; Windsurf takes
none.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import apsw


CLAUDE = """
SELECT json_object(
    'hookSpecificOutput', json_object('hookEventName', :name, 'additionalContext', :text)
)
"""
"""Claude Code's, too of Codex, which refuses any other key, of Gemini and of Trae."""

ENVELOPES = {
    "claude-code": CLAUDE,
    "codex": CLAUDE,
    "gemini": CLAUDE,
    "trae": CLAUDE,
    "cursor": "SELECT json_object('additional_context', :text)",
    # It reads only the top level.
    "copilot": "SELECT json_object('additionalContext', :text)",
    # Its plugin adds the text to the system prompt.
    "opencode": "SELECT :text",
}
"""By SQL, which is at hand where `json` would have to be imported."""


def answer_of(db: apsw.Connection, agent: str, name: str, text: str) -> bytes:
    """What to print for an agent whose event has this name; nothing where there is no text."""
    shape = ENVELOPES.get(agent)
    if not text or shape is None:
        return b""
    return str(db.execute(shape, {"name": name, "text": text}).get).encode()
