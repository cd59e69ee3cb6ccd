"""Amp, whose threads are read."""

from __future__ import annotations

from .base import Agent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


class Amp(Agent):
    """Amp; a thread is a session."""

    name = "amp"
    position = 130
    is_tried = False

    programs = ("amp",)
    resuming = ("amp", "threads", "continue", "{id}")

    transcript_folders = ("threads",)
    transcript_names = r"^T-[^/]+\.json$"
    file_readers = {".json": "amp.AmpThread"}

    def folders(self, home: Path, environment: Mapping[str, str]) -> tuple[Path, ...]:
        """Its data, below XDG_DATA_HOME, else ~/.local/share."""
        return (home / (environment.get("XDG_DATA_HOME") or ".local/share") / "amp",)


AGENT = Amp()
