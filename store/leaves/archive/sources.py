"""What agents leave on this machine that is worth keeping: by session, and what belongs to none."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from ...agents.homes import is_denied
from ...formats.transcripts.discovery import folders, transcripts_in
from ...records.dataclasses import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from ...agents.homes import AgentHomes

UUID = re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")
ENDS = frozenset((".jsonl", ".json", ".md", ".txt", ".log"))
"""The ends of names of what is kept; others' databases never are."""
BESIDE: dict[str, tuple[tuple[str, str], ...]] = {
    "claude-code": (
        ("memory", "projects/*/memory/**/*.md"),
        ("plans", "plans/*.md"),
        ("tasks", "tasks/*/*"),
        ("prompts", "history.jsonl"),
    ),
    "codex": (("memory", "memories/**/*.md"), ("prompts", "history.jsonl")),
    "gemini": (("memory", "tmp/*/memory/**/*.md"),),
}
"""What belongs to no session, by agent: what it is, and where it lies in the agent's folder."""


@dataclass(frozen=True, slots=True)
class SourceUnit:
    """What is kept together: an agent's session, or its notes of a project, plans or prompts."""

    agent: str
    project: str
    id: str
    files: tuple[Path, ...]

    @property
    def size(self) -> int:
        """Return the bytes of its files."""
        return sum(file.stat().st_size for file in self.files if file.exists())


def units(here: AgentHomes, agents: Iterable[str] = ()) -> Iterator[SourceUnit]:
    """Yield what agents have on this machine; of those named, else of all."""
    agent_names = set(agents)
    by_key: dict[tuple[str, str, str], dict[Path, None]] = {}
    for agent, root in folders(here.home, here.environment):
        if agent_names and agent not in agent_names:
            continue
        for path in transcripts_in(agent, root) if root.is_dir() else ():
            if not _is_kept(path):
                continue
            inner = path.relative_to(root).parts
            project = inner[0] if len(inner) > 1 and agent in ("claude-code", "gemini") else "-"
            files = by_key.setdefault((agent, project, _session(path, root)), {})
            files |= dict.fromkeys((path, *_belonging(path)))
    for agent, places in BESIDE.items():
        if agent_names and agent not in agent_names:
            continue
        home = here.folder_of(agent)
        for what, pattern in places:
            for path in sorted(home.glob(pattern)) if home.is_dir() else ():
                if _is_kept(path):
                    parts = path.relative_to(home).parts
                    project = parts[1] if what == "memory" and parts[0] != "memories" else "-"
                    by_key.setdefault((agent, project, what), {})[path] = None
    for (agent, project, id), files in sorted(by_key.items()):
        yield SourceUnit(agent, project, id, tuple(files))


def _session(path: Path, root: Path) -> str:
    """Return the id of the session that a transcript, or one of its sub-agents', is of."""
    for name in (path.stem, *reversed(path.relative_to(root).parts[:-1])):
        if match := UUID.search(name):
            return match[0]
    return path.stem


def _belonging(path: Path) -> Iterator[Path]:
    """Yield what lies in the directory that has a transcript's name: sub-agents, results of tools."""
    folder = path.with_suffix("")
    if folder.is_dir() and not folder.is_symlink():
        for base, names, files in os.walk(folder):
            names.sort()
            for name in sorted(files):
                file = folder.__class__(base) / name
                if _is_kept(file):
                    yield file


def _is_kept(path: Path) -> bool:
    return (
        path.suffix in ENDS and path.is_file() and not path.is_symlink() and not is_denied(path.resolve())
    )
