"""Silent agents: those that have our hooks and ran, and whose events never came."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from ..agents.registry import BY_NAME
from ..capture.settings import pauses
from ..events import AgentName
from ..formats.transcripts.discovery import last_written
from ..paths import default_path_bytes
from .states import AgentState

SILENT_MS = 900_000
"""An agent that wrote its own transcript so long after its last event here is silent."""


def silent_agents(database: Path, states: Iterable[AgentState]) -> dict[str, int]:
    """When each silent agent ran last, ms since the epoch, UTC, of those that report to this memory.

    An agent ran when it wrote a transcript of its own. Only names and times of those are read.
    """
    hooked = {state.agent: state for state in states if state.installed == "yes"}
    ran = last_written({agent for agent in hooked if reports_to(hooked[agent], database)})
    spans = pauses(database)
    return {
        agent: at
        for agent, at in ran.items()
        if _is_silent(hooked[agent], at)
        and not any(begun <= at / 1_000 <= ended for begun, ended in spans)
    }


def remedy(agent: AgentName) -> str:
    """A sentence on what a user can do about a silent agent."""
    return (
        BY_NAME[agent].silent_remedy
        or f"Restart the agent; else mem uninstall {agent} and install it again."
    )


def reports_to(state: AgentState, database: Path) -> bool:
    """Whether an agent's hooks report to this memory: they name any memory but the user's own."""
    path = os.path.abspath(database)  # noqa: PTH100 - links stay as they are
    return path == os.fsdecode(default_path_bytes()) or any(
        json.dumps(path, ensure_ascii=False)[1:-1] in _text(file) for file in state.files
    )


def _is_silent(state: AgentState, ran_at: int) -> bool:
    # Before our hooks were there it could report nothing, and a session that was open then goes on so.
    return ran_at - max(state.last_event_at or 0, _installed_at(state)) > SILENT_MS


def _text(path: Path) -> str:
    with suppress(OSError):
        return path.read_text("utf-8", "replace")
    return ""


def _installed_at(state: AgentState) -> int:
    times = [0]
    for path in state.files:
        with suppress(OSError):
            times.append(round(path.stat().st_mtime * 1_000))
    return max(times)
