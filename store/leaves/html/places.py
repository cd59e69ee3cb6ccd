"""Where on the pages everything stands: a file a session, pages of facts and notes; and all memories of an
export, the newest first, read without holding more than a few at once.

sessions/PROJECT/2026-02-17-why-does-login-fail-0c1e8a3d5b7f.html#o276
facts.html#f12, facts-2.html, …, notes.html#n1, …
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import islice
from typing import Any

import apsw

from ...formats.common.scope import Scope, exported_titles
from ...formats.markdown_pages import file_name, records
from ...platform.clock import DAY_MS, horizon_ms
from ...records.dataclasses import dataclass
from ...records.kinds import LETTERS, TABLES
from ...records.rows import Common, Fact, Note, Observation, Prompt, Session, Summary
from ...store import Store
from ...tables.base import columns, to_record
from .markup import AnyMemory, address, anchor, day, title_of

PAGE = 500
"""Facts, notes or sessions on one page."""


@dataclass(frozen=True, slots=True)
class SessionPlace:
    """A session's page: the parts of its path, and what lists say of it. `counts` are how many
    prompts, observations and summaries it has."""

    path: tuple[str, ...]
    title: str
    project: str
    agent: str
    started_at: int
    counts: tuple[int, int, int]


def page_name(name: str, number: int) -> str:
    """Return the file of a page by its number, from 0 on."""
    return f"{name}.html" if not number else f"{name}-{number + 1}.html"


class Places:
    """Knows the place of every record of an export; only its sessions are held."""

    def __init__(self, store: Store, scope: Scope) -> None:
        self._db = store.db
        self._scope = scope
        self._first_of_pages: dict[str, list[int]] = {}
        counts = [self._counted(table, scope) for table in ("prompts", "observations", "summaries")]
        titles = exported_titles(self._db, scope)
        self.sessions = {
            session.id: SessionPlace(
                ("sessions", file_name(session.project, "no-project"), _file(session, title)),
                title or f"Session {session.content_session_id}",
                session.project,
                session.agent,
                session.started_at,
                (
                    counts[0].get(session.id, 0),
                    counts[1].get(session.id, 0),
                    counts[2].get(session.id, 0),
                ),
            )
            for session in records(self._db, Session, "sessions", scope)
            for title in (titles[session.id],)
        }

    @cached_property
    def around(self) -> dict[int, tuple[int | None, int | None]]:
        """The sessions before and after each, by when they started, of its project."""
        by_time = sorted(self.sessions, key=lambda value: (self.sessions[value].started_at, value))
        last: dict[str, int] = {}
        results: dict[int, tuple[int | None, int | None]] = {}
        for number in by_time:
            project = self.sessions[number].project
            before = last.get(project)
            results[number] = (before, None)
            if before is not None:
                results[before] = (results[before][0], number)
            last[project] = number
        return results

    def pages(self, name: str) -> int:
        """Return how many pages of `sessions`, `facts` or `notes` there are."""
        return -(-len(self.sessions) // PAGE) if name == "sessions" else len(self._starts(name))

    def of(self, record: AnyMemory) -> tuple[tuple[str, ...], str]:
        """Return the path of a record's page and its anchor there."""
        if isinstance(record, Fact | Note):
            kind = "facts" if isinstance(record, Fact) else "notes"
            page = max(0, bisect_right(self._starts(kind), record.id) - 1)
            return (page_name(kind, page),), anchor(record)
        return self.sessions[record.session_id].path, anchor(record)

    def of_uid(self, uid: str) -> tuple[str, str, str] | None:
        """Return the kind, title and address, as seen from the index, of the record with a uid; None
        where it isn't in the export."""
        for kind, table in TABLES.items():
            sql = f"SELECT t.id FROM {table} t WHERE t.uid = ? AND {self._scope.condition(table)}"
            number: Any = self._db.execute(sql, (uid,)).get
            if number is not None:
                return self._found(kind, int(number))
        return None

    def _found(self, kind: str, number: int) -> tuple[str, str, str]:
        if kind == "session":
            place = self.sessions[number]
            return kind, place.title, address(*place.path)
        letter = LETTERS.get(kind, kind[0])
        record = by_numbers(self._db, letter, [number])[number]
        path, name = self.of(record)
        return kind, title_of(record), address(*path, anchor=name)

    def _counted(self, table: str, scope: Scope) -> dict[int, int]:
        sql = (
            f"SELECT t.session_id, count(*) FROM {table} t WHERE {scope.condition(table)} "
            "GROUP BY t.session_id"
        )
        rows: Any = self._db.execute(sql)
        return {int(session): int(count) for session, count in rows}

    def _starts(self, kind: str) -> list[int]:
        """Return the number of the first record of each page of `facts` or `notes`."""
        if kind not in self._first_of_pages:
            sql = f"SELECT t.id FROM {kind} t WHERE {self._scope.condition(kind)} ORDER BY t.id"
            numbers = [int(number) for (number,) in self._db.execute(sql)]
            self._first_of_pages[kind] = numbers[::PAGE]
        return self._first_of_pages[kind]


