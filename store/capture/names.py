"""The agents' names. Apart from `store.capture.events`, for a session's start imports next to nothing."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .events import Agent

AGENTS: "tuple[Agent, ...]" = (
    "claude-code", "codex", "cursor", "gemini", "opencode", "copilot", "windsurf", "trae",
)  # fmt: skip
