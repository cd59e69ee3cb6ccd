"""Install our hooks into an agent, and take them out again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ..agents.registry import AGENTS, BY_NAME, agent_called
from ..errors import ConfigurationError
from ..events import AgentName
from ..records.dataclasses import dataclass
from . import json_config, plugin
from .config_file import Change, edit
from .launcher import Launcher
from .splice import Plan, install_plan, uninstall_plan
from .surroundings import Surroundings


@dataclass(frozen=True, slots=True)
class Installed:
    """The changes of an agent's configuration files, and sentences that its user has to read."""

    agent: AgentName
    changes: tuple[Change, ...]
    advice: tuple[str, ...] = ()

    @property
    def changed(self) -> bool:
        """Whether any file is another than before."""
        return any(change.changed for change in self.changes)


def agent_named(name: str) -> AgentName:
    """The agent of a name or an alias; ConfigurationError where there is none."""
    if agent := agent_called(name):
        return agent.name
    raise ConfigurationError(f"There is no agent {name!r}. Known are {', '.join(AGENTS)}.")


def install(
    agent: AgentName,
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
    surroundings = surroundings or Surroundings()
    launcher = launcher or Launcher.here()
    # Asked before a directory is made that would look like the agent's.
    is_found = surroundings.is_found(agent)
    changes = []
    for path in surroundings.files(agent, project):
        plan = (
            plugin.install_plan(path, template, launcher.arguments(agent, database))
            if (template := BY_NAME[agent].plugin)
            else install_plan(
                path, [json_config.hook_splice(path, agent, launcher.command(agent, database))]
            )
        )
        changes.append(_edited(path, plan, surroundings, project, dry_run))
    advice = tuple(after_installing(agent, project, found=is_found))
    return Installed(agent, tuple(changes), advice)


def uninstall(
    agent: AgentName,
    *,
    project: Path | None = None,
    surroundings: Surroundings | None = None,
    dry_run: bool = False,
) -> Installed:
    """Take our hooks out of an agent's configuration, and with them the backup.

    A file that nobody else has changed since is what it was, byte for byte, or gone if we had made
    it. Raises ConfigurationError like `install`.
    """
    surroundings = surroundings or Surroundings()
    changes = []
    for path in surroundings.files(agent, project):
        plan = (
            plugin.uninstall_plan(path, template)
            if (template := BY_NAME[agent].plugin)
            else uninstall_plan(path, [json_config.hook_splice(path, agent)])
        )
        changes.append(_edited(path, plan, surroundings, project, dry_run))
    return Installed(agent, tuple(changes))


def _edited(
    path: Path, plan: Plan, surroundings: Surroundings, project: Path | None, dry_run: bool
) -> Change:
    return edit(path, plan, root=project or surroundings.home, dry_run=dry_run)


def after_installing(agent: AgentName, project: Path | None, *, found: bool) -> Iterator[str]:
    """The sentences that a user needs to read; `found` is whether the agent was there before."""
    if not found:
        yield f"{agent} was not found on this machine; its hooks wait for it."
    yield from BY_NAME[agent].next_steps
    if project is None:
        return
    yield from BY_NAME[agent].project_steps
    yield (
        f"{BY_NAME[agent].project_configuration} now holds a path of this machine: keep it out of commits, "
        "for example by .git/info/exclude."
    )
