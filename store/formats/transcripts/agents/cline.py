"""Cline's messages: a file for each session and each of its sub-agents, written anew at each turn."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from ....agents.cline import typed, used_tool
from ....platform.errors import SourceError
from ....records.events import Event, Usage
from ...sqlite.file import open_foreign, translate_read_errors
from ..json_records import Record, mapping, moment_of, number, objects, string, text, text_of
from ..reader import FileReader, read_beside, read_object
from ..whole_sessions import ChatAnswer, ChatCall, ChatMessage, Teller, has_tables, message_events

SESSIONS = {"sessions": ("session_id", "parent_session_id", "is_subagent")}
PARENT = "SELECT parent_session_id FROM sessions WHERE session_id = ? AND is_subagent"


def recognizes(record: Record) -> bool:
    """Return whether a JSON record is a session of Cline's."""
    return isinstance(record.get("messages"), list) and "sessionId" in record and "agent" in record


class ClineMessages(FileReader):
    """Reads `sessions/ID/ID.messages.json`; where it was and what it is called stands beside it."""

    def events(self) -> Iterator[Event]:
        """Yield all its events. Raises ValueError where the file is no session."""
        record = read_object(self.path, "messages")
        origin = mapping(record.get("origin"))
        named = string(record.get("sessionId")) or self.path.name.removesuffix(".messages.json")
        root = string(origin.get("parentThreadId")) or self._parent(named) or named.partition("__")[0]
        about = read_beside(self.path.with_name(f"{root}.json"))
        subagent = None if root == named else string(origin.get("subagent")) or named
        tell = Teller("cline", root, string(about.get("cwd")), subagent)
        title = string(mapping(about.get("metadata")).get("title"))
        title = None if title == about.get("prompt") else title
        yield from tell.start(moment_of(about.get("started_at")), str(self.path), title)
        yield from message_events(map(message_of, objects(record["messages"])), tell, used_tool)

    def _parent(self, session: str) -> str | None:
        """Return the session that began this one, where Cline's database of sessions says so."""
        database = self.path.parents[2] / "db/sessions.db"
        if not has_tables(database, SESSIONS):
            return None
        with suppress(SourceError), open_foreign(database) as db, translate_read_errors(database):
            return string(db.execute(PARENT, (session,)).get)
        return None


def message_of(record: Record) -> ChatMessage:
    """Return a message, whose content is blocks as Anthropic's interface has them."""
    parts, spent = objects(record.get("content")), mapping(record.get("metrics"))
    names = ("inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens")
    return ChatMessage(
        is_users=record.get("role") == "user",
        text=typed(text_of(record.get("content"))),
        key=string(record.get("id")),
        at=moment_of(record.get("ts")),
        calls=tuple(
            ChatCall(text(part.get("id")), text(part.get("name")), part.get("input"))
            for part in parts
            if part.get("type") == "tool_use"
        ),
        answers={
            text(part.get("tool_use_id")): ChatAnswer(part.get("content"), bool(part.get("is_error")))
            for part in parts
            if part.get("type") == "tool_result"
        },
        usage=Usage(*(number(spent.get(name)) for name in names)) if spent else None,
        model=text(mapping(record.get("modelInfo")).get("id")),
    )
