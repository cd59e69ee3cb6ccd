"""Install our hooks into an agent, and take them out again."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ..capture.events import AGENTS, Agent
from ..errors import ConfigurationError
from . import json_config, plugin
from .advice import after_installing
from .command import OTHER_NAMES, Launcher
from .config_file import Change, edit
from .json_config import Plan
from .places import Surroundings


@dataclass(frozen=True, slots=True)
class Installed:
    """What became of an agent's configuration files, and what its user has to know or do."""

    agent: Agent
    changes: tuple[Change, ...]
    advice: tuple[str, ...] = ()

    @property
    def changed(self) -> bool:
        """Whether any file is another than before."""
        return any(change.changed for change in self.changes)


def agent_named(name: str) -> Agent:
    """The agent of a name that people give; ConfigurationError where there is none."""
    if name in OTHER_NAMES:
        return OTHER_NAMES[name]
    for agent in AGENTS:
        if agent == name:
            return agent
    raise ConfigurationError(f"There is no agent {name!r}. Known are {', '.join(AGENTS)}.")


def install(
    agent: Agent,
    *,
    project: Path | None = None,
    database: Path | None = None,
    surroundings: Surroundings | None = None,
    launcher: Launcher | None = None,
    dry_run: bool = False,
) -> Installed:
    """Register our hooks with an agent for all projects, or for the repository `project` only.

    Doing it again changes nothing; hooks of an older installation are replaced where they stand.
    `database` is the memory that its events go to, unless None: the user's own. Raises
    ConfigurationError, with the files as they were, where they can't be read, written or
    understood.
    """
    around = surroundings or Surroundings()
    start = launcher or Launcher.here()
    # Asked before a directory is made that would look like the agent's.
    found = around.is_found(agent)
    changes = []
    for path in around.files(agent, project):
        plan = (
            plugin.installing(path, start.arguments(agent, database))
            if agent == "opencode"
            else json_config.installing(path, agent, start.command(agent, database))
        )
        changes.append(_edited(path, plan, around, project, dry_run))
    advice = tuple(after_installing(agent, project, found=found))
    return Installed(agent, tuple(changes), advice)


def uninstall(
    agent: Agent,
    *,
    project: Path | None = None,
    surroundings: Surroundings | None = None,
    dry_run: bool = False,
) -> Installed:
    """Take our hooks out of an agent's configuration, and with them the backup.

    A file that nobody else has changed since is what it was, byte for byte, or gone if we had made
    it. Raises ConfigurationError like `install`.
    """
    around = surroundings or Surroundings()
    changes = []
    for path in around.files(agent, project):
        plan = (
            plugin.uninstalling(path)
            if agent == "opencode"
            else json_config.uninstalling(path, agent)
        )
        changes.append(_edited(path, plan, around, project, dry_run))
    return Installed(agent, tuple(changes))


def _edited(
    path: Path, plan: Plan, around: Surroundings, project: Path | None, dry_run: bool
) -> Change:
    return edit(path, plan, root=project or around.home, dry_run=dry_run)
