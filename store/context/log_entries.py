"""The context log as people read it: what sessions were given when they started, newest first, named."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from ..database.transaction import snapshot
from ..platform.errors import NotFoundError
from ..records.conforming import as_number, as_text
from ..records.dataclasses import dataclass
from ..search.listing.rows import Named, named, session_titles
from ..store import Store
from ..tables.lists import read_list
from .log import FILE, KEPT, LONGEST, PROMPT, STARTUP

COLUMNS = "at, agent, session, project, tokens, refs, occasion"
LISTED = f"""
SELECT {COLUMNS} FROM given_contexts
WHERE ?1 IS NULL OR project = ?1 ORDER BY id DESC LIMIT ?2
"""
START = f"""
SELECT {COLUMNS} FROM given_contexts
WHERE session = ?1 AND (?2 IS NULL OR agent = ?2) AND occasion NOT IN (?3, ?4) ORDER BY at, id LIMIT 1
"""


@dataclass(frozen=True, slots=True)
class LogEntry:
    """When (ms since the epoch, UTC) which session was given which memories, in about how many tokens.

    `occasion` is the start of the session ("startup", "resume", …), "prompt" or "file"."""

    at: int
    agent: str
    session: str
    project: str
    tokens: int
    refs: tuple[str, ...]
    occasion: str = STARTUP

    @property
    def is_start(self) -> bool:
        """Whether it was given to a session that started, or started again."""
        return self.occasion not in (PROMPT, FILE)


def log_entries(store: Store, project: str | None = None, limit: int = 50) -> list[LogEntry]:
    """Return what sessions of a project (of all when None) were given, newest first; 500 are kept."""
    with snapshot(store.db):
        rows: list[Any] = store.db.execute(LISTED, (project, limit)).fetchall()
    return list(map(_log_entry, rows))


def start_entry(store: Store, ref: str) -> LogEntry:
    """Return what a session was given when it started first; it is named as `mem session show` takes it,
    or by its agent's own id. NotFoundError where the log holds nothing of it."""
    session, agent = ref, None
    with suppress(NotFoundError):
        result = store.sessions.get(ref)
        session, agent = result.content_session_id, result.agent
    with snapshot(store.db):
        values = (session[:LONGEST], agent, PROMPT, FILE)
        row: Any = store.db.execute(START, values).fetchone()
    if row is None:
        raise NotFoundError(
            "Nothing is known that session {ref} was given at its start; the newest "
            "{kept} contexts are kept, and `mem context --log` lists them.",
            ref=ref,
            kept=KEPT,
        )
    return _log_entry(row)


@dataclass(frozen=True, slots=True)
class NamedLogEntry:
    """What a session was given; `title` is the session's, "" where it has none that may be shown;
    `names` by ref, of the memories that are neither hidden nor gone."""

    given: LogEntry
    title: str
    names: dict[str, Named]


def named_log_entries(store: Store, project: str | None = None) -> list[NamedLogEntry]:
    """Return the same with the titles of the sessions and the names of the memories."""
    with snapshot(store.db):
        entries = log_entries(store, project, limit=KEPT)
        titles = session_titles(store.db, [(entry.agent, entry.session) for entry in entries])
        names = named(store.db, {ref for log_entry in entries for ref in log_entry.refs})
    return [
        NamedLogEntry(
            item,
            titles.get((item.agent, item.session), ""),
            {ref: names[ref] for ref in item.refs if ref in names},
        )
        for item in entries
    ]


def _log_entry(row: tuple[Any, ...]) -> LogEntry:
    at, agent, session, project, tokens, refs, occasion = row
    agent, session, project = map(as_text, (agent, session, project))
    return LogEntry(
        as_number(at), agent, session, project, as_number(tokens), read_list(refs), as_text(occasion)
    )
