"""Kiro's sessions: the database of its command line, and its files of lines."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import apsw

from ....records.dataclasses import replace
from ....records.events import Event
from ..json_records import (
    Record,
    items,
    mapping,
    moment_of,
    objects,
    parsed,
    records_of,
    string,
    text,
)
from ..reader import FileReader, read_beside
from ..whole_sessions import (
    ChatAnswer,
    ChatCall,
    ChatMessage,
    SessionsDatabase,
    Teller,
    has_tables,
    message_events,
    read_rows,
)

KINDS = ("Prompt", "AssistantMessage", "ToolResults", "Compaction")
STEPS = ("user", "assistant", "tool_call", "tool_result", "turn_start", "turn_end")
"""The steps of a session in the newest form, which the window has too."""


def recognizes(record: Record) -> bool:
    """Return whether a JSON record is a line of a session of Kiro's."""
    if record.get("kind") in KINDS and isinstance(record.get("data"), dict):
        return True
    return "timestamp" in record and mapping(record.get("payload")).get("type") in STEPS


class KiroDatabase(SessionsDatabase):
    """Reads `data.sqlite3`: a conversation is kept for each directory in which it was held."""

    agent = "kiro"
    tables = {"conversations_v2": ("key", "conversation_id", "value")}
    older = {"conversations": ("key", "value")}
    """The table of older versions: one conversation a directory, whose id stands in its value."""

    @classmethod
    def recognizes_file(cls, path: Path) -> bool:
        """Return whether a SQLite database is Kiro's."""
        is_older = path.name == "data.sqlite3" and has_tables(path, cls.older)
        return is_older or super().recognizes_file(path)

    def sessions(self, db: apsw.Connection) -> Iterator[Event]:
        """Yield the events of the sessions that are wanted, each once."""
        read: set[str] = set()
        newer = read_rows(db, "conversations_v2", id="conversation_id")
        for row in chain(newer, read_rows(db, "conversations", id="key")):
            value = mapping(parsed(text(row.get("value"))))
            session = text(row.get("conversation_id")) or text(value.get("conversation_id")) or row["key"]
            if self.only not in (None, session) or session in read:
                continue
            read.add(session)
            tell = Teller("kiro", session, string(row.get("key")))
            turns = objects(value.get("history"))
            first = mapping(turns[0].get("user")) if turns else {}
            begun = moment_of(row.get("created_at")) or moment_of(first.get("timestamp"))
            yield from tell.start(begun, str(self.path))
            messages = (message for place, turn in enumerate(turns) for message in _turn(turn, place))
            yield from message_events(messages, tell)


class KiroSession(FileReader):
    """Reads `sessions/cli/ID.jsonl`, or `sessions/WORKSPACE/ID/messages.jsonl`; where it was held stands in
    `ID.json`, or in `session.json` beside."""

    def events(self) -> Iterator[Event]:
        """Yield all its events. Raises ValueError where no line is a session's."""
        records = [record for record in records_of(self.path) if recognizes(record)]
        if not records:
            raise self.refusal("kiro")
        is_newest = self.path.name == "messages.jsonl"
        name = self.path.parent.name if is_newest else self.path.stem
        beside = self.path.with_name("session.json") if is_newest else self.path.with_suffix(".json")
        about = read_beside(beside)
        named = string(about.get("session_id")) or string(about.get("id"))
        folder = string(about.get("cwd")) or next(map(string, items(about.get("workspacePaths"))), None)
        tell = Teller("kiro", named or name, folder)
        begun = moment_of(about.get("created_at")) or moment_of(about.get("createdAt"))
        yield from tell.start(begun, str(self.path), string(about.get("title")))
        messages = [
            _line(text(record.get("kind")), mapping(record.get("data")), place)
            for place, record in enumerate(records)
            if "kind" in record
        ]
        turns = [turn for record in records if (turn := _kind(record)).startswith("turn_")]
        is_open = turns[-1:] == ["turn_start"]
        yield from message_events(messages or _steps(records), tell, is_open=is_open)


def _kind(record: Record) -> str:
    return text(mapping(record.get("payload")).get("type"))


