"""Silent agents: those that have our hooks and ran, and whose events never came."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from ..agents.registry import BY_NAME
from ..capture.settings import pauses
from ..formats.transcripts.discovery import last_written
from ..platform.paths import default_path_bytes
from ..platform.translation import _
from ..records.events import AgentName
from .agent_states import AgentState

SILENT_MS = 900_000
"""An agent that wrote its own transcript so long after its last event here is silent."""


def silent_agents(database: Path, states: Iterable[AgentState]) -> dict[str, int]:
    """When each silent agent ran last, ms since the epoch, UTC, of those that report to this memory.

    An agent ran when it wrote a transcript of its own. Only names and times of those are read.
    """
    hooked = {state.agent: state for state in states if state.installed == "yes"}
    ran = last_written({agent for agent in hooked if not other_memory(hooked[agent], database)})
    spans = pauses(database)
    return {
        agent: at
        for agent, at in ran.items()
        if _is_silent(hooked[agent], at) and not any(begun <= at / 1_000 <= ended for begun, ended in spans)
    }


def remedy(agent: AgentName) -> str:
    """A sentence on what a user can do about a silent agent."""
    if own := BY_NAME[agent].silent_remedy:
        return _(own)
    return _("Restart the agent; else mem uninstall {agent} and install it again.", agent=agent)


def other_memory(state: AgentState, database: Path) -> str:
    """Return the memory that an agent's events go to, where they don't go to this one; else ""."""
    own = os.fsdecode(default_path_bytes())
    named = [memory or own for memory in state.memories]
    this = os.path.realpath(database)
    if any(os.path.realpath(memory) == this for memory in named):
        return ""
    return next(iter(named), "")


def _is_silent(state: AgentState, ran_at: int) -> bool:
    # Before our hooks were there it could report nothing, and a session that was open then goes on so.
    return ran_at - max(state.last_event_at or 0, _installed_at(state)) > SILENT_MS


def _installed_at(state: AgentState) -> int:
    times = [0]
    for path in state.files:
        with suppress(OSError):
            times.append(round(path.stat().st_mtime * 1_000))
    return max(times)
