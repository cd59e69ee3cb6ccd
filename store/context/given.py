"""What sessions were given when they started, the newest first."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from ..store import Store
from ..unit import reading

LISTED = """
SELECT at, agent, session, project, tokens, refs FROM given_contexts
WHERE ?1 IS NULL OR project = ?1 ORDER BY id DESC LIMIT ?2
"""


@dataclass(frozen=True, slots=True)
class GivenContext:
    """When (ms since the epoch, UTC) which session was given which memories, in about how many tokens."""

    at: int
    agent: str
    session: str
    project: str
    tokens: int
    refs: tuple[str, ...]


def given_contexts(store: Store, project: str | None = None, limit: int = 50) -> list[GivenContext]:
    """What sessions of a project (of all when None) were given; the last 500 are kept."""
    with reading(store.db):
        rows: list[Any] = store.db.execute(LISTED, (project, limit)).fetchall()
    return [_given(*row) for row in rows]


def _given(at: int, agent: str, session: str, project: str, tokens: int, refs: str) -> GivenContext:
    return GivenContext(at, agent, session, project, tokens, tuple(json.loads(refs)))