def _steps(records: list[Record]) -> Iterator[ChatMessage]:
    """Yield the messages of a session in the newest form, which writes an answer in pieces."""
    said: ChatMessage | None = None
    for place, record in enumerate(records):
        payload, kind = mapping(record.get("payload")), _kind(record)
        content, call = text(payload.get("content")), text(payload.get("toolCallId"))
        key, at = string(record.get("id")) or str(place), moment_of(record.get("timestamp"))
        if kind == "assistant":
            if payload.get("operationType") != "Reasoning" and "reasoningSignature" not in payload:
                said = said or ChatMessage(False, "", key)
                said = replace(said, text=said.text + content, at=at)
            continue
        if said:
            yield replace(said, text=said.text.strip())
            said = None
        if kind == "user":
            yield ChatMessage(True, content.strip(), key, at)
        elif kind == "tool_call":
            used = ChatCall(call, text(payload.get("toolName")) or "unknown", payload.get("args"))
            yield ChatMessage(False, "", key, at, (used,))
        elif kind == "tool_result":
            answer = ChatAnswer(payload.get("content"), payload.get("success") is False)
            yield ChatMessage(True, "", key, at, answers={call: answer})
    if said:
        yield replace(said, text=said.text.strip())


def _turn(turn: Record, place: int) -> Iterator[ChatMessage]:
    """Yield the messages of a turn: what the user or the tools said, and the answer."""
    user, assistant = mapping(turn.get("user")), mapping(turn.get("assistant"))
    said = [mapping(value) for value in mapping(user.get("content")).values()]
    asked = next((text(value.get("prompt")) for value in said if value.get("prompt")), "")
    results = [result for value in said for result in objects(value.get("tool_use_results"))]
    answers = {text(result.get("tool_use_id")): _answer(result) for result in results}
    at = moment_of(user.get("timestamp"))
    ended = moment_of(mapping(turn.get("request_metadata")).get("stream_end_timestamp_ms")) or at
    yield ChatMessage(True, asked.strip(), f"{place}", at or ended, answers=answers)
    for value in map(mapping, assistant.values()):
        key = string(value.get("message_id")) or f"{place}:answer"
        calls = tuple(
            ChatCall(
                text(use.get("id")),
                text(use.get("name")) or "unknown",
                use.get("args", use.get("orig_args")),
            )
            for use in objects(value.get("tool_uses"))
        )
        yield ChatMessage(False, text(value.get("content")).strip(), key, ended, calls)


def _answer(result: Record) -> ChatAnswer:
    parts = [part for block in objects(result.get("content")) for part in block.items()]
    texts = [value for kind, value in parts if kind in ("Text", "text") and isinstance(value, str)]
    values = [value for kind, value in parts if kind in ("Json", "json")]
    return _answered(result, texts, values)


def _line(kind: str, data: Record, place: int) -> ChatMessage:
    blocks = [(block.get("kind"), block.get("data")) for block in objects(data.get("content"))]
    uses = [mapping(value) for block, value in blocks if block == "toolUse"]
    results = [mapping(value) for block, value in blocks if block == "toolResult"]
    said = "\n".join(value for block, value in blocks if block == "text" and isinstance(value, str))
    return ChatMessage(
        is_users=kind in ("Prompt", "ToolResults"),
        text=text(data.get("summary")) if kind == "Compaction" else said.strip(),
        key=string(data.get("message_id")) or str(place),
        at=moment_of(mapping(data.get("meta")).get("timestamp")),
        calls=tuple(
            ChatCall(text(use.get("toolUseId")), text(use.get("name")) or "unknown", use.get("input"))
            for use in uses
        ),
        answers={text(result.get("toolUseId")): _result(result) for result in results},
        is_summary=kind == "Compaction",
    )


def _result(result: Record) -> ChatAnswer:
    blocks = objects(result.get("content"))
    values = [block.get("data") for block in blocks]
    texts = [value for value in values if isinstance(value, str)]
    return _answered(result, texts, values)


def _answered(result: Record, texts: list[str], values: list[Any]) -> ChatAnswer:
    """Return an answer of these texts, else of these values, as the result's status says."""
    failed = text(result.get("status")).lower() == "error"
    return ChatAnswer("\n".join(texts) if texts else values[0] if len(values) == 1 else values, failed)
