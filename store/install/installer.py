"""Install our hooks into an agent, and what it is given beside them, and take all out again."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from ..agents.registry import AGENTS, BY_NAME, agent_called
from ..platform.errors import ConfigurationError
from ..platform.translation import _
from ..records.dataclasses import dataclass
from ..records.events import AgentName
from . import json_config
from .config_file import Change, Plan, Splice, edit, install_plan, remove_made_directories, uninstall_plan
from .parts import (
    PART_WORDS,
    Part,
    own_file_plan,
    own_file_removal,
    own_files,
    part_states,
    plugin_plan,
    plugin_removal,
    server_files,
    server_splice,
)
from .server_entry import server_words
from .surroundings import Launcher, Surroundings


@dataclass(frozen=True, slots=True)
class Installed:
    """The changes of an agent's configuration files, and sentences that its user has to read: `advice` on
    what is left to do, `problems` on what could not be done beside the hooks, `kept` on what stays as it
    is, since it isn't ours to change."""

    agent: AgentName
    changes: tuple[Change, ...]
    advice: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()

    @property
    def changed(self) -> bool:
        """Whether any file is another than before."""
        return any(change.changed for change in self.changes)


def agent_named(name: str) -> AgentName:
    """The agent of a name or an alias; ConfigurationError where there is none."""
    if agent := agent_called(name):
        return agent.name
    raise ConfigurationError(
        "There is no agent {name!r}. Known are {agents}.", name=name, agents=_(", ").join(AGENTS)
    )


def install(
    agent: AgentName,
    *,
    hooks: bool = True,
    parts: Collection[Part] = (),
    project: Path | None = None,
    database: Path | None = None,
    surroundings: Surroundings | None = None,
    launcher: Launcher | None = None,
    dry_run: bool = False,
) -> Installed:
    """Register our hooks with an agent for all projects, or for the repository `project` only.

    Doing it again changes nothing; hooks of an older installation are replaced where they stand.
    `database` is the memory that its events go to, unless None: the user's own. Without `hooks` those are
    left alone. `parts` are installed beside them, for all projects only, where the agent knows them.
    Raises ConfigurationError, with the files as they were, where those of the hooks can't be read,
    written or understood.
    """
    if not BY_NAME[agent].takes_hooks:
        raise ConfigurationError(
            "{agent} takes no hooks that are known. `mem import {agent}` reads its sessions.", agent=agent
        )
    surroundings = surroundings or Surroundings()
    launcher = launcher or Launcher.here()
    if launcher.is_passing:
        raise ConfigurationError(
            "This memtui lies in a cache ({python}), and agents would call it when it is gone. Install it, "
            "by `uv tool install memtui` or `pipx install memtui`, then hook agents up.",
            python=launcher.python,
        )
    # Asked before a directory is made that would look like the agent's.
    is_found = surroundings.is_found(agent)
    work = _Work(surroundings, project, dry_run)
    advice = tuple(after_installing(agent, project, found=is_found)) if hooks else ()
    chosen_parts: Collection[Part] = parts if project is None else ()
    servers: dict[Path, Splice] = {}
    if "mcp" in chosen_parts:
        words = server_words(launcher, database)
        files = server_files(agent, surroundings)
        servers = {path: server_splice(path, agent, words) for path in files}
    for path in surroundings.files(agent, project) if hooks else ():
        if template := BY_NAME[agent].plugin:
            plan = plugin_plan(path, template, launcher.arguments(agent, database))
            work.do(path, plan)
            continue
        command = launcher.command(agent, database)
        registration = json_config.hook_splice(path, agent, command)
        work.splice_hooks(path, registration, servers.pop(path, None))
    for path, splice in servers.items():
        work.try_to(path, install_plan(path, [splice], saves_all=False))
    for own in own_files(agent, surroundings, database):
        if own.part in chosen_parts:
            work.try_to(own.path, own_file_plan(own.content, own.template))
    kept = tuple(notes_on_parts(agent, surroundings, chosen_parts, is_installing=True))
    return Installed(agent, tuple(work.changes), advice, tuple(work.problems), kept)


