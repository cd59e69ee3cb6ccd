"""Codex's hooks, which speak as Claude Code's do."""

from __future__ import annotations

from ..events import Event, SpoolRecord
from .claude_code import like_claude


def events(record: SpoolRecord) -> list[Event]:
    """The event of a hook; a turn's id names a prompt here and in the rollout."""
    return like_claude(record, "codex", turn="turn_id")
