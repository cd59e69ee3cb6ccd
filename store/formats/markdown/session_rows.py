"""Read what belongs to each session, in one pass for all: no index leads from a session to hidden
rows."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import merge
from typing import Any, TypeVar

import apsw

from ...records import Common, Observation, Prompt, Summary
from ...tables.base import columns, to_record
from ..common.scope import Scope

R = TypeVar("R", bound=Common)

Happening = Prompt | Observation | Summary


class SessionRows:
    """The prompts, observations and summaries of sessions, which have to be asked for in the order
    of their numbers. No more than one row of each table is held."""

    def __init__(self, db: apsw.Connection, scope: Scope) -> None:
        self._streams = [
            _Stream(in_sessions(db, record, table, scope))
            for record, table in (
                (Prompt, "prompts"),
                (Observation, "observations"),
                (Summary, "summaries"),
            )
        ]

    def of(self, session_id: int) -> Iterator[Happening]:
        """Yield the records of a session, by time."""
        results = (stream.of(session_id) for stream in self._streams)
        return merge(*results, key=lambda item: item.created_at)


class _Stream:
    """One table's rows by session, read one ahead."""

    def __init__(self, rows: Iterator[Any]) -> None:
        self._rows = rows
        self._next = next(rows, None)

    def of(self, session_id: int) -> Iterator[Any]:
        while self._next is not None and self._next.session_id < session_id:
            self._next = next(self._rows, None)
        while self._next is not None and self._next.session_id == session_id:
            yield self._next
            self._next = next(self._rows, None)


def in_sessions(db: apsw.Connection, record: type[R], table: str, scope: Scope) -> Iterator[R]:
    """Return a table's exported records, by session and time.

    Only their keys are sorted. Without the LIMIT, SQLite would see no need for the inner order.
    """
    sql = (
        f"SELECT {columns(record, 't')} FROM (SELECT t.id FROM {table} t "
        f"WHERE {scope.condition(table)} ORDER BY t.session_id, t.created_at, t.id LIMIT -1) k "
        f"CROSS JOIN {table} t ON t.id = k.id"
    )
    return (to_record(record, row) for row in db.execute(sql))


def records(db: apsw.Connection, record: type[R], table: str, scope: Scope) -> Iterator[R]:
    """Return a table's exported records, by number."""
    sql = f"SELECT {columns(record, 't')} FROM {table} t WHERE {scope.condition(table)} ORDER BY t.id"
    return (to_record(record, row) for row in db.execute(sql))
