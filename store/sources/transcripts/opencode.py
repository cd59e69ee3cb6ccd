"""OpenCode's database, of both versions: sessions, messages and parts, as it keeps them since 1.2."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import apsw

from ...capture.events import Event
from ...errors import SourceError
from ..foreign import opened, reading
from ..foreign_table import columns
from . import opencode_v2
from .fields import mapping, moment_of
from .opencode_messages import Message, Session, root_of, told
from .parts import Record, text


class OpenCodeDatabase:
    """Reads `opencode.db`, without touching it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._unread = 0

    def events(self) -> Iterator[Event]:
        """All its events, session by session.

        Raises ValueError where it is no database of OpenCode's, and at the end where rows of it
        can't be read.
        """
        self._unread = 0
        try:
            with opened(self.path) as db, reading(self.path):
                tables = [name for name in ("session", "session_v2") if "id" in columns(db, name)]
                if not tables:
                    raise ValueError(
                        f"{self.path} is no database of OpenCode's: it has no sessions."
                    )
                for table in tables:
                    yield from self._sessions(db, table)
        except SourceError as error:
            raise ValueError(str(error)) from error
        if self._unread:
            raise ValueError(f"{self._unread} rows of {self.path} are no JSON objects.")

    def _sessions(self, db: apsw.Connection, table: str) -> Iterator[Event]:
        rows = list(read(db, table))
        parents = {row["id"]: text(row.get("parent_id")) for row in rows}
        messages = self._old_messages if table == "session" else self._new_messages
        for row in rows:
            session = Session(
                row["id"],
                root_of(row["id"], parents),
                text(row.get("directory")) or None,
                text(row.get("title")) or None,
                moment_of(row.get("time_created")),
                str(self.path),
            )
            yield from told(session, messages(db, row["id"]))

    def _old_messages(self, db: apsw.Connection, session: str) -> list[Message]:
        parts: dict[str, list[Record]] = {}
        for row in read(db, "part", session):
            parts.setdefault(text(row.get("message_id")), []).append(self._data(row))
        found = []
        for row in read(db, "message", session):
            info = {"time": {"created": row.get("time_created")}} | self._data(row)
            found.append(Message(info | {"id": row["id"]}, parts.get(row["id"], [])))
        return found

    def _new_messages(self, db: apsw.Connection, session: str) -> list[Message]:
        rows = read(db, "session_message", session)
        found = (
            opencode_v2.message(row["id"], text(row.get("type")), self._data(row)) for row in rows
        )
        return [message for message in found if message]

    def _data(self, row: Record) -> Record:
        try:
            data = json.loads(text(row.get("data")))
        except (ValueError, RecursionError):
            data = None
        if not isinstance(data, dict):
            self._unread += 1
        return mapping(data)


def read(db: apsw.Connection, table: str, session: str | None = None) -> Iterator[Record]:
    """The rows of a table, or those of a session, by the columns it has and in their order."""
    names = columns(db, table)
    if "id" not in names or (session is not None and "session_id" not in names):
        return
    # Text comes as bytes, because SQLite gives no row with bad UTF-8 otherwise.
    quoted = ['"' + name.replace('"', '""') + '"' for name in names]
    values = ", ".join(f"iif(typeof({q}) = 'text', CAST({q} AS BLOB), {q})" for q in quoted)
    order = next((name for name in ("seq", "time_created") if name in names), "id")
    where = "" if session is None else "WHERE session_id = ?"
    bindings = () if session is None else (session,)
    for row in db.execute(f"SELECT {values} FROM {table} {where} ORDER BY {order}, id", bindings):
        found = {name: decoded(value) for name, value in zip(names, row, strict=True)}
        yield found | {"id": str(found["id"])}


def decoded(value: object) -> object:
    """A text that came as bytes as a text, with U+FFFD for what is no UTF-8."""
    return value.decode(errors="replace") if isinstance(value, bytes) else value
