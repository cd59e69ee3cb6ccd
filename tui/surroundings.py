"""What lies on this machine that could fill an empty memory; only names and counts are read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

TRANSCRIPTS = {
    "claude-code": (".claude/projects", "*/*.jsonl"),
    "codex": (".codex/sessions", "**/rollout-*.jsonl"),
    "gemini": (".gemini/tmp", "*/chats/session-*"),
}
COUNTED = 10_000


@dataclass(frozen=True, slots=True)
class Surroundings:
    """A claude-mem database, None when there is none, and how many transcripts of which agents."""

    claude_mem: Path | None
    transcripts: dict[str, int]


def surroundings(home: Path, environment: Mapping[str, str]) -> Surroundings:
    """What is found below a home directory, or where the environment says it is."""
    directory = Path(environment.get("CLAUDE_MEM_DATA_DIR") or home / ".claude-mem")
    database = directory / "claude-mem.db"
    counts = {
        agent: sum(1 for _ in islice((home / folder).glob(pattern), COUNTED))
        for agent, (folder, pattern) in TRANSCRIPTS.items()
    }
    return Surroundings(
        database if database.is_file() else None,
        {agent: count for agent, count in counts.items() if count},
    )
