"""Timeline rows: what happened around a memory or in a span of time, a row of at most 30 tokens each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from ...database.transaction import snapshot
from ...platform.errors import InvalidRecordError, NotFoundError
from ...records.dataclasses import dataclass, field, replace
from ...records.kinds import bare_ref
from ...records.rows import ListRow, Note, Scope, Session
from ...search.listing import rows as listing
from ...search.listing import timeline
from ...search.listing.teammates import Teammates
from ...search.query.dates import named_range
from ...search.query.language import filter_text
from ...text.tokens import token_weight
from ..wrapper import random_nonce
from .fence import Answer, one_line, within
from .lookup import find
from .plain import CompactEntry, Json, date, start_of, time_of_day, without_nulls
from .wording import TOOLS, Wording

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
        head = " ".join([f"{mark}{time_of_day(self.at)}", self.id, self.type, *self.marks]) + ": "
        room = ROW - token_weight(head) - token_weight(tail)
        return f"{head}{within(self.title, room) or '(untitled)'}{tail}"

    def as_dict(self) -> Json:
        """Return it as plain values without nulls."""
        return CompactEntry.as_dict(self) | without_nulls({"anchor": self.is_anchor})


@dataclass(frozen=True, slots=True)
class CompactWindow(Answer):
    """Memories in the order of time. `earlier` and `later` are the ids from which more goes on to either
    side, None where nothing does; `cursor` begins the next page of a span of time."""

    rows: tuple[CompactRow, ...]
    earlier: str | None = None
    later: str | None = None
    cursor: str | None = None
    left_out: int = 0
    wording: Wording = TOOLS
    nonce: str = field(default_factory=random_nonce)

    def lines(self) -> Iterator[str]:
        """Yield the rows, each day under its date."""
        yield from row_lines(self.rows)

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


def row_lines(rows: Iterable[CompactRow]) -> Iterator[str]:
    """Yield the lines of rows, each day's under its date."""
    day = ""
    for row in rows:
        if (its := date(row.at)) != day:
            day = its
            yield f"{day}:"
        yield row.line()


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
        compact_rows(store, rows, first, with_project=scope == "all"),
        rows[0].ref if len(left) > before else None,
        rows[-1].ref if len(right) > after else None,
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
        compact_rows(store, rows, None, with_project=not project),
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
            row.superseded,
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
