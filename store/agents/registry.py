"""The agents that are known: every module of this package that defines one.

Several agents run each other's hooks, so the event itself says whose it is, not the hook's command.
"""

from __future__ import annotations

import sys

from ..platform.system import posix
from .base import Agent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Set
    from typing import Any

    from ..records.events import AgentName, Event, SpoolRecord

SHARED = (
    *("__init__", "base", "homes", "payload", "registry", "shell", "subagents", "transcript_retention"),
)
"""The modules of this package that define no agent."""


def _known() -> dict[AgentName, Agent]:
    """Every agent by its name, in the order of lists."""
    files = posix.listdir(sys.modules[__package__].__path__[0])
    modules = {file[:-3] for file in files if file.endswith(".py")} - set(SHARED)
    agents: list[Agent] = []
    for module in modules:
        # Importing `importlib` would take longer than all of them.
        __import__(f"{__package__}.{module}")
        agents.append(sys.modules[f"{__package__}.{module}"].AGENT)
    agents.sort(key=lambda agent: agent.position)
    return {agent.name: agent for agent in agents}


BY_NAME = _known()
AGENTS: tuple[AgentName, ...] = tuple(BY_NAME)
WITH_TRANSCRIPTS: tuple[AgentName, ...] = tuple(
    agent.name
    for agent in sorted(BY_NAME.values(), key=lambda agent: agent.import_position or agent.position)
    if agent.transcript_folders
)
"""Those whose transcripts can be read, in the order of what can be imported."""

BY_PRECEDENCE: tuple[AgentName, ...] = tuple(
    sorted(
        (name for name, agent in BY_NAME.items() if agent.precedence is not None),
        key=lambda name: BY_NAME[name].precedence or 0,
    )
)
"""Those that have marks of their own in their events, in the order in which they are asked."""

_BY_ALIAS = {alias: agent for agent in BY_NAME.values() for alias in (agent.name, *agent.aliases)}


def agent_called(name: str) -> Agent | None:
    """The agent of a name or an alias; None where there is none."""
    return _BY_ALIAS.get(name)


def events_of(record: SpoolRecord) -> list[Event]:
    """The events that a hook's record reports; none for what is worth no memory.

    Raises ValueError with a sentence when it is no agent's event, or lacks what every event has.
    """
    return BY_NAME[agent_of_record(record)].events(record)


def agent_of_record(record: SpoolRecord) -> AgentName:
    """The agent whose event a record holds. Raises ValueError when it is none that is known."""
    return agent_of_event(record.agent, record.event, record.env)


def agent_of_event(command: str, event: Mapping[str, Any], environment: Set[str]) -> AgentName:
    """The agent whose event this is. `command` is the agent that the hook's command names,
    `environment` the variables that are set which tell of agents. ValueError when it is none that is
    known."""
    if {"stepIdx", "workspacePaths"} & event.keys() and "conversationId" in event:
        raise ValueError("the event is of Antigravity, which is not supported")
    named = agent_called(command)
    for name in BY_PRECEDENCE:
        if BY_NAME[name].recognizes(event, environment, named):
            return name
    if named is None:
        raise ValueError(f"{command!r} is no agent that is known; there are {', '.join(AGENTS)}")
    return named.name
