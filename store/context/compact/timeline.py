"""Timeline rows: what happened around a memory or in a span of time, a row of at most 30 tokens each; and
sessions: a line each in a list, one with what it was about and its memories in time order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from ...database.transaction import snapshot
from ...platform.clock import local_time, now_ms
from ...platform.errors import InvalidRecordError, NotFoundError
from ...records.dataclasses import dataclass, replace
from ...records.kinds import bare_ref, ref
from ...records.rows import ListRow, Note, Scope, Session, SessionRow
from ...search.listing import rows as listing
from ...search.listing import timeline
from ...search.listing.teammates import Teammates
from ...search.query.dates import named_range
from ...search.query.language import filter_text
from ...text.plural import english_count
from ...text.tokens import token_weight
from .answer import (
    DATE,
    TOOLS,
    Answer,
    CompactEntry,
    Json,
    Wording,
    age,
    find,
    one_line,
    start_of,
    within,
    without_nulls,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...store import Store

ROW = 26.0
"""Tokens of a row at most; lines with a date come on top."""
PROJECT, TYPE = 6.0, 4.0
MOST_ROWS = 500


@dataclass(frozen=True, slots=True)
class CompactRow(CompactEntry):
    """A memory in time."""

    is_anchor: bool = False

    def line(self) -> str:
        """Return it as a line of at most ROW tokens; its date is told above."""
        mark = "> " if self.is_anchor else ""
        tail = f" ({self.project})" if self.project else ""
        head = " ".join([f"{mark}{local_time(self.at, '%H:%M')}", self.id, self.type, *self.marks]) + ": "
        room = ROW - token_weight(head) - token_weight(tail)
        return f"{head}{within(self.title, room) or '(untitled)'}{tail}"

    def as_dict(self) -> Json:
        return CompactEntry.as_dict(self) | without_nulls({"anchor": self.is_anchor})


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactWindow(Answer):
    """Memories in the order of time. `earlier` and `later` are the ids from which more goes on to either
    side, None where nothing does."""

    rows: tuple[CompactRow, ...]
    earlier: str | None = None
    later: str | None = None
    left_out: int = 0

    def lines(self) -> Iterator[str]:
        """Yield the rows, each day under its date."""
        day = ""
        for row in self.rows:
            if (its := local_time(row.at, DATE)) != day:
                day = its
                yield f"{day}:"
            yield row.line()

    @property
    def closing(self) -> str:
        """What was left out, and how to get it."""
        if not self.rows:
            return "Nothing is remembered of that time."
        parts = [f"{self.wording.whole()} tells all of one."]
        ends = [
            f"{side}: {self.wording.around(id)}"
            for side, id in (("earlier", self.earlier), ("later", self.later))
            if id
        ]
        if ends:
            parts.append(f"There is more {', '.join(ends)}.")
        if self.cursor:
            further = self.wording.further(self.cursor)
            parts.append(f"{self.left_out:,} earlier ones are left out: {further}.")
        return " ".join(parts)

    def as_dict(self) -> Json:
        """Return it as plain values without nulls."""
        return {"rows": [row.as_dict() for row in self.rows]} | without_nulls(
            {
                "earlier": self.earlier,
                "later": self.later,
                "cursor": self.cursor,
                "left_out": self.left_out or None,
            }
        )


def timeline_rows(
    store: Store,
    id: str,
    *,
    before: int = 10,
    after: int = 10,
    scope: Scope = "session",
    hidden: bool = False,
    wording: Wording = TOOLS,
) -> CompactWindow:
    """Return so many memories before and after one, in time order, in its session, project or everywhere.

    A fact belongs to no session: what is around it is its project's. A session, `@12`, stands for its first
    memory. NotFoundError of an id that is none, or of a memory that is hidden.
    """
    record = find(store, id, hidden=hidden)
    if isinstance(record, Note):
        raise NotFoundError(f"{bare_ref(id)} is a note, which has no place in time. `get` shows it.")
    first = _first_of(store, record) if isinstance(record, Session) else store.list_row(record)
    if scope == "session" and first.session_id is None:
        scope = "project"
    before, after = (max(0, min(number, MOST_ROWS)) for number in (before, after))
    with snapshot(store.db):
        left = timeline.beside(store.db, first, -before - 1, scope)
        right = timeline.beside(store.db, first, after + 1, scope)
    rows = [*reversed(left[:before]), first, *right[:after]]
    return CompactWindow(
        rows=compact_rows(store, rows, first, with_project=scope == "all"),
        earlier=rows[0].ref if len(left) > before else None,
        later=rows[-1].ref if len(right) > after else None,
        wording=wording,
    )


def window_rows(
    store: Store,
    since: str,
    until: str = "",
    *,
    project: str = "",
    limit: int = 50,
    cursor: str | None = None,
    wording: Wording = TOOLS,
) -> CompactWindow:
    """Return what happened from a time to another (`2026-02-18`, `yesterday`, `7d`), in time order: of more
    than `limit` the newest, and a cursor for those before. InvalidRecordError of what is no time."""
    words = [f'since:"{_time(since)}"', f'until:"{_time(until)}"' if until else ""]
    if project:
        words.append(_project(project))
    query = replace(store.parse(" ".join(filter(None, words))), for_agents=True)
    start, limit = start_of(cursor), max(1, min(limit, MOST_ROWS))
    memories = store.find(query)
    rows = memories.rows(start, limit)[::-1]
    left_out = max(0, memories.count().value - start - len(rows))
    return CompactWindow(
        rows=compact_rows(store, rows, None, with_project=not project),
        cursor=str(start + len(rows)) if left_out else None,
        left_out=left_out,
        wording=wording,
    )


def compact_rows(
    store: Store, rows: Sequence[ListRow], anchor: ListRow | None, *, with_project: bool
) -> tuple[CompactRow, ...]:
    """Return list rows in the form of lines, each `with_project` where they may be of several."""
    with snapshot(store.db):
        authors = Teammates(store.db).told(row.ref for row in rows)
        wrong = listing.reported_wrong(store.db, rows)
    return tuple(
        CompactRow(
            row.ref,
            one_line(row.type, TYPE).replace(" ", "-"),
            one_line(row.title, ROW),
            row.created_at,
            one_line(row.project, PROJECT) if with_project else "",
            row.stale,
            row.state,
            row.ref in wrong,
            authors[row.ref],
            row is anchor,
        )
        for row in rows
        if row.ref in authors
    )


def _first_of(store: Store, session: Session) -> ListRow:
    memories = store.find(f"session:@{session.id}")
    rows = memories.rows(max(0, memories.count().value - 1), 1)
    if not rows:
        raise NotFoundError(f"Nothing is remembered of session @{session.id}.")
    return rows[0]


def _project(name: str) -> str:
    if (only := filter_text("project", name)) is None:
        raise InvalidRecordError(f"No query can name a project {name[:60]!r}. Leave it out.")
    return only


def _time(text: str) -> str:
    if named_range(text, datetime.now()) is None:
        raise InvalidRecordError(
            f"{text[:40]!r} is not a time. Give 2026-02-18, 2026-02-18T14:30, yesterday, 2h or 7d."
        )
    return text.replace('"', "")


LINE = 40.0
"""Tokens of a session's line in a list at most."""
ABOUT, AGENT, SESSION_PROJECT = 60.0, 6.0, 6.0
MOST_SESSIONS, MOST_SESSION_ROWS = 200, 500


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


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactSessions(Answer):
    """A page of sessions, the newest first."""

    sessions: tuple[CompactSession, ...]

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


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactSessionRows(CompactWindow):
    """A session with a page of its memories, in time order; `left_out` come after these."""

    session: CompactSession

    def lines(self) -> Iterator[str]:
        """Yield the session's lines and those of its memories."""
        yield from self.session.lines()
        yield from CompactWindow.lines(self)

    @property
    def closing(self) -> str:
        more = ""
        if self.cursor:
            left_out = english_count(self.left_out, "memories")
            more = f"{left_out} left out: {self.wording.further(self.cursor)}. "
        return f"{more}{self.wording.whole()} tells all of one."

    def as_dict(self) -> Json:
        return {"session": self.session.as_dict()} | CompactWindow.as_dict(self)


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
        sessions=tuple(
            _compact_session(row).within_line() for row in Teammates(store.db).told_sessions(rows[:limit])
        ),
        cursor=str(start + limit) if len(rows) > limit else None,
        wording=wording,
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
    count = max(0, min(limit, MOST_SESSION_ROWS, total - start))
    # A listing has the newest first.
    rows = memories.rows(total - start - count, count)[::-1] if count else []
    left_out = max(0, total - start - len(rows))
    shown = store.sessions.row(session)
    return CompactSessionRows(
        session=_compact_session(next(iter(Teammates(store.db).told_sessions([shown])), shown)),
        rows=compact_rows(store, rows, None, with_project=False),
        cursor=str(start + len(rows)) if left_out and rows else None,
        left_out=left_out,
        wording=wording,
    )


def _compact_session(row: SessionRow) -> CompactSession:
    session = row.session
    return CompactSession(
        ref("session", session.id),
        one_line(session.agent, AGENT),
        one_line(session.project, SESSION_PROJECT),
        row.status_at(now_ms()),
        session.started_at,
        session.completed_at,
        row.prompts + row.observations + row.summaries,
        one_line(row.title, ABOUT),
    )
