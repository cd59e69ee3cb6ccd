"""The process that an agent starts at each event and waits for: it imports next to nothing.

What it can't ask the agents' modules stands here; a test compares the two.
"""

AGENT_VARIABLES = (b"COPILOT_CLI", b"GEMINI_SESSION_ID", b"CLAUDECODE", b"CURSOR_VERSION")
"""Variables of the environment that say which agent really runs a hook."""

STARTS = (b'"SessionStart"', b'"sessionStart"', b'"session.created"')
TURNS = (
    *STARTS, b'"SessionEnd"', b'"sessionEnd"', b'"session.deleted"', b'"server.instance.disposed"',
)  # fmt: skip
NAMELESS_AGENTS = ("copilot",)
NAMELESS_TURNS = (b'"source"', b'"reason"')
"""What stands in the events that start and end a session; those of some agents have no names."""

PROMPTS = (b'"UserPromptSubmit"', b'"BeforeAgent"', b'"chat.message"')
NAMELESS_PROMPTS = (b'"prompt"',)
"""What stands in the events of a prompt that agents take a context at."""

BEFORE_TOOL = b'"PreToolUse"'
"""What stands in the event before a tool is used."""
