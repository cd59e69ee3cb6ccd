"""Agents in `mem doctor`: whether our hooks are in order, and whether their events arrive."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from ..capture.status.checks import pause_checks
from ..clock import local_time
from ..database.health import Check
from ..errors import ConfigurationError
from ..formats.transcripts.codex import ZSTD_NEEDED, decompressor
from ..formats.transcripts.discovery import count_compressed
from ..paths import default_path_bytes
from ..store import Store
from ..text.plural import count_noun
from .agent_states import AgentState, states
from .silence import other_memory, remedy, silent_agents
from .surroundings import repository


def agent_checks(store: Store) -> list[Check]:
    """Check the hooks of each agent that has any: all of them in place, and events coming."""
    agents = _agents(store.path, states(store, project=_project_here()))
    return [*agents, *_compressed_transcripts()]


def _compressed_transcripts() -> Iterator[Check]:
    """Yield what is missing to read transcripts that an agent has compressed."""
    if (number := count_compressed()) and decompressor() is None:
        content = f"{count_noun(number, 'transcripts that zstd compressed')} can't be read. {ZSTD_NEEDED}."
        yield Check("transcripts", True, content)


def checks_without_memory(database: Path) -> list[Check]:
    """Check agents' hooks before there is a memory; empty where no agent has any for it."""
    agent_states = states(project=_project_here())
    if not any(_makes_memory(state, database) for state in agent_states):
        return []
    return [
        Check("memory", True, f"none at {database} yet; the first event of an agent makes it"),
        *pause_checks(database),
        *_agents(database, agent_states),
    ]


def _project_here() -> Path | None:
    try:
        return repository(Path.cwd())
    except (ConfigurationError, OSError):
        return None


def _makes_memory(state: AgentState, database: Path) -> bool:
    has_hooks = state.installed != "no" or state.in_project == "yes"
    return has_hooks and not other_memory(state, database)


def _agents(database: Path, known: list[AgentState]) -> Iterator[Check]:
    silent = silent_agents(database, known)
    is_own = os.path.realpath(database) == os.path.realpath(os.fsdecode(default_path_bytes()))
    for state in known:
        if state.installed != "no":
            other = other_memory(state, database)
            yield _agent(state, silent.get(state.agent), other, is_own=is_own)
        elif state.in_project == "outdated":
            yield Check(
                f"agent {state.agent}",
                False,
                f"its hooks in the repository here are outdated{_why(state)}",
                f"mem install {state.agent} --project",
            )


def _agent(state: AgentState, ran_at: int | None, other: str, *, is_own: bool) -> Check:
    """Check an agent that has our hooks; `ran_at` is when it ran last, if its events didn't come,
    `other` which memory has them instead of this one. That is amiss only where this is the user's
    own: another one may well be kept beside it."""
    name, at = f"agent {state.agent}", state.last_event_at
    if state.installed != "yes":
        mending = f"mend {state.files[0]}"
        advice = mending if state.installed == "unreadable" else f"mem install {state.agent}"
        return Check(name, False, f"its hooks are {state.installed}{_why(state)}", advice)
    if other:
        advice = f"mem install {state.agent} sends them to this one."
        return Check(name, not is_own, f"its events go to another store: {other}", advice)
    if fault := next((part_state.fault for part_state in state.parts if part_state.fault), ""):
        return Check(
            name, False, f"its MCP entry is outdated: {fault}", f"mem install {state.agent}"
        )
    last_event = (
        "nothing yet" if not at else f"last event {local_time(at)}, {state.events_today} today"
    )
    if ran_at is None:
        return Check(name, True, f"{last_event}; {state.told_parts}")
    return Check(name, False, f"it ran {local_time(ran_at)}, but {last_event}", remedy(state.agent))


def _why(state: AgentState) -> str:
    return f": {state.fault}" if state.fault else ""
