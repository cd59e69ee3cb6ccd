"""Trae, whose hooks speak Claude Code's dialect, as reported; they name no tool calls."""

from __future__ import annotations

from .base import CLAUDE_ENVELOPE, Agent, grouped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


class Trae(Agent):
    """Trae, in two editions that keep a configuration each."""

    name = "trae"
    position = 80

    is_believed = True

    envelope = CLAUDE_ENVELOPE
    prompt_events = ("UserPromptSubmit",)
    hooks = {
        "SessionStart": grouped(None, 10),
        "UserPromptSubmit": grouped(None, 10),
        "PostToolUse": grouped(None, 10),
        "Stop": grouped(None, 10),
    }
    header = {"version": 1}
    home_folders = (".trae", ".trae-cn")
    programs = ("trae", "trae-cn")
    project_configuration = ".trae/hooks.json"
    next_steps = ("Experimental. Turn hooks on in Trae: Settings → Hooks.",)
    skill = "skills/memtui/SKILL.md"
    silent_remedy = "Turn on Settings, Hooks in Trae."

    def editions(self, home: Path, environment: Mapping[str, str]) -> tuple[Path, ...]:
        """Each that is there, else the first."""
        folders = self.folders(home, environment)
        return tuple(folder for folder in folders if folder.is_dir()) or folders[:1]

    def server_configurations(self, home: Path, environment: Mapping[str, str]) -> tuple[Path, ...]:
        """In the directory of an editor's settings, of each edition that is there."""
        base = self.settings_root(home, environment)
        names = {".trae": "Trae", ".trae-cn": "Trae CN"}
        editions = self.editions(home, environment)
        return tuple(base / names[path.name] / "User" / "mcp.json" for path in editions)


AGENT = Trae()
