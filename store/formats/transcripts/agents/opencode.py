"""OpenCode's transcripts: its database of both versions, which is Kilo's too, its exports, and its files
before 1.2."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import apsw

from ....agents.opencode import stored_title, unquoted
from ....platform.translation import _
from ....records.dataclasses import dataclass, replace
from ....records.events import Event, EventKind, ToolUse, Usage
from ....text.plural import count_noun
from ...sqlite.table import columns
from ..json_records import Record, mapping, moment_of, number, objects, text, texts, with_thoughts
from ..reader import FileReader, read_json
from ..whole_sessions import SessionsDatabase, has_tables, read_rows, root_of, session_rows

ENDED = ("completed", "error")
"""What the state of a call is that has ended."""


def recognizes(record: Record) -> bool:
    """Return whether a JSON record is a session or an export of OpenCode's."""
    if isinstance(record.get("messages"), list) and mapping(record.get("info")).get("id"):
        return True
    return str(record.get("id")).startswith("ses_") and "directory" in record


class OpenCodeDatabase(SessionsDatabase):
    """Reads `opencode.db`, without touching it: all sessions, or `only` one with its sub-agents."""

    agent = "opencode"
    _unread = 0

    @classmethod
    def recognizes_file(cls, path: Path) -> bool:
        """Return whether a SQLite database has the tables of either version; Kilo's, which was made of
        OpenCode, differs by its name alone."""
        older = {"session": ("id",), "message": ("id",), "part": ("id",)}
        newer = {"session_v2": ("id",), "session_message": ("id",)}
        is_kilos = path.name.startswith("kilo")
        return is_kilos == (cls.agent == "kilo") and has_tables(path, older, newer)

    def events(self) -> Iterator[Event]:
        """Yield all its events, session by session.

        Raises ValueError where it is no database of OpenCode's, and at the end where rows of it
        can't be read.
        """
        self._unread = 0
        yield from super().events()
        if self._unread:
            raise ValueError(
                _("{number} rows of {path} are not JSON objects.", number=self._unread, path=self.path)
            )

    def sessions(self, db: apsw.Connection) -> Iterator[Event]:
        """Yield the events of the sessions that are wanted, of both versions."""
        tables = [name for name in ("session", "session_v2") if "id" in columns(db, name)]
        if not tables:
            raise ValueError(_("{path} is not an OpenCode database: it has no sessions.", path=self.path))
        for table in tables:
            yield from self._sessions(db, table)

    def _sessions(self, db: apsw.Connection, table: str) -> Iterator[Event]:
        messages = self._old_messages if table == "session" else self._new_messages
        for row, root in session_rows(db, table, "parent_id", self.only):
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
            info = self._timed(row) | {"id": row["id"]}
            messages.append(Message(info, parts.get(row["id"], [])))
        return messages

    def _new_messages(self, db: apsw.Connection, session: str) -> list[Message]:
        rows = read_rows(db, "session_message", session)
        messages = (message_v2(row["id"], text(row.get("type")), self._timed(row)) for row in rows)
        return [message for message in messages if message]

    def _timed(self, row: Record) -> Record:
        """Return a message's data; where that tells no time, with the row's."""
        data = self._data(row)
        return data | {"time": {"created": row.get("time_created")} | mapping(data.get("time"))}

    def _data(self, row: Record) -> Record:
        try:
            data = json.loads(text(row.get("data")))
        except (ValueError, RecursionError):
            data = None
        if not isinstance(data, dict):
            self._unread += 1
        return mapping(data)


class KiloDatabase(OpenCodeDatabase):
    """Reads `kilo.db`."""

    agent = "kilo"

    def events(self) -> Iterator[Event]:
        """Yield all its events, as OpenCode's."""
        for event in super().events():
            yield replace(event, agent="kilo")


class OpenCodeExport(FileReader):
    """Reads what `opencode export` writes, of both versions: `{info, messages}`."""

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


class OpenCodeStorage(FileReader):
    """Reads `storage/session/<project>/<session>.json` and the messages and parts that belong to it."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
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
        return sorted(
            messages, key=lambda message: (created_at(message.info) or 0, text(message.info.get("id")))
        )

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
        elif message := message_v2(text(each.get("id")), text(each.get("type")), each):
            yield message


def session_of(info: Record, root: str, path: Path) -> OpenCodeSession:
    """Return the session that an `info` describes."""
    directory = text(info.get("directory")) or text(mapping(info.get("location")).get("directory"))
    title = text(info.get("title")) or None
    return OpenCodeSession(info["id"], root, directory or None, title, created_at(info), str(path))


def created_at(info: Record) -> int | None:
    """Return when a session or a message was made, ms since the epoch."""
    return moment_of(mapping(info.get("time")).get("created"))


def read_object(path: Path) -> Record:
    """Return the object in a JSON file. Raises ValueError where there is none."""
    result = read_json(path)
    if not isinstance(result, dict):
        raise ValueError(_("{path} is not a JSON object.", path=path))
    return result


class Message(NamedTuple):
    """A message: its `info` (id, role, time, tokens …) and its parts."""

    info: Record
    parts: list[Record]


@dataclass(frozen=True, slots=True)
class OpenCodeSession:
    """A session; `root` is the one that it works for, which is itself unless it is a sub-agent's."""

    id: str
    root: str
    directory: str | None
    title: str | None
    at: int | None
    transcript: str

    def event(self, kind: EventKind, **told: Any) -> Event:
        """Return an event of this session."""
        subagent = self.id if self.id != self.root else None
        who: Record = {"session": self.root, "subagent": subagent, "cwd": self.directory}
        return Event(kind=kind, agent="opencode", **who, **told)


