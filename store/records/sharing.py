"""What is told of memories that are kept in step with other places: whose one is and who may read it, and
how it stands with such a place."""

from __future__ import annotations

from .dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TeamMark:
    """The teammate who shared a memory, "" for one's own; who may read it: private, project or team; who
    disputes it, "NAME: reply" each; and whether it may only be read here."""

    author: str
    visibility: str
    disputes: tuple[str, ...] = ()
    is_read_only: bool = False


@dataclass(frozen=True, slots=True)
class AutomaticPlace:
    """How it stands with a place that is met by itself, a machine or the team: when it was met last (ms;
    None before), how many rows wait for it, and why it could not be met, None where it could."""

    name: str
    met_at: int | None
    waiting: int
    trouble: str | None
    is_team: bool = False
