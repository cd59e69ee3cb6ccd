"""codexmem: claude-mem's tables for Codex, with rows that are deleted but still there."""

from __future__ import annotations

from dataclasses import replace

from ..sqlite.row import ForeignRow
from . import version_4
from .mapping import Names, Program

AGENT = "codex"


def names(row: ForeignRow) -> Names:
    """A session's own ids; all of them are Codex's."""
    return version_4.names(row)._replace(agent=AGENT)


PROGRAM = Program(
    "codexmem", AGENT, (replace(version_4.SESSIONS, names=names),), version_4.CHILDREN
)
