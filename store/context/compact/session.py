"""Sessions: a line each in a list; one with what it was about and its memories in time order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...platform.clock import local_time, now_ms
from ...records.dataclasses import dataclass, field, replace
from ...records.kinds import ref
from ...records.rows import SessionRow
from ...search.listing.teammates import Teammates
from ...text.plural import english_count
from ...text.tokens import token_weight
from ..wrapper import random_nonce
from .fence import Answer, one_line
from .lookup import find
from .plain import Json, age, start_of, without_nulls
from .window import CompactRow, compact_rows, row_lines
from .wording import TOOLS, Wording

if TYPE_CHECKING:
    from ...store import Store

LINE = 40.0
"""Tokens of a session's line in a list at most."""
ABOUT, AGENT, PROJECT = 60.0, 6.0, 6.0
MOST_SESSIONS, MOST_ROWS = 200, 500


@dataclass(frozen=True, slots=True)
class CompactSession:
    """A session; every text is one line that may stand in a fence. Times are ms since the epoch; `about`
    is what its last summary says first, else its title, else what was asked."""

    id: str
    agent: str
    project: str
    status: str
    started_at: int
    ended_at: int | None
    memories: int
    about: str

    def line(self) -> str:
        """Return it as a line of a list."""
        return f"{self._head()} {self.about}".rstrip()

    def lines(self) -> Iterator[str]:
        """Yield it as the head of its memories."""
        ended = f" to {local_time(self.ended_at)}" if self.ended_at else ""
        project = f" ({self.project})" if self.project else ""
        times = f"{local_time(self.started_at)}{ended}"
        yield f"{self.id} {self.agent} {self.status} {times}{project}"
        if self.about:
            yield f"about: {self.about}"

    def within_line(self) -> CompactSession:
        """Return it with as much of what it was about as its line has room for."""
        room = LINE - token_weight(f"{self._head()} ")
        return replace(self, about=one_line(self.about, room))

    def as_dict(self) -> Json:
        """Return it as plain values without nulls."""
        return without_nulls(
            {
                "id": self.id,
                "agent": self.agent,
                "project": self.project,
                "status": self.status,
                "started": local_time(self.started_at),
                "ended": None if self.ended_at is None else local_time(self.ended_at),
                "memories": self.memories or None,
                "about": self.about,
            }
        )

    def _head(self) -> str:
        project = f" ({self.project})" if self.project else ""
        return f"{self.id} {self.agent} {age(self.started_at)} {self.memories}{project}:"


@dataclass(frozen=True, slots=True)
class CompactSessions(Answer):
    """A page of sessions, the newest first; `cursor` begins the next one."""

    sessions: tuple[CompactSession, ...]
    cursor: str | None = None
    wording: Wording = TOOLS
    nonce: str = field(default_factory=random_nonce)

    def lines(self) -> Iterator[str]:
        """Yield a line that names the columns, and one for each session."""
        if self.sessions:
            yield "id, agent, age, memories (project): about"
        yield from (session.line() for session in self.sessions)

    @property
    def closing(self) -> str:
        """What was left out, and how to get it."""
        if not self.sessions:
            return "There are no sessions here."
        more = f"More: {self.wording.further(self.cursor)}. " if self.cursor else ""
        return f"{more}{self.wording.did()} tells what one did."

    def as_dict(self) -> Json:
        """Return it as plain values without nulls."""
        content: Json = {"sessions": [session.as_dict() for session in self.sessions]}
        return content | without_nulls({"cursor": self.cursor})


@dataclass(frozen=True, slots=True)
class CompactSessionRows(Answer):
    """A session with a page of its memories, in time order; `left_out` come after these."""

    session: CompactSession
    rows: tuple[CompactRow, ...]
    cursor: str | None = None
    left_out: int = 0
    wording: Wording = TOOLS
    nonce: str = field(default_factory=random_nonce)

    def lines(self) -> Iterator[str]:
        """Yield the session's lines and those of its memories."""
        yield from self.session.lines()
        yield from row_lines(self.rows)

    @property
    def closing(self) -> str:
        """What was left out, and how to get it."""
        more = ""
        if self.cursor:
            left_out = english_count(self.left_out, "memories")
            more = f"{left_out} left out: {self.wording.further(self.cursor)}. "
        return f"{more}{self.wording.whole()} tells all of one."

    def as_dict(self) -> Json:
        """Return it as plain values without nulls."""
        content: Json = {
            "session": self.session.as_dict(),
            "rows": [row.as_dict() for row in self.rows],
        }
        return content | without_nulls({"cursor": self.cursor, "left_out": self.left_out or None})


def session_lines(
    store: Store,
    *,
    project: str | None = None,
    agent: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
    wording: Wording = TOOLS,
) -> CompactSessions:
    """Return a page of the sessions of a project and an agent (of all where None), the newest first.
    InvalidRecordError of a cursor that is none."""
    start, limit = start_of(cursor), max(1, min(limit, MOST_SESSIONS))
    rows = store.sessions.list(project, agent, limit + 1, start, ahead_last=True)
    return CompactSessions(
        tuple(
            _compact_session(row).within_line() for row in Teammates(store.db).told_sessions(rows[:limit])
        ),
        str(start + limit) if len(rows) > limit else None,
        wording,
    )


def session_rows(
    store: Store,
    id: str,
    *,
    limit: int = 50,
    cursor: str | None = None,
    hidden: bool = False,
    wording: Wording = TOOLS,
) -> CompactSessionRows:
    """Return a session, by `@12` or the agent's own id for it, with a page of its memories in time order.
    NotFoundError of what is no session, or is hidden; InvalidRecordError of a cursor that is none."""
    session = store.sessions.get(id)
    find(store, ref("session", session.id), hidden=hidden)
    memories = store.find(f"session:@{session.id}")
    start, total = start_of(cursor), memories.count().value
    count = max(0, min(limit, MOST_ROWS, total - start))
    # A listing has the newest first.
    rows = memories.rows(total - start - count, count)[::-1] if count else []
    left_out = max(0, total - start - len(rows))
    shown = store.sessions.row(session)
    return CompactSessionRows(
        _compact_session(next(iter(Teammates(store.db).told_sessions([shown])), shown)),
        compact_rows(store, rows, None, with_project=False),
        str(start + len(rows)) if left_out and rows else None,
        left_out,
        wording,
    )


def _compact_session(row: SessionRow) -> CompactSession:
    session = row.session
    return CompactSession(
        ref("session", session.id),
        one_line(session.agent, AGENT),
        one_line(session.project, PROJECT),
        row.status_at(now_ms()),
        session.started_at,
        session.completed_at,
        row.prompts + row.observations + row.summaries,
        one_line(row.title, ABOUT),
    )
