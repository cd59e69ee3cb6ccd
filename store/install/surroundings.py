"""Where each agent's programs, data and configuration lie."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ..errors import ConfigurationError
from ..events import AgentName

PROGRAMS: dict[AgentName, tuple[str, ...]] = {
    "claude-code": ("claude",),
    "codex": ("codex",),
    "cursor": ("cursor", "cursor-agent"),
    "gemini": ("gemini",),
    "opencode": ("opencode",),
    "copilot": ("copilot",),
    "windsurf": ("windsurf",),
    "trae": ("trae", "trae-cn"),
}
"""What each agent's program is called."""

PROJECT_FILES: dict[AgentName, str] = {
    "claude-code": ".claude/settings.local.json",
    "codex": ".codex/hooks.json",
    "cursor": ".cursor/hooks.json",
    "gemini": ".gemini/settings.json",
    "opencode": ".opencode/plugins/memtui.js",
    "copilot": ".github/copilot/settings.local.json",
    "windsurf": ".windsurf/hooks.json",
    "trae": ".trae/hooks.json",
}
"""Each agent's configuration in a repository: the personal one, where there is one."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """A user's home directory and environment; by default those of this process."""

    home: Path = field(default_factory=Path.home)
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))

    def files(self, agent: AgentName, project: Path | None = None) -> tuple[Path, ...]:
        """The configuration that takes an agent's hooks: the user's, or that of a repository.

        More than one only of Trae, whose two editions keep their own.
        """
        if project is not None:
            return (project / PROJECT_FILES[agent],)
        if agent == "trae":
            editions = [self.home / ".trae", self.home / ".trae-cn"]
            found = [folder for folder in editions if folder.is_dir()] or editions[:1]
            return tuple(folder / "hooks.json" for folder in found)
        name = {
            "claude-code": "settings.json",
            "gemini": "settings.json",
            "copilot": "hooks/memtui.json",
            "opencode": "plugins/memtui.js",
        }.get(agent, "hooks.json")
        return (self._folders(agent)[0] / name,)

    def is_found(self, agent: AgentName) -> bool:
        """Whether the agent seems to be on this machine: its program, or a directory it keeps."""
        path = self.environment.get("PATH", os.defpath)
        if any(shutil.which(name, path=path) for name in PROGRAMS[agent]):
            return True
        ours = frozenset(self.files(agent))
        return any(
            folder.is_dir() and not _is_made_by_us(folder, ours) for folder in self._folders(agent)
        )

    def _folders(self, agent: AgentName) -> tuple[Path, ...]:
        """The directories that the agent keeps, that of its configuration first."""
        if agent == "claude-code":
            return (self._named("CLAUDE_CONFIG_DIR", ".claude"),)
        if agent == "codex":
            return (self._named("CODEX_HOME", ".codex"),)
        if agent == "copilot":
            return (self._named("COPILOT_HOME", ".copilot"),)
        if agent == "gemini":
            return (self._named("GEMINI_CLI_HOME", "") / ".gemini",)
        if agent == "opencode":
            base = self._named("XDG_CONFIG_HOME", ".config") / "opencode"
            data = self._named("XDG_DATA_HOME", ".local/share") / "opencode"
            return (self._named("OPENCODE_CONFIG_DIR", base), data)
        if agent == "cursor":
            return (self.home / ".cursor",)
        if agent == "windsurf":
            return (self.home / ".codeium" / "windsurf", self.home / ".windsurf")
        return (self.home / ".trae", self.home / ".trae-cn")

    def _named(self, variable: str, usual: str | Path) -> Path:
        return self.home / (self.environment.get(variable) or usual)


def _is_made_by_us(folder: Path, ours: frozenset[Path]) -> bool:
    """Whether a directory is one that installing made, for our eyes only, and holds nothing but a
    file of ours."""
    try:
        inner = list(folder.iterdir()) if stat.S_IMODE(folder.stat().st_mode) == 0o700 else []
    except OSError:
        return False
    if len(inner) != 1:
        return False
    return inner[0] in ours or (inner[0].is_dir() and _is_made_by_us(inner[0], ours))


def repository(folder: Path) -> Path:
    """The root of the repository that a directory is in; ConfigurationError where it is in none."""
    for candidate in (folder, *folder.parents):
        if (candidate / ".git").exists():
            return candidate
    raise ConfigurationError(
        f"{folder} is in no git repository. Go to the project's own directory, or install for "
        "all projects: without --project."
    )
