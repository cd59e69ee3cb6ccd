"""Goose's sessions: its database, and its files of lines before that."""

from __future__ import annotations

from collections.abc import Iterator

import apsw

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
    text_of,
)
from ..reader import FileReader
from ..whole_sessions import (
    ChatAnswer,
    ChatCall,
    ChatMessage,
    SessionsDatabase,
    Teller,
    message_events,
    read_rows,
    session_rows,
)

CALLS = ("toolRequest", "frontendToolRequest")
TYPED = ("user", "terminal", "acp", "gateway", "hidden")
"""Types of sessions in which a person types."""
SUBAGENTS = ("sub_agent", "subagent")
"""Types of sessions that another session began."""


def recognizes(record: Record) -> bool:
    """Return whether a JSON record is of a session of Goose's."""
    if "working_dir" in record:
        return "description" in record or "message_count" in record
    kinds = {text(part.get("type")) for part in objects(record.get("content"))}
    return "created" in record and bool(kinds & {*CALLS, "toolResponse", "text"}) and "role" in record


class GooseDatabase(SessionsDatabase):
    """Reads `sessions.db`."""

    agent = "goose"
    tables = {"sessions": ("id", "working_dir"), "messages": ("session_id", "role", "content_json")}

    def sessions(self, db: apsw.Connection) -> Iterator[Event]:
        for row, root in session_rows(db, "sessions", "parent_session_id", self.only):
            kind = text(row.get("session_type"))
            child = row["id"] if row["id"] != root or kind in SUBAGENTS else None
            tell = Teller("goose", root, string(row.get("working_dir")), child)
            title = string(row.get("name")) or string(row.get("description"))
            begun, automatic = moment_of(row.get("created_at")), bool(kind) and kind not in TYPED
            yield from tell.start(begun, str(self.path), title, automatic=automatic)
            messages = (
                _message(
                    text(stored.get("role")),
                    parsed(stored.get("content_json")),
                    string(stored.get("message_id")) or stored["id"],
                    moment_of(stored.get("created_timestamp")) or moment_of(stored.get("timestamp")),
                )
                for stored in read_rows(db, "messages", row["id"])
                if mapping(parsed(stored.get("metadata_json"))).get("userVisible") is not False
            )
            yield from message_events(messages, tell)


class GooseSession(FileReader):
    """Reads `sessions/ID.jsonl`: what the session is, then a message a line."""

    def events(self) -> Iterator[Event]:
        """Yield all its events. Raises ValueError where no line is a session's."""
        records = list(records_of(self.path))
        if not any(map(recognizes, records)):
            raise self.refusal("goose")
        about = next((record for record in records if "working_dir" in record), {})
        tell = Teller("goose", self.path.stem, string(about.get("working_dir")))
        messages = [
            _message(
                text(record.get("role")), record.get("content"), string(record.get("id")) or str(place),
                moment_of(record.get("created")),
            )
            for place, record in enumerate(records)
            if "role" in record
        ]  # fmt: skip
        begun = next((message.at for message in messages if message.at), None)
        yield from tell.start(begun, str(self.path), string(about.get("description")))
        yield from message_events(messages, tell)


def _message(role: str, content: object, key: str, at: int | None) -> ChatMessage:
    parts = objects(content)
    return ChatMessage(
        is_users=role.lower() == "user",
        text=text_of(content),
        key=key,
        at=at,
        calls=tuple(_call(part) for part in parts if part.get("type") in CALLS),
        answers={
            text(part.get("id")): _answer(part) for part in parts if part.get("type") == "toolResponse"
        },
    )


def _call(part: Record) -> ChatCall:
    asked = mapping(part.get("toolCall"))
    call = mapping(asked.get("value")) or asked
    name = text(call.get("name")) or "unknown"
    return ChatCall(text(part.get("id")), name, call.get("arguments"))


def _answer(part: Record) -> ChatAnswer:
    result = mapping(part.get("toolResult"))
    value = result.get("value", result.get("content"))
    content = mapping(value).get("content", value)
    failed = result.get("status") == "error" or mapping(value).get("isError") is True
    error = text(result.get("error"))
    return ChatAnswer(error or text_of(content) or items(content) or "", failed or bool(error))
