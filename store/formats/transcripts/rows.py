"""Databases in which agents keep many sessions: their rows, by the columns that they have."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import partial
from pathlib import Path

import apsw

from ...platform.errors import SourceError
from ...platform.translation import _
from ...records.events import Event
from ..sqlite.file import open_foreign, translate_read_errors
from ..sqlite.table import columns
from .fields import Record, text
from .reader import MakeFileReader

Tables = Mapping[str, Collection[str]]
"""Tables, and the columns by which they are known."""


def has_tables(path: Path, tables: Tables) -> bool:
    """Return whether a SQLite database has these tables with these columns."""
    try:
        with open_foreign(path) as db, translate_read_errors(path):
            return _has(db, tables)
    except (SourceError, apsw.Error):
        return False


def _has(db: apsw.Connection, tables: Tables) -> bool:
    return all(set(known) <= set(columns(db, table)) for table, known in tables.items())


class SessionsDatabase:
    """Reads a database without touching it: all its sessions, or `only` one with its sub-agents."""

    agent = ""
    tables: Tables = {}
    older: Tables = {}
    """The tables of older versions, which may stand alone or beside the others; none where they are the
    same."""

    def __init__(self, path: Path, only: str | None = None) -> None:
        self.path = path
        self.only = only

    @classmethod
    def of_session(cls, session: str) -> MakeFileReader:
        """Return what reads a session alone."""
        return partial(cls, only=session)

    def events(self) -> Iterator[Event]:
        """Yield all its events, session by session. Raises ValueError where it is no such database."""
        try:
            with open_foreign(self.path) as db, translate_read_errors(self.path):
                if not _has(db, self.tables) and not (self.older and _has(db, self.older)):
                    raise ValueError(
                        _(
                            "{path} is not a {agent} database: it has no sessions.",
                            path=self.path,
                            agent=self.agent,
                        )
                    )
                yield from self.sessions(db)
        except SourceError as error:
            raise ValueError(str(error)) from error

    def sessions(self, db: apsw.Connection) -> Iterator[Event]:
        """Yield the events of the sessions that are wanted."""
        raise NotImplementedError


def session_rows(
    db: apsw.Connection, table: str, parent: str, only: str | None
) -> Iterator[tuple[Record, str]]:
    """Yield the row of each session, or of `only` one with its sub-agents, with the id of the session at
    the top of those that started it, by the column that names its parent."""
    rows = list(read_rows(db, table))
    parents = {row["id"]: text(row.get(parent)) for row in rows}
    for row in rows:
        root = root_of(row["id"], parents)
        if only in (None, root):
            yield row, root


def root_of(session: str, parents: Mapping[str, str]) -> str:
    """Return the session that nobody started, at the top of those that started this one."""
    seen = {session}
    while (parent := parents.get(session)) and parent not in seen:
        seen.add(parent)
        session = parent
    return session


def read_rows(
    db: apsw.Connection, table: str, session: str | None = None, *, id: str = "id"
) -> Iterator[Record]:
    """Return the rows of a table, or those of a session, by the columns it has and in their order."""
    names = columns(db, table)
    if id not in names or (session is not None and "session_id" not in names):
        return
    # Text comes as bytes, because SQLite gives no row with bad UTF-8 otherwise.
    quoted = ['"' + name.replace('"', '""') + '"' for name in names]
    values = ", ".join(f"iif(typeof({q}) = 'text', CAST({q} AS BLOB), {q})" for q in quoted)
    orders = ("seq", "time_created", "created_timestamp", "created_at")
    order = next((name for name in orders if name in names), id)
    where = "" if session is None else "WHERE session_id = ?"
    bindings = () if session is None else (session,)
    sql = f"SELECT {values} FROM {table} {where} ORDER BY {order}, {id}"
    for row in db.execute(sql, bindings):
        rows = {name: decode(value) for name, value in zip(names, row, strict=True)}
        yield rows | {id: str(rows[id])}


def decode(value: object) -> object:
    """Return a text that came as bytes as a text, with U+FFFD for what is no UTF-8."""
    return value.decode(errors="replace") if isinstance(value, bytes) else value
