"""What agents' files cost: the tokens that are told at every start, and how often."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ..records.dataclasses import dataclass
from .told import ToldFile, told

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from .agent_file import FileKind
    from .homes import AgentHomes

DAYS = 30


@dataclass(frozen=True, slots=True)
class FileCost:
    """A file that is told at every start: its tokens, and the agents that are told it."""

    path: Path
    kind: FileKind
    tokens: int
    agents: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StartCost:
    """Tokens that an agent is told at a start in a folder, by file, the dearest first, and how many starts
    there were there in thirty days; `sub_agents` of them were told all of it again."""

    agent: str
    folder: Path
    tokens: int
    starts: int
    sub_agents: int
    files: tuple[FileCost, ...]

    @property
    def total(self) -> int:
        """Tokens in thirty days."""
        return self.tokens * (self.starts + self.sub_agents)


def start_costs(
    here: AgentHomes,
    folder: Path,
    agents: Sequence[str],
    starts: Counter[str],
    sub_agents: Counter[str],
) -> list[StartCost]:
    """Return what starts in a folder cost with each agent, by how many there were."""
    found = {agent: told(here, agent, folder) for agent in agents}
    told_to: dict[Path, set[str]] = {}
    for agent, result in found.items():
        for piece in result.pieces:
            told_to.setdefault(piece.path, set()).add(agent)
    return [
        StartCost(
            agent,
            result.folder,
            result.tokens,
            starts[agent],
            sub_agents[agent],
            tuple(
                _cost(piece, told_to) for piece in sorted(result.pieces, key=lambda piece: -piece.tokens)
            ),
        )
        for agent, result in found.items()
    ]


def _cost(piece: ToldFile, told_to: dict[Path, set[str]]) -> FileCost:
    return FileCost(piece.path, piece.kind, piece.tokens, tuple(sorted(told_to[piece.path])))