def _file(session: Session, title: str) -> str:
    own = file_name(title, "session")
    mark = session.uid.replace("-", "")[-12:]
    return f"{day(session.started_at) or 'undated'}-{own}-{mark}.html"


KINDS: dict[str, tuple[type[Common], str, str]] = {
    "o": (Observation, "observations", "created_at"),
    "p": (Prompt, "prompts", "created_at"),
    "s": (Summary, "summaries", "created_at"),
    "f": (Fact, "facts", "created_at"),
    "n": (Note, "notes", "updated_at"),
}
"""By its letter a kind's records, table, and the column by which it stands in time."""
AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Span:
    """Memories that follow each other by time: how many, and the newest and oldest moment in ms."""

    count: int
    newest: int
    oldest: int


def newest_first(db: apsw.Connection, scope: Scope) -> Iterator[AnyMemory]:
    """Yield the memories of an export."""
    keys = iter(_keys(db, scope))
    while some := [(kind, int(number)) for kind, number, _ in islice(keys, AT_ONCE)]:
        results = {
            kind: by_numbers(db, kind, (number for item, number in some if item == kind))
            for kind in {kind for kind, _ in some}
        }
        yield from (results[kind][number] for kind, number in some)


def spans(db: apsw.Connection, scope: Scope, most: int) -> tuple[list[Span], Counter[int]]:
    """Return the memories of an export in stretches of at most `most`, newest first, and how many there
    are by day, as days since the epoch; those without a time, or dated ahead, are of no day."""
    results: list[Span] = []
    days: Counter[int] = Counter()
    count = newest = oldest = 0
    for _, _, at in _keys(db, scope):
        newest = newest if count else at
        count += 1
        if at > 0:
            oldest = at
            days[at // DAY_MS] += 1
        if count == most:
            results.append(Span(count, newest, oldest))
            count = 0
    if count:
        results.append(Span(count, newest, oldest))
    return results, days


def by_numbers(db: apsw.Connection, kind: str, numbers: Iterable[int]) -> dict[int, Any]:
    """Return records of a kind, named by its letter, by their numbers."""
    record, table, _ = KINDS[kind]
    sql = (
        f"SELECT {columns(record, 't')} FROM json_each(?) wanted "
        f"CROSS JOIN {table} t ON t.id = wanted.value"
    )
    rows = db.execute(sql, (json.dumps([*numbers]),))
    return {item.id: item for item in (to_record(record, row) for row in rows)}


def _keys(db: apsw.Connection, scope: Scope) -> Iterator[Any]:
    """Return the kind, number and time of each memory, newest first. What a wrong clock dated ahead has
    none."""
    parts = (
        f"SELECT '{kind}' AS kind, t.id AS id, CAST(t.{time} AS INTEGER) AS moment "
        f"FROM {table} t WHERE {scope.condition(table)}"
        for kind, (_, table, time) in KINDS.items()
    )
    sql = (
        f"SELECT kind, id, iif(moment > ?, 0, moment) AS at FROM ({' UNION ALL '.join(parts)}) "
        "ORDER BY at DESC, kind, id"
    )
    return iter(db.execute(sql, (horizon_ms(),)))
