"""Where agents keep their files here: the home directory, the environment, the repository of a folder."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..agents.registry import agent_called
from ..records.dataclasses import dataclass
from ..tables.projects.repositories import locate
from .reading import read_json, read_toml
from .rules import rules_of

if TYPE_CHECKING:
    from collections.abc import Mapping

HASHED_FROM = 200
"""UTF-16 units from which on a slug ends with a hash."""


@dataclass(frozen=True, slots=True)
class AgentHomes:
    """The home directory, and the environment's variables, by which agents find their files.

    `system` is what stands for the file system's root where managed files are looked for.
    """

    home: Path
    environment: Mapping[str, str]
    system: Path = Path("/")

    @classmethod
    def own(cls) -> AgentHomes:
        """Return those of this process."""
        return cls(Path.home().resolve(), dict(os.environ))

    def folder_of(self, agent: str) -> Path:
        """Return the directory that an agent keeps in the home directory or where a variable says."""
        known = agent_called(agent)
        if known is None:
            return self.home / rules_of(agent).home
        return known.folders(self.home, self.environment)[0]

    def claude_settings(self, folder: Path) -> list[dict[str, Any]]:
        """Return Claude Code's settings for a session in a folder, what counts most first: managed,
        local, project, user."""
        places = (
            self.system / "etc/claude-code/managed-settings.json",
            folder / ".claude/settings.local.json",
            folder / ".claude/settings.json",
            self.folder_of("claude-code") / "settings.json",
        )
        return [read_json(place) for place in places]

    def codex_settings(self) -> dict[str, Any]:
        """Return Codex's configuration."""
        return read_toml(self.folder_of("codex") / "config.toml")

    def gemini_settings(self, folder: Path) -> list[dict[str, Any]]:
        """Return Gemini CLI's settings for a session in a folder, what counts most first."""
        own = self.folder_of("gemini") / "settings.json"
        return [read_json(folder / ".gemini/settings.json"), read_json(own)]

    def expanded(self, text: str, base: Path) -> Path:
        """Return the path that a text means: `~/` is the home directory, else it starts at a folder."""
        if text == "~" or text.startswith("~/"):
            return self.home / text[2:]
        return base / text


def main_root(folder: Path) -> Path:
    """Return the root of the main checkout that a folder or its worktree belongs to, else the folder."""
    location = locate(str(folder))
    if not location.is_repository or location.is_named_only:
        return folder
    return Path(location.root)


def repository_of(folder: Path, markers: tuple[str, ...] = (".git",)) -> Path | None:
    """Return the nearest folder from this one upward that holds one of the markers."""
    for place in (folder, *folder.parents):
        if any(os.path.lexists(place / marker) for marker in markers):
            return place
    return None


def between(top: Path, bottom: Path) -> list[Path]:
    """Return the folders from `top` down to `bottom`, both included, the outer first."""
    if bottom != top and top not in bottom.parents:
        return []
    return [*(place for place in reversed(bottom.parents) if place.is_relative_to(top)), bottom]


def slug(path: Path) -> str:
    """Return the name under which Claude Code and Qwen Code keep what belongs to a folder."""
    units = str(path).encode("utf-16-le", "surrogatepass")
    codes = [int.from_bytes(units[at : at + 2], "little") for at in range(0, len(units), 2)]
    text = "".join(chr(code) if code < 128 and chr(code).isalnum() else "-" for code in codes)
    if len(text) <= HASHED_FROM:
        return text
    number = 0
    for code in codes:
        number = (number * 31 + code) & 0xFFFFFFFF
    return f"{text[:HASHED_FROM]}-{_base_36(abs(number - (1 << 32) if number >> 31 else number))}"


def _base_36(number: int) -> str:
    digits = ""
    while number:
        number, digit = divmod(number, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
    return digits or "0"
