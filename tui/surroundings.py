"""What lies on this machine that could fill an empty memory; only names and counts are read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Surroundings:
    """A claude-mem database, None when there is none, and how many transcripts of which agents."""

    claude_mem: Path | None
    transcripts: dict[str, int]


def surroundings(home: Path, environment: Mapping[str, str]) -> Surroundings:
    """What is found below a home directory, or where the environment says it is."""
    # Not worth its import when the memory is not empty.
    from store.sources.transcripts.finding import claude_mem_database, found

    counts: dict[str, int] = {}
    for place in found(home, environment):
        counts[place.agent] = counts.get(place.agent, 0) + place.files
    return Surroundings(claude_mem_database(home, environment), counts)
