"""Kiro, whose sessions are read."""

from __future__ import annotations

from .base import Agent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


class Kiro(Agent):
    """Kiro, its command line and its window."""

    name = "kiro"
    position = 160
    aliases = ("kiro-cli",)
    is_tried = False

    home_folders = (".kiro", ".local/share/kiro-cli")
    programs = ("kiro-cli", "kiro")

    transcript_folders = (
        ".local/share/kiro-cli", "Library/Application Support/kiro-cli", ".kiro/sessions/cli",
        ".kiro/sessions",
    )  # fmt: skip
    transcript_names = r"^([^/]+\.jsonl|data\.sqlite3|[^/]+/[^/]+/messages\.jsonl)$"
    file_readers = {
        ".db": "kiro.KiroDatabase",
        ".sqlite3": "kiro.KiroDatabase",
        ".jsonl": "kiro.KiroSession",
    }

    def transcript_root(self, home: Path, environment: Mapping[str, str]) -> Path:
        """The home directory: it keeps sessions in two places."""
        return home


AGENT = Kiro()
