"""OpenCode's transcripts: its database of both versions, its exports, and its files before 1.2."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import apsw

from .....platform.errors import SourceError
from .....platform.regular_file import LONGEST as LARGEST
from .....platform.regular_file import read_regular
from .....platform.translation import _
from .....records.events import Event
from .....text.plural import count_noun
from ....sqlite.file import open_foreign, translate_read_errors
from ....sqlite.table import columns
from ...fields import Record, load, mapping, moment_of, objects, text
from ...reader import MakeFileReader
from ...rows import read_rows, root_of, session_rows
from ..opencode import messages as opencode_messages
from .messages import Message, OpenCodeSession, session_events

TABLES = {"session": ("message", "part"), "session_v2": ("session_message",)}
"""The table of sessions in each version of its database, and what it has with it."""


def recognizes(record: Record) -> bool:
    """Return whether a JSON record is a session or an export of OpenCode's."""
    if isinstance(record.get("messages"), list) and mapping(record.get("info")).get("id"):
        return True
    return str(record.get("id")).startswith("ses_") and "directory" in record


def recognizes_file(path: Path) -> bool:
    """Return whether a SQLite database is OpenCode's, and not that of Kilo, which was made of it."""
    return not path.name.startswith("kilo") and has_opencode_tables(path)


def has_opencode_tables(path: Path) -> bool:
    """Return whether a SQLite database has the tables of OpenCode's."""
    try:
        with open_foreign(path) as db, translate_read_errors(path):
            return any(
                columns(db, table) and all(columns(db, other) for other in others)
                for table, others in TABLES.items()
            )
    except (SourceError, apsw.Error):
        return False


class OpenCodeDatabase:
    """Reads `opencode.db`, without touching it: all sessions, or `only` one with its sub-agents."""

    def __init__(self, path: Path, only: str | None = None) -> None:
        self.path = path
        self._only = only
        self._unread = 0

    @classmethod
    def of_session(cls, session: str) -> MakeFileReader:
        """Return what reads a session alone."""
        return partial(cls, only=session)

    def events(self) -> Iterator[Event]:
        """Yield all its events, session by session.

        Raises ValueError where it is no database of OpenCode's, and at the end where rows of it
        can't be read.
        """
        self._unread = 0
        try:
            with open_foreign(self.path) as db, translate_read_errors(self.path):
                tables = [name for name in ("session", "session_v2") if "id" in columns(db, name)]
                if not tables:
                    raise ValueError(
                        _(
                            "{path} is not an OpenCode database: it has no sessions.",
                            path=self.path,
                        )
                    )
                for table in tables:
                    yield from self._sessions(db, table)
        except SourceError as error:
            raise ValueError(str(error)) from error
        if self._unread:
            raise ValueError(
                _(
                    "{number} rows of {path} are not JSON objects.",
                    number=self._unread,
                    path=self.path,
                )
            )

    def _sessions(self, db: apsw.Connection, table: str) -> Iterator[Event]:
        messages = self._old_messages if table == "session" else self._new_messages
        for row, root in session_rows(db, table, "parent_id", self._only):
            session = OpenCodeSession(
                row["id"],
                root,
                text(row.get("directory")) or None,
                text(row.get("title")) or None,
                moment_of(row.get("time_created")),
                str(self.path),
            )
            yield from session_events(session, messages(db, row["id"]))

    def _old_messages(self, db: apsw.Connection, session: str) -> list[Message]:
        parts: dict[str, list[Record]] = {}
        for row in read_rows(db, "part", session):
            parts.setdefault(text(row.get("message_id")), []).append(self._data(row))
        messages = []
        for row in read_rows(db, "message", session):
            info = {"time": {"created": row.get("time_created")}} | self._data(row)
            messages.append(Message(info | {"id": row["id"]}, parts.get(row["id"], [])))
        return messages

    def _new_messages(self, db: apsw.Connection, session: str) -> list[Message]:
        rows = read_rows(db, "session_message", session)
        messages = (
            opencode_messages.message_v2(row["id"], text(row.get("type")), self._data(row)) for row in rows
        )
        return [message for message in messages if message]

    def _data(self, row: Record) -> Record:
        try:
            data = json.loads(text(row.get("data")))
        except (ValueError, RecursionError):
            data = None
        if not isinstance(data, dict):
            self._unread += 1
        return mapping(data)


