"""Crush's sessions: a database in each project."""

from __future__ import annotations

from collections.abc import Iterator

import apsw

from ....records.events import Event
from ..json_records import Record, mapping, moment_of, objects, parsed, string, text
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


class CrushDatabase(SessionsDatabase):
    """Reads `.crush/crush.db`, which lies in the project that it is of."""

    agent = "crush"
    tables = {
        "sessions": ("id", "parent_session_id", "title"),
        "messages": ("session_id", "role", "parts"),
    }

    def sessions(self, db: apsw.Connection) -> Iterator[Event]:
        folder = self.path.absolute().parent
        cwd = str(folder.parent) if folder.name == ".crush" else None
        for row, root in session_rows(db, "sessions", "parent_session_id", self.only):
            tell = Teller("crush", root, cwd, row["id"] if row["id"] != root else None)
            begun = moment_of(row.get("created_at"))
            yield from tell.start(begun, str(self.path), string(row.get("title")))
            yield from message_events(map(_message, read_rows(db, "messages", row["id"])), tell)


def _message(row: Record) -> ChatMessage:
    known = [(part.get("type"), mapping(part.get("data"))) for part in objects(parsed(row.get("parts")))]
    return ChatMessage(
        is_users=row.get("role") == "user",
        text="\n".join(text(data.get("text")) for kind, data in known if kind == "text").strip(),
        key=row["id"],
        at=moment_of(row.get("created_at")),
        calls=tuple(
            ChatCall(text(data.get("id")), text(data.get("name")) or "unknown", parsed(data.get("input")))
            for kind, data in known
            if kind == "tool_call"
        ),
        answers={
            text(data.get("tool_call_id")): ChatAnswer(data.get("content"), data.get("is_error") is True)
            for kind, data in known
            if kind == "tool_result"
        },
        is_summary=bool(row.get("is_summary_message")),
    )
