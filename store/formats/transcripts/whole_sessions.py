"""What readers of whole sessions share: messages of a user and a model in their order, as events; and
databases and histories of prompts in which agents keep many sessions."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import apsw

from ...agents.registry import BY_NAME
from ...platform.errors import SourceError
from ...platform.translation import _
from ...records.dataclasses import dataclass, field, replace
from ...records.events import AgentName, Event, EventKind, ToolUse, Usage
from ...tables.base import digest
from ..sqlite.file import open_foreign, translate_read_errors
from ..sqlite.table import columns
from .json_records import Record, moment_of, records_of, string, text
from .reader import FileReader, MakeFileReader

MakeEvent = Callable[..., Event]
"""Makes an event of a kind, a time and what else is told of it."""

Tables = Mapping[str, Collection[str]]
"""Tables, and the columns by which they are known."""


@dataclass(frozen=True, slots=True)
class ChatCall:
    """A model's call of a tool; `key` is what its answer calls it, "" where nothing does."""

    key: str
    name: str
    given: object = None


@dataclass(frozen=True, slots=True)
class ChatAnswer:
    """What a tool answered a call."""

    response: object = None
    failed: bool = False


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message: what was said, which tools were called, and what tools answered, by the calls' keys.

    `at` in ms since the epoch, UTC. A summary is what a compaction left.
    """

    is_users: bool
    text: str = ""
    key: str | None = None
    at: int | None = None
    calls: tuple[ChatCall, ...] = ()
    answers: Mapping[str, ChatAnswer] = field(default_factory=dict)
    usage: Usage | None = None
    model: str = ""
    is_summary: bool = False


def message_events(
    messages: Iterable[ChatMessage],
    make: MakeEvent,
    used: Callable[[str, object, object, bool], ToolUse] = ToolUse,
    *,
    is_open: bool = False,
) -> Iterator[Event]:
    """Yield the events of a conversation. `used` makes a tool's use of its name, input, answer and
    failure. The last answer is told once no call is open, nor the whole said to be."""
    known = list(messages)
    answers = {key: answer for message in known for key, answer in message.answers.items()}
    reply: Event | None = None
    is_working = False
    for place, message in enumerate(known):
        key = message.key or str(place)
        if message.is_summary:
            if message.text:
                yield make("compaction", message.at, key=key, text=message.text)
            continue
        if message.is_users:
            if message.text:
                if reply:
                    yield reply
                reply, is_working = None, False
                yield make("prompt", message.at, key=key, text=message.text)
            continue
        if message.text:
            if reply:
                yield replace(reply, is_final=False)
            reply = make("reply", message.at, key=key, text=message.text)
        if message.usage:
            spent: Record = {"usage": message.usage, "model": message.model}
            yield make("usage", message.at, key=key, **spent)
        is_working = any(call.key not in answers for call in message.calls)
        tokens = message.usage.output if message.usage else 0
        for number, call in enumerate(message.calls):
            answer = answers.get(call.key)
            # Nothing that was answered is an answer, too.
            response = answer and ("" if answer.response is None else answer.response)
            tool = used(call.name, call.given, response, bool(answer and answer.failed))
            at = message.at
            yield make(
                "tool",
                at,
                key=call.key or f"{key}:{number}",
                shared=bool(call.key),
                tool=tool,
                tokens=tokens,
            )
            tokens = 0
    if reply and not (is_working or is_open):
        yield reply


class Teller:
    """Makes the events of one session of an agent; a sub-agent's are those of the session that it is of.

    What has no time of its own has that of the event before.
    """

    def __init__(self, agent: str, session: str, cwd: str | None, subagent: str | None = None) -> None:
        self.who: Record = {"agent": agent, "session": session, "cwd": cwd, "subagent": subagent}
        self._last: int | None = None

    def __call__(self, kind: EventKind, at: int | None, **fields: Any) -> Event:
        """Return an event."""
        self._last = at or self._last
        return Event(kind=kind, at=self._last, **self.who, **fields)

    def start(
        self, at: int | None, transcript: str, title: str | None = None, *, automatic: bool = False
    ) -> Iterator[Event]:
        """Yield the session's start, of none but a session of its own; `automatic` is one that a program
        began."""
        started = self("session_start", at, transcript=transcript, title=title, automatic=automatic)
        if self.who["subagent"] is None:
            yield started


def has_tables(path: Path, *alternatives: Tables) -> bool:
    """Return whether a SQLite database has these tables with these columns, or one of several such sets."""
    try:
        with open_foreign(path) as db, translate_read_errors(path):
            return any(_has(db, tables) for tables in alternatives)
    except (SourceError, apsw.Error):
        return False


def _has(db: apsw.Connection, tables: Tables) -> bool:
    return all(set(known) <= set(columns(db, table)) for table, known in tables.items())


class SessionsDatabase(FileReader):
    """Reads a database without touching it: all its sessions, or `only` one with its sub-agents."""

    agent = ""
    tables: Tables = {}
    older: Tables = {}
    """The tables of older versions, which may stand alone or beside the others; none where they are the
    same."""

    def __init__(self, path: Path, only: str | None = None) -> None:
        super().__init__(path)
        self.only = only

    @classmethod
    def recognizes_file(cls, path: Path) -> bool:
        """Return whether a SQLite database is the agent's."""
        return has_tables(path, cls.tables)

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


_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class PromptHistory(FileReader):
    """Reads the file in which an agent keeps what was typed, for all sessions, as `history.jsonl`: the
    prompts of sessions whose transcripts are gone. Those of no session are of one a directory and day."""

    is_history = True
    agent: AgentName
    session_field: str
    time_field: str

    def prompt(self, record: Record) -> str:
        """Return the text of a line."""
        raise NotImplementedError

    def events(self) -> Iterator[Event]:
        """Yield a prompt a line."""
        folders = [self.path.parent / folder for folder in BY_NAME[self.agent].transcript_folders]
        files = (file for folder in folders for file in folder.rglob("*.json*"))
        there = {name for file in files for name in _UUID.findall(file.name)[-1:]}
        for record in records_of(self.path):
            at, cwd = moment_of(record.get(self.time_field)), string(record.get("project"))
            session = string(record.get(self.session_field))
            said = self.prompt(record).strip()
            if at is None or not said or session in there:
                continue
            key = f"history-{at}"
            if session is None:
                day = datetime.fromtimestamp(at / 1_000, UTC).date()
                session, key = f"history-{digest(cwd or '')[:8]}-{day}", f"history-untold-{at}"
            yield Event(
                kind="prompt", agent=self.agent, session=session, at=at, cwd=cwd, text=said, key=key
            )


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
        values_by_name = {
            name: value.decode(errors="replace") if isinstance(value, bytes) else value
            for name, value in zip(names, row, strict=True)
        }
        yield values_by_name | {id: str(values_by_name[id])}
