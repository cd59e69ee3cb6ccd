"""What belongs to each session, read once for all of them: no index leads from a session to hidden rows."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import merge
from typing import Any, TypeVar

import apsw

from ...records import Common, Observation, Prompt, Summary
from ...tables.rows import columns, to_record
from ..common.scope import Scope

R = TypeVar("R", bound=Common)

Moment = Prompt | Observation | Summary


class SessionRows:
    """The prompts, observations and summaries of sessions that are asked for in the order of their
    numbers. Nothing but the row at hand of each table is held."""

    def __init__(self, db: apsw.Connection, scope: Scope) -> None:
        self._streams = [
            _Stream(in_sessions(db, record, table, scope))
            for record, table in (
                (Prompt, "prompts"),
                (Observation, "observations"),
                (Summary, "summaries"),
            )
        ]

    def of(self, session_id: int) -> Iterator[Moment]:
        """What happened in a session, by time."""
        found = (stream.of(session_id) for stream in self._streams)
        return merge(*found, key=lambda one: one.created_at)


class _Stream:
    """One table's rows by session, of which the next one is known."""

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
    """A table's records that go out, by session and time.

    Only their keys are sorted. Without the LIMIT, SQLite would see no need for the inner order.
    """
    sql = (
        f"SELECT {columns(record, 't')} FROM (SELECT t.id FROM {table} t "
        f"WHERE {scope.condition(table)} ORDER BY t.session_id, t.created_at, t.id LIMIT -1) k "
        f"CROSS JOIN {table} t ON t.id = k.id"
    )
    return (to_record(record, row) for row in db.execute(sql))


def records(
    db: apsw.Connection, record: type[R], table: str, scope: Scope, more: str = "NULL"
) -> Iterator[tuple[R, Any]]:
    """A table's records that go out, by number, each with one more value of its row."""
    sql = (
        f"SELECT {columns(record, 't')}, {more} FROM {table} t "
        f"WHERE {scope.condition(table)} ORDER BY t.id"
    )
    return ((to_record(record, row[:-1]), row[-1]) for row in db.execute(sql))
