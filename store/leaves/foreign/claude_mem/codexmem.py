"""codexmem: claude-mem's tables for Codex, with rows that are deleted but still there."""

from __future__ import annotations

from ....formats.sqlite.row import ForeignRow
from ....records.dataclasses import replace
from . import version_4
from .mapping import Names, Program

AGENT = "codex"


def names(row: ForeignRow) -> Names:
    """Return a session's own ids; the agent is always Codex."""
    return version_4.names(row)._replace(agent=AGENT)


PROGRAM = Program("codexmem", AGENT, (replace(version_4.SESSIONS, names=names),), version_4.CHILDREN)
