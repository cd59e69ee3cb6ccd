"""Agents in `mem doctor`: whether our hooks are in order, and whether their events arrive."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ..capture.status.checks import minute, pause_checks
from ..database.health import Check
from ..errors import ConfigurationError
from ..store import Store
from .silent_agents import remedy, reports_to, silent_agents
from .states import AgentState, states
from .surroundings import repository


def agent_checks(store: Store) -> list[Check]:
    """Check the hooks of each agent that has any: all of them in place, and events coming."""
    return list(_agents(store.path, states(store)))


def checks_without_memory(database: Path) -> list[Check]:
    """Check agents' hooks before there is a memory; empty where no agent has any for it."""
    try:
        project = repository(Path.cwd())
    except ConfigurationError:
        project = None
    found = states(project=project)
    if not any(_makes_memory(state, database) for state in found):
        return []
    return [
        Check("memory", True, f"none at {database} yet; the first event of an agent makes it"),
        *pause_checks(database),
        *_agents(database, found),
    ]


def _makes_memory(state: AgentState, database: Path) -> bool:
    return state.in_project == "yes" or (state.installed != "no" and reports_to(state, database))


def _agents(database: Path, known: list[AgentState]) -> Iterator[Check]:
    silent = silent_agents(database, known)
    for state in known:
        if state.installed != "no":
            yield _agent(state, silent.get(state.agent))


def _agent(state: AgentState, ran_at: int | None) -> Check:
    """Check an agent that has our hooks; `ran_at` is when it ran last, if its events didn't come."""
    name, at = f"agent {state.agent}", state.last_event_at
    if state.installed != "yes":
        mending = f"mend {state.files[0]}"
        advice = mending if state.installed == "unreadable" else f"mem install {state.agent}"
        return Check(name, False, f"its hooks are {state.installed}", advice)
    last_event = "nothing yet" if not at else f"last event {minute(at)}, {state.events_today} today"
    if ran_at is None:
        return Check(name, True, last_event)
    return Check(name, False, f"it ran {minute(ran_at)}, but {last_event}", remedy(state.agent))
