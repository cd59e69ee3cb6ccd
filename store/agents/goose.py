"""Goose, whose sessions are read."""

from __future__ import annotations

from .base import Agent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


class Goose(Agent):
    """Goose."""

    name = "goose"
    position = 140
    is_tried = False

    programs = ("goose",)
    resuming = ("goose", "session", "--resume", "--session-id", "{id}")

    transcript_folders = ("sessions",)
    transcript_names = r"^([^/]+\.jsonl|sessions\.db)$"
    file_readers = {".db": "goose.GooseDatabase", ".jsonl": "goose.GooseSession"}

    def folders(self, home: Path, environment: Mapping[str, str]) -> tuple[Path, ...]:
        """Its data, below XDG_DATA_HOME, else ~/.local/share."""
        return (home / (environment.get("XDG_DATA_HOME") or ".local/share") / "goose",)


AGENT = Goose()
