"""Read the context log: what sessions were given when they started, newest first, with names."""

from __future__ import annotations

import json
from typing import Any

from ..database.transaction import snapshot
from ..records.dataclasses import dataclass
from ..search.listing import Named, named, session_titles
from ..store import Store

LISTED = """
SELECT at, agent, session, project, tokens, refs FROM given_contexts
WHERE ?1 IS NULL OR project = ?1 ORDER BY id DESC LIMIT ?2
"""


@dataclass(frozen=True, slots=True)
class LogEntry:
    """When (ms since the epoch, UTC) which session was given which memories, in about how many tokens."""

    at: int
    agent: str
    session: str
    project: str
    tokens: int
    refs: tuple[str, ...]


def log_entries(store: Store, project: str | None = None, limit: int = 50) -> list[LogEntry]:
    """Return what sessions of a project (of all when None) were given, newest first; 500 are kept."""
    with snapshot(store.db):
        rows: list[Any] = store.db.execute(LISTED, (project, limit)).fetchall()
    return [_log_entry(*row) for row in rows]


def _log_entry(at: int, agent: str, session: str, project: str, tokens: int, refs: str) -> LogEntry:
    return LogEntry(at, agent, session, project, tokens, tuple(json.loads(refs)))


@dataclass(frozen=True, slots=True)
class NamedLogEntry:
    """What a session was given; `title` is the session's, "" where it has none that may be shown;
    `names` by ref, of the memories that are neither hidden nor gone."""

    given: LogEntry
    title: str
    names: dict[str, Named]


def named_log_entries(
    store: Store, project: str | None = None, limit: int = 500
) -> list[NamedLogEntry]:
    """Return the same with the titles of the sessions and the names of the memories."""
    with snapshot(store.db):
        found = log_entries(store, project, limit)
        titles = session_titles(store.db, [(one.agent, one.session) for one in found])
        names = named(store.db, {ref for one in found for ref in one.refs})
    return [
        NamedLogEntry(
            one,
            titles.get((one.agent, one.session), ""),
            {ref: names[ref] for ref in one.refs if ref in names},
        )
        for one in found
    ]
