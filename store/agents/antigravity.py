"""Antigravity, whose sessions are read."""

from __future__ import annotations

from .base import Agent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

FOLDERS = ("antigravity", "antigravity-ide", "antigravity-cli")


class Antigravity(Agent):
    """Antigravity, its window and its command line."""

    name = "antigravity"
    position = 190
    aliases = ("agy",)
    is_tried = False

    home_folders = tuple(f".gemini/{folder}" for folder in FOLDERS)
    programs = ("antigravity", "agy")

    transcript_folders = tuple(f"{folder}/brain" for folder in FOLDERS)
    transcript_names = r"^[^/]+/\.system_generated/logs/transcript\.jsonl$"
    file_readers = {".jsonl": "antigravity.AntigravitySession"}

    def transcript_root(self, home: Path, environment: Mapping[str, str]) -> Path:
        """The directory that it shares with Gemini CLI."""
        return home / ".gemini"


AGENT = Antigravity()
