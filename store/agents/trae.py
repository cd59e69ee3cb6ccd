"""Trae's hooks, as reported: like Claude Code's, without ids."""

from __future__ import annotations

from ..events import Event, SpoolRecord
from .claude_code import like_claude


def events(record: SpoolRecord) -> list[Event]:
    """The event of a hook."""
    return like_claude(record, "trae", turn="turn_id")
