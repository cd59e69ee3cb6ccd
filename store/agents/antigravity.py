"""Antigravity, whose sessions are read."""

from __future__ import annotations

from .base import Agent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


class Antigravity(Agent):
    """Antigravity, its window and its command line."""

    name = "antigravity"
    position = 190
    aliases = ("agy",)
    is_tried = False

    programs = ("antigravity", "agy")

    transcript_folders = ("antigravity/brain", "antigravity-ide/brain", "antigravity-cli/brain")
    transcript_names = r"^[^/]+/\.system_generated/logs/transcript\.jsonl$"
    file_readers = {".jsonl": "antigravity.AntigravitySession"}

    def folders(self, home: Path, environment: Mapping[str, str]) -> tuple[Path, ...]:
        """~/.gemini, which it shares with Gemini CLI."""
        return (home / ".gemini",)


AGENT = Antigravity()