def uninstall(
    agent: AgentName,
    *,
    project: Path | None = None,
    surroundings: Surroundings | None = None,
    dry_run: bool = False,
) -> Installed:
    """Take our hooks out of an agent's configuration, and with them the backup; for all projects, what
    it was given beside them too.

    A file that nobody else has changed since is what it was, byte for byte, or gone if we had made
    it. A file of ours that somebody has changed stays. Raises ConfigurationError like `install`.
    """
    surroundings = surroundings or Surroundings()
    work = _Work(surroundings, project, dry_run)
    servers = [] if project is not None else list(server_files(agent, surroundings))
    for path in surroundings.files(agent, project):
        if template := BY_NAME[agent].plugin:
            work.do(path, plugin_removal(path, template))
            continue
        splices: list[Splice] = [json_config.hook_splice(path, agent)]
        if path in servers:
            servers.remove(path)
            splices.append(server_splice(path, agent))
        work.do(path, uninstall_plan(path, splices))
    if project is not None:
        return Installed(agent, tuple(work.changes))
    kept = tuple(notes_on_parts(agent, surroundings, tuple(PART_WORDS), is_installing=False))
    for path in servers:
        work.try_to(path, uninstall_plan(path, [server_splice(path, agent)]))
    for own in own_files(agent, surroundings):
        work.try_to(own.path, own_file_removal(own.template))
        if own.part == "skill" and not dry_run:
            # Somebody may have removed the file by hand; its folder is ours too.
            remove_made_directories(own.path.parent, surroundings.home.resolve())
    return Installed(agent, tuple(work.changes), (), tuple(work.problems), kept)


class _Work:
    """What is done to files, one after another: the changes, and what could not be done."""

    def __init__(self, surroundings: Surroundings, project: Path | None, dry_run: bool) -> None:
        self._root = project or surroundings.home
        self._dry_run = dry_run
        self.changes: list[Change] = []
        self.problems: list[str] = []

    def do(self, path: Path, plan: Plan) -> None:
        """Change a file that hooks stand in. Raises ConfigurationError where that can't be done."""
        self.changes.append(edit(path, plan, root=self._root, dry_run=self._dry_run))

    def try_to(self, path: Path, plan: Plan) -> None:
        """Change a file of another part; what can't be done is noted, what needs no change is not."""
        try:
            change = edit(path, plan, root=self._root, dry_run=self._dry_run)
        except ConfigurationError as error:
            self.problems.append(str(error))
            return
        if change.changed:
            self.changes.append(change)

    def splice_hooks(self, path: Path, hooks: Splice, server: Splice | None) -> None:
        """Put hooks into a file, and a server if it takes both; hooks alone where only that can be."""
        splices: Sequence[Splice] = [hooks]
        if server is not None:
            try:
                self.do(path, install_plan(path, [hooks, server]))
                return
            except ConfigurationError as error:
                problem = str(error)
            self.do(path, install_plan(path, splices))
            self.problems.append(problem)
            return
        self.do(path, install_plan(path, splices))


def after_installing(
    agent: AgentName, project: Path | None, *, found: bool, is_heard: bool = False
) -> Iterator[str]:
    """The sentences that a user needs to read; `found` is whether the agent was there before, `is_heard`
    whether its hooks have run by now."""
    if not found:
        yield _("{agent} was not found on this machine; its hooks wait for it.", agent=agent)
    if not is_heard:
        yield from map(_, BY_NAME[agent].next_steps)
    if not BY_NAME[agent].is_tried:
        yield _("This was not tried with {agent} itself: it follows its documentation.", agent=agent)
    yield from map(_, BY_NAME[agent].notes)
    if project is None:
        return
    yield from map(_, BY_NAME[agent].project_steps)
    yield _(
        "{path} now holds a path of this machine: keep it out of commits, for example by "
        ".git/info/exclude.",
        path=BY_NAME[agent].project_configuration.format(event="*"),
    )


def notes_on_parts(
    agent: AgentName, surroundings: Surroundings, parts: Collection[Part], *, is_installing: bool
) -> Iterator[str]:
    """Say of each file of these parts that isn't ours to change why it stays as it is."""
    for state in part_states(agent, surroundings):
        if state.part not in parts:
            continue
        for path, condition in state.by_file:
            if condition == "edited":
                yield _("{path} was changed since it was installed; it stays as it is.", path=path)
            elif condition == "foreign" and is_installing:
                yield (
                    _(
                        "{path} has another server of our name; that stays, and ours was left out.",
                        path=path,
                    )
                    if state.part == "mcp"
                    else _("{path} is not ours; that stays, and ours was left out.", path=path)
                )
