"""Crush, whose sessions are read."""

from __future__ import annotations

from .base import Agent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


class Crush(Agent):
    """Crush, which keeps a database in each project."""

    name = "crush"
    position = 170
    is_tried = False

    programs = ("crush",)
    resuming = ("crush", "--session", "{id}")

    transcript_folders = (".crush",)
    transcript_names = r"^crush\.db$"
    file_readers = {".db": "crush.CrushDatabase"}

    def folders(self, home: Path, environment: Mapping[str, str]) -> tuple[Path, ...]:
        """Its settings, and the list of its projects."""
        data = home / (environment.get("XDG_DATA_HOME") or ".local/share")
        return (home / (environment.get("XDG_CONFIG_HOME") or ".config") / "crush", data / "crush")

    def transcript_places(self, home: Path, environment: Mapping[str, str]) -> tuple[Path, ...]:
        """The data of each project that it lists."""
        import json
        from contextlib import suppress

        listed: object = None
        with suppress(OSError, ValueError, RecursionError):
            file = self.folders(home, environment)[1] / "projects.json"
            listed = json.loads(file.read_bytes())["projects"]
        places = (
            project.get("data_dir") or f"{project.get('path')}/.crush"
            for project in (listed if isinstance(listed, list) else ())
            if isinstance(project, dict)
        )
        return tuple(home / place for place in places if isinstance(place, str))


AGENT = Crush()
