"""claude.ai, of which exports are read."""

from __future__ import annotations

from .base import Agent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


class ClaudeAI(Agent):
    """Claude on the web, in its apps and on the desktop: what it exports is a file that lies anywhere."""

    name = "claude-ai"
    position = 180
    aliases = ("claude.ai",)
    is_tried = False

    transcript_folders = ("exports",)
    transcript_names = r"^(.*/)?conversations\.json$"
    file_readers = {".json": "claude_ai.ClaudeAIExport"}

    def folders(self, home: Path, environment: Mapping[str, str]) -> tuple[Path, ...]:
        """The settings of its program for the desktop."""
        return (self.settings_root(home, environment) / "Claude",)


AGENT = ClaudeAI()
