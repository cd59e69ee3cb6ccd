"""The process that an agent starts at each event and waits for: it imports next to nothing.

What it can't ask the agents' modules stands here; a test compares the two.
"""

AGENT_VARIABLES = (b"COPILOT_CLI", b"GEMINI_SESSION_ID", b"CLAUDECODE", b"CURSOR_VERSION")
"""Variables of the environment that say which agent really runs a hook."""

STARTS = (b'"SessionStart"', b'"sessionStart"', b'"session.created"')
TURNS = (*STARTS, b'"session.deleted"', b'"SessionEnd"', b'"sessionEnd"')
NAMELESS_AGENTS = ("copilot",)
NAMELESS_TURNS = (b'"source"', b'"reason"')
"""What stands in the events that start and end a session; those of some agents have no names."""