class OpenCodeExport:
    """Reads what `opencode export` writes, of both versions: `{info, messages}`."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def events(self) -> Iterator[Event]:
        """Yield all its events. Raises ValueError where it is no such export."""
        export = read_object(self.path)
        info = mapping(export.get("info"))
        if not text(info.get("id")) or not isinstance(export.get("messages"), list):
            raise ValueError(
                _("{path} is not an OpenCode export: it has no info and messages.", path=self.path)
            )
        parent = text(info.get("parentID"))
        session = session_of(info, parent or info["id"], self.path)
        yield from session_events(session, list(parse_export(objects(export["messages"]))))


class OpenCodeStorage:
    """Reads `storage/session/<project>/<session>.json` and the messages and parts that belong to it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._unread: list[Path] = []

    def events(self) -> Iterator[Event]:
        """Yield all its events.

        Raises ValueError where it is no session, and at the end where files that belong to it can't
        be read.
        """
        info = read_object(self.path)
        if not text(info.get("id")):
            raise ValueError(_("{path} is not an OpenCode session: it has no id.", path=self.path))
        self._unread = []
        session = session_of(info, root_of(info["id"], self._parents(info)), self.path)
        yield from session_events(session, self._messages(info["id"]))
        if self._unread:
            raise ValueError(
                _(
                    "{files} of the session in {path} can't be read, the first is {first}.",
                    files=count_noun(len(self._unread), "files"),
                    path=self.path,
                    first=self._unread[0],
                )
            )

    def _parents(self, info: Record) -> dict[str, str]:
        parents: dict[str, str] = {}
        identity, parent = text(info.get("id")), text(info.get("parentID"))
        while parent and identity not in parents:
            parents[identity] = parent
            beside = self.path.with_name(f"{Path(parent).name}.json")
            above = read_object(beside) if beside.is_file() else {}
            identity, parent = parent, text(above.get("parentID"))
        return parents

    def _messages(self, session: str) -> list[Message]:
        storage = self.path.parents[2] if len(self.path.parents) > 2 else self.path.parent
        messages = []
        for info in self._records(storage / "message" / Path(session).name):
            name = Path(text(info.get("id"))).name
            parts = list(self._records(storage / "part" / name)) if name else []
            messages.append(Message(info, parts))
        return sorted(messages, key=creation_order)

    def _records(self, folder: Path) -> Iterator[Record]:
        for file in sorted(folder.glob("*.json")):
            try:
                yield read_object(file)
            except (ValueError, OSError):
                self._unread.append(file)


def parse_export(messages: list[Record]) -> Iterator[Message]:
    """Yield messages as version 1 exports them, or as version 2 does."""
    for each in messages:
        if "info" in each:
            yield Message(mapping(each["info"]), objects(each.get("parts")))
        elif message := opencode_messages.message_v2(text(each.get("id")), text(each.get("type")), each):
            yield message


def session_of(info: Record, root: str, path: Path) -> OpenCodeSession:
    """Return the session that an `info` describes."""
    directory = text(info.get("directory")) or text(mapping(info.get("location")).get("directory"))
    at = moment_of(mapping(info.get("time")).get("created"))
    title = text(info.get("title")) or None
    return OpenCodeSession(info["id"], root, directory or None, title, at, str(path))


def creation_order(message: Message) -> tuple[int, str]:
    """Return a sort key of messages: when they were made, then their ids, which grow."""
    at = moment_of(mapping(message.info.get("time")).get("created"))
    return at or 0, text(message.info.get("id"))


def read_object(path: Path) -> Record:
    """Return the object in a JSON file. Raises ValueError where there is none."""
    try:
        result = load(read_regular(path, LARGEST))
    except ValueError as error:
        raise ValueError(
            _("{path} is not valid JSON ({error}). Was it cut off?", path=path, error=error)
        ) from error
    if not isinstance(result, dict):
        raise ValueError(_("{path} is not a JSON object.", path=path))
    return result
