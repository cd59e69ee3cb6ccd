"""Antigravity, whose sessions are read."""

from __future__ import annotations

from .base import Agent


class Antigravity(Agent):
    """Antigravity, its window and its command line."""

    name = "antigravity"
    position = 190
    aliases = ("agy",)
    is_tried = False

    home_folders = (".gemini",)
    programs = ("antigravity", "agy")

    transcript_folders = ("antigravity/brain", "antigravity-ide/brain", "antigravity-cli/brain")
    transcript_names = r"^[^/]+/\.system_generated/logs/transcript\.jsonl$"
    file_readers = {".jsonl": "antigravity.AntigravitySession"}


AGENT = Antigravity()
