"""How agents stand, and hooking them up. Nothing here is quick: call it in a thread."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from memtui.store import Store, StoreError
from memtui.store.capture import settings
from memtui.store.capture.health import EventHistory
from memtui.store.install import (
    PARTS,
    AgentState,
    Change,
    Launcher,
    install,
    other_memory,
    repository,
    states,
    uninstall,
)
from memtui.store.platform.paths import default_path_bytes
from memtui.store.platform.translation import _

from ..text.paths import short


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of an agent's configuration, a line each, and what is left for the user to do."""

    done: tuple[str, ...]
    advice: tuple[str, ...] = ()
    failed: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked before configurations are changed, and the changes; false where nothing is."""

    words: str = ""
    changes: tuple[Change, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.words)


@dataclass(frozen=True, slots=True)
class Hooks:
    """All agents, and the command that hooks run; `project` is the repository we are in, if any.

    `silent` are those that ran and told nothing of it, and when that was, ms since the epoch;
    `others` which memory has an agent's events instead of this one; `histories` the last days of each
    agent of which anything is known.
    """

    states: tuple[AgentState, ...]
    project: Path | None
    commands: dict[str, str]
    silent: Mapping[str, int] = field(default_factory=dict)
    others: Mapping[str, str] = field(default_factory=dict)
    histories: Mapping[str, EventHistory] = field(default_factory=dict)


def hooks(store: Store) -> Hooks:
    """Return how every agent stands, on this machine and in the repository here."""
    try:
        project = repository(Path.cwd())
    except (StoreError, OSError):
        project = None
    # Of an agent that isn't here there is nothing to do where nothing of it was tried.
    agent_states = tuple(
        state for state in states(store, project=project)
        if state.is_seen or (state.takes_hooks and state.is_tried)
    )  # fmt: skip
    database, launcher = _named(store.path), Launcher.here()
    # The guard around it says nothing to a reader.
    commands = {
        state.agent: shlex.join(launcher.arguments(state.agent, database)) for state in agent_states
    }
    others = {agent_state.agent: other_memory(agent_state, store.path) for agent_state in agent_states}
    return Hooks(agent_states, project, commands, others=others)


def planned(state: AgentState, database: Path) -> tuple[Change, ...] | Outcome:
    """Return what installing our hooks and parts would change, which is nothing where they are as they
    should be; or why it can't be done."""
    try:
        result = install(state.agent, parts=PARTS, database=_named(database), dry_run=True)
    except StoreError as error:
        return Outcome((str(error),), failed=True)
    return tuple(change for change in result.changes if change.changed)


def install_hooks(state: AgentState, database: Path) -> Outcome:
    """Install our hooks and parts into an agent, for all projects; what is there already stays."""
    try:
        result = install(state.agent, parts=PARTS, database=_named(database))
    except StoreError as error:
        return Outcome((str(error),), failed=True)
    return Outcome(
        tuple(
            _("Installed in {path}", path=short(change.path))
            if change.changed
            else _("As it should be: {path}", path=short(change.path))
            for change in result.changes
        ),
        (*result.problems, *result.kept, *result.advice),
    )


def remove_hooks(state: AgentState, project: Path | None) -> Outcome:
    """Remove our hooks and parts: those for all projects, and where there are none, the repository's."""
    try:
        result = uninstall(state.agent, project=project if state.installed == "no" else None)
    except StoreError as error:
        return Outcome((str(error),), failed=True)
    return Outcome(
        tuple(
            _("Removed from {path}", path=short(change.path))
            if change.changed
            else _("Nothing of ours in {path}", path=short(change.path))
            for change in result.changes
        ),
        (*result.problems, *result.kept, *result.advice),
    )


def toggle_pause(database: Path) -> str:
    """Pause capture until it is resumed, or resume it; what was done, as a sentence."""
    if settings.resume(database):
        return _("Capture is on again.")
    settings.pause(database)
    return _("Paused: nothing that agents do is stored until you press P or run `mem resume`.")


def _named(path: Path) -> Path | None:
    """The memory to name in the command: an agent started elsewhere has not this environment."""
    # Links stay as they are: `mem` was told of the memory by this name.
    place = os.path.abspath(path)  # noqa: PTH100
    return None if place == os.fsdecode(default_path_bytes()) else Path(place)
