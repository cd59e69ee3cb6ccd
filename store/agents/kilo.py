"""Kilo, whose sessions are read."""

from __future__ import annotations

from .base import Agent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


class Kilo(Agent):
    """Kilo, which was made of OpenCode."""

    name = "kilo"
    position = 150
    aliases = ("kilo-code",)
    is_tried = False

    programs = ("kilo",)
    resuming = ("kilo", "-s", "{id}")

    transcript_folders = ("kilo",)
    transcript_names = r"^kilo[^/]*\.db$"
    file_readers = {".db": "opencode.KiloDatabase"}

    def folders(self, home: Path, environment: Mapping[str, str]) -> tuple[Path, ...]:
        """Its data, and its settings."""
        return (self.transcript_root(home, environment) / "kilo", home / ".config/kilo")

    def transcript_root(self, home: Path, environment: Mapping[str, str]) -> Path:
        """XDG_DATA_HOME, else ~/.local/share."""
        return home / (environment.get("XDG_DATA_HOME") or ".local/share")


AGENT = Kilo()
