"""What an agent is told at a start in a folder: a module an agent, each by the agent's own rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....agents.homes import AgentHomes, resolved_path
from ..agent_files import AgentStart as AgentStart
from ..agent_files import LoadedFile as LoadedFile
from ..agent_files import SkippedFile as SkippedFile
from . import claude, codex, copilot, gemini, opencode

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path


_BY_AGENT: dict[str, Callable[[AgentHomes, Path, Sequence[Path]], AgentStart]] = {
    module.AGENT: module.agent_start for module in (claude, codex, gemini, copilot, opencode)
}
AGENTS = tuple(_BY_AGENT)
"""The agents of which it is computed what they are told."""


def agent_start(here: AgentHomes, agent: str, folder: Path, touched: Sequence[Path] = ()) -> AgentStart:
    """Return what an agent is told in a folder, and what reading each of the files adds. KeyError for an
    agent that isn't one of `AGENTS`."""
    return _BY_AGENT[agent](here, resolved_path(folder), [resolved_path(path) for path in touched])
