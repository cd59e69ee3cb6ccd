"""The state of each agent on this machine: whether it is here, whether our hooks are in its
configuration, and when its last event came."""

from __future__ import annotations

from pathlib import Path

from ..agents.registry import AGENTS, BY_NAME
from ..capture.status.health import Activity, activity
from ..errors import ConfigurationError
from ..events import AgentName
from ..records.dataclasses import dataclass
from ..store import Store
from . import json_config, plugin
from .config_file import Condition, read
from .surroundings import Surroundings

WORST_FIRST: tuple[Condition, ...] = ("unreadable", "outdated", "yes", "no")


@dataclass(frozen=True, slots=True)
class AgentState:
    """An agent on this machine.

    `installed` for all projects, `in_project` for the repository asked about (None without one);
    `last_event_at` in ms since the epoch; `events_today` counts since midnight UTC.
    """

    agent: AgentName
    found: bool
    installed: Condition
    in_project: Condition | None
    files: tuple[Path, ...]
    last_event_at: int | None
    events_today: int


def states(
    store: Store | None = None,
    *,
    project: Path | None = None,
    surroundings: Surroundings | None = None,
) -> list[AgentState]:
    """The state of each agent, in the order of lists; without a store, as if no event had come.

    Never raises for what an agent's configuration holds.
    """
    surroundings = surroundings or Surroundings()
    activities = {one.agent: one for one in activity(store)} if store is not None else {}
    return [_state(agent, surroundings, project, activities.get(agent)) for agent in AGENTS]


def _state(
    agent: AgentName, surroundings: Surroundings, project: Path | None, last: Activity | None
) -> AgentState:
    files = surroundings.files(agent)
    return AgentState(
        agent=agent,
        found=surroundings.is_found(agent),
        installed=_worst([_condition(path, agent) for path in files]),
        in_project=(
            None
            if project is None
            else _worst([_condition(path, agent) for path in surroundings.files(agent, project)])
        ),
        files=files,
        last_event_at=last.last_at if last else None,
        events_today=last.today if last else 0,
    )


def _condition(path: Path, agent: AgentName) -> Condition:
    try:
        content = read(path).file
    except ConfigurationError:
        return "unreadable"
    if template := BY_NAME[agent].plugin:
        return plugin.condition(content, template)
    return json_config.condition(path, agent, content)


def _worst(found: list[Condition]) -> Condition:
    if "yes" in found and "no" in found:
        return "outdated"
    return next(condition for condition in WORST_FIRST if condition in found)
