"""A file that an agent is told, or keeps what it remembers in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ..records.dataclasses import dataclass

if TYPE_CHECKING:
    from pathlib import Path

Scope = Literal["managed", "user", "project", "local", "team", "agent"]
FileKind = Literal[
    "instruction", "rule", "index", "note", "agentnote", "plan", "task", "prompt", "transcript"
]


@dataclass(frozen=True, slots=True)
class AgentFile:
    """A file of one or more agents, by its resolved path.

    `agents` are their names, sorted. `project` is the resolved folder of the project that it belongs
    to, None for what holds everywhere. `size` is in bytes, `mtime_ns` in ns since the epoch. `title` is
    a heading or name of its own, else its file's name. `session` is the id of the session that wrote it,
    where the file says so.
    """

    path: Path
    agents: tuple[str, ...]
    scope: Scope
    kind: FileKind
    project: Path | None
    size: int
    mtime_ns: int
    title: str
    session: str | None = None
