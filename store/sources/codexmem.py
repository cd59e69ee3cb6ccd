"""codexmem: claude-mem's tables for Codex, with rows that are deleted but still there."""

from __future__ import annotations

from dataclasses import replace

from . import claude_mem
from .foreign_row import ForeignRow
from .mapping import Names, Program

AGENT = "codex"


def names(row: ForeignRow) -> Names:
    """A session's own ids; all of them are Codex's."""
    return claude_mem.names(row)._replace(agent=AGENT)


PROGRAM = Program(
    "codexmem", AGENT, (replace(claude_mem.SESSIONS, names=names),), claude_mem.CHILDREN
)