def session_events(session: OpenCodeSession, messages: list[Message]) -> Iterator[Event]:
    """Yield the events of a session; its messages come in their order."""
    started = session.event("session_start", at=session.at)
    if session.id == session.root:
        title = stored_title(session.title or "")
        started = replace(started, title=title, transcript=session.transcript)
    yield started
    reply: Event | None = None
    awaits_summary: Event | None = None
    for position, message in enumerate(messages):
        is_last = position == len(messages) - 1
        said = "\n".join(
            text(part.get("text"))
            for part in message.parts
            if part.get("type") == "text" and not part.get("synthetic")
        )
        at = created_at(message.info)
        about = {"at": at, "key": text(message.info.get("id")) or None}
        if message.info.get("role") == "user":
            if reply:
                yield reply
            if awaits_summary:
                yield awaits_summary
            reply = awaits_summary = None
            if said.strip():
                shared = about["key"] is not None
                yield session.event("prompt", text=unquoted(said), shared=shared, **about)
            elif any(part.get("type") == "compaction" for part in message.parts):
                awaits_summary = session.event("compaction", **about)
        elif message.info.get("role") == "assistant":
            yield from usage_events(session, message, about)
            yield from tool_events(session, message, at, is_last=is_last)
            if message.info.get("summary") is True:
                awaits_summary = None
                yield session.event("compaction", text=said, **about)
            elif said.strip():
                if reply:
                    yield replace(reply, is_final=False)
                reply = session.event("reply", text=said, **about)
    if reply and messages and is_answered(messages[-1]):
        yield reply


def is_answered(message: Message) -> bool:
    """Return whether this message is the agent's last of the turn."""
    ended = mapping(message.info.get("time")).get("completed")
    return bool(ended) and message.info.get("finish") != "tool-calls"


def usage_events(session: OpenCodeSession, message: Message, about: Record) -> Iterator[Event]:
    """Yield the tokens of an answer that has come to its end."""
    tokens = mapping(message.info.get("tokens"))
    if not tokens or not mapping(message.info.get("time")).get("completed"):
        return
    cache = mapping(tokens.get("cache"))
    read, written = number(cache.get("read")), number(cache.get("write"))
    names = ("input", "output", "reasoning", "total")
    given, output, thoughts, whole = (number(tokens.get(name)) for name in names)
    output = with_thoughts(output, thoughts, given + read + written, whole)
    usage = Usage(given, output, read, written)
    yield session.event("usage", usage=usage, model=text(message.info.get("modelID")), **about)


def tool_events(
    session: OpenCodeSession, message: Message, at: int | None, *, is_last: bool
) -> Iterator[Event]:
    """Yield the tools that an answer used; one at work only when the session has gone on."""
    tokens = number(mapping(message.info.get("tokens")).get("output"))
    for part in message.parts:
        state = mapping(part.get("state"))
        if part.get("type") != "tool":
            continue
        ended = state.get("status") in ENDED
        if ended or not is_last:
            moments = mapping(state.get("time"))
            key = text(part.get("callID")) or text(part.get("id")) or None
            yield session.event(
                "tool",
                at=moment_of(moments.get("end")) or moment_of(moments.get("start")) or at,
                key=key,
                shared=key is not None and bool(part.get("callID")),
                tool=parse_tool(text(part.get("tool")), state),
                tokens=tokens,
            )
        tokens = 0


def parse_tool(name: str, state: Record) -> ToolUse:
    """Return a tool with its answer in the shape of the plugin's events."""
    metadata = mapping(state.get("metadata"))
    shown = {key: state[key] for key in ("title", "output", "metadata", "error") if state.get(key)}
    ended = "" if state.get("status") in ENDED else None
    failed = state.get("status") == "error" or metadata.get("exit") not in (None, 0)
    return ToolUse(name or "unknown", state.get("input"), shown or ended, failed)


def message_v2(identity: str, kind: str, data: Record) -> Message | None:
    """Return a message in the form of version 1; None for what only a program has to say."""
    info: Record = {"id": identity, "time": mapping(data.get("time"))}
    if kind == "user":
        return Message(info | {"role": "user"}, [{"type": "text", "text": data.get("text")}])
    if kind == "compaction" and data.get("status", "completed") != "running":
        summary = {"type": "text", "text": data.get("summary")}
        return Message(info | {"role": "assistant", "summary": True}, [summary])
    if kind == "assistant":
        info |= {"role": "assistant", "tokens": data.get("tokens"), "finish": data.get("finish")}
        info["modelID"] = mapping(data.get("model")).get("id") or data.get("modelID")
        return Message(info, [part_v2(each) for each in objects(data.get("content"))])
    return None


def part_v2(told: Record) -> Record:
    """Return a part in the form of version 1: a tool's result is a text, its times are with its state."""
    if told.get("type") != "tool":
        return told
    state, moments = mapping(told.get("state")), mapping(told.get("time"))
    error = state.get("error")
    return {
        "type": "tool",
        "tool": told.get("name"),
        "callID": text(told.get("id")) or None,
        "state": {
            "status": state.get("status"),
            "input": state.get("input"),
            "output": texts(state.get("content")),
            "metadata": state.get("metadata"),
            "error": mapping(error).get("message") or error,
            "time": {"start": moments.get("created"), "end": moments.get("completed")},
        },
    }
