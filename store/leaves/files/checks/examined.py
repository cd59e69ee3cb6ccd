"""The input of checks (agents' files with their texts, each read once, and the agents that are installed),
and the findings that they return."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from ....agents.homes import AgentHomes, read_text
from ....records.dataclasses import dataclass
from ....text.front_matter import Split, split_front
from ..agent_files import INDEXED, AgentFile, all_rules, own_folder
from ..starts import AGENTS, AgentStart, agent_start

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


MOST_STARTS = 50
"""Folders of one project in which starts are computed."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding: the check's id, the resolved file, the line (from 1; 0 for the whole file), a sentence,
    what would mend it, None where only a person can, and the path that it is about, as the file has it."""

    id: str
    path: Path
    line: int
    text: str
    fix: str | None = None
    target: str = ""


class Examined:
    """Files that are checked together."""

    def __init__(self, here: AgentHomes, projects: Sequence[Path], files: Sequence[AgentFile]) -> None:
        self.here, self.projects, self.files = here, tuple(projects), tuple(files)
        self._texts: dict[Path, str | None] = {}
        self._fronts: dict[Path, Split] = {}
        self._starts: dict[tuple[str, Path], AgentStart] = {}

    def text(self, path: Path) -> str:
        """Return a file's text, "" where it can't be read."""
        if path not in self._texts:
            self._texts[path] = read_text(path, INDEXED)
        return self._texts[path] or ""

    def front(self, path: Path) -> Split:
        """Return a file's front matter and the rest of its text."""
        if path not in self._fronts:
            self._fronts[path] = split_front(self.text(path))
        return self._fronts[path]

    def start(self, agent: str, folder: Path) -> AgentStart:
        """Return what an agent is told in a folder."""
        if (agent, folder) not in self._starts:
            self._starts[agent, folder] = agent_start(self.here, agent, folder)
        return self._starts[agent, folder]

    @cached_property
    def agents(self) -> tuple[str, ...]:
        """The agents that keep a folder here; all that are computed where none does, as on a server."""
        names = []
        for agent in all_rules():
            own = own_folder(self.here, agent)
            if own != self.here.home and own.is_dir():
                names.append(agent)
        return tuple(names) if set(names) & set(AGENTS) else AGENTS

    @cached_property
    def computed(self) -> tuple[str, ...]:
        """Those of which it is computed what they are told."""
        return tuple(agent for agent in AGENTS if agent in self.agents)

    def starts(self, project: Path) -> list[Path]:
        """Return the folders of a project where a start is told something of its own, its root first."""
        folders: dict[Path, None] = {project: None}
        for file in self.files:
            if file.project == project and file.kind == "instruction":
                folder = file.path.parent
                if folder.name.startswith("."):
                    folder = folder.parent
                if folder.is_relative_to(project):
                    folders[folder] = None
        return list(folders)[:MOST_STARTS]

    def shown(self, path: Path) -> str:
        """Return a path as sentences name it: from its project, or from the home directory on."""
        for project in self.projects:
            if path.is_relative_to(project):
                return str(path.relative_to(project))
        if path.is_relative_to(self.here.home):
            return f"~/{path.relative_to(self.here.home)}"
        return str(path)
