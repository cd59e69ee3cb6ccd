"""The chats of Cursor's window, which it keeps in a database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property
from pathlib import Path

import apsw

from ....platform.errors import SourceError
from ....records.events import Event, Usage
from ...sqlite.file import open_foreign
from ..json_records import Record, items, mapping, moment_of, number, objects, parsed, string, text
from ..whole_sessions import (
    ChatAnswer,
    ChatCall,
    ChatMessage,
    SessionsDatabase,
    Teller,
    message_events,
)
from .cursor import AGENT, typed_text
from .vscode import folder_of, folder_of_workspace

VALUES = "SELECT CAST(key AS TEXT), CAST(value AS BLOB) FROM cursorDiskKV WHERE key"

LISTED = "SELECT CAST(value AS BLOB) FROM ItemTable WHERE key = 'composer.composerData'"


class CursorDatabase(SessionsDatabase):
    """Reads `state.vscdb`: the chats of which there is no transcript, and no other of its values."""

    agent = AGENT
    tables = {"cursorDiskKV": ("key", "value")}

    def sessions(self, db: apsw.Connection) -> Iterator[Event]:
        files = (Path.home() / ".cursor/projects").glob("*/agent-transcripts/**/*")
        there = {file.stem for file in files}
        for key, value in db.execute(f"{VALUES} BETWEEN 'composerData:' AND 'composerData;'"):
            chat, session = _value(value), str(key).partition(":")[2]
            if not session or session in there or self.only not in (None, session):
                continue
            headers = objects(chat.get("fullConversationHeadersOnly"))
            names = (f"bubbleId:{session}:{text(header.get('bubbleId'))}" for header in headers)
            stored = (_value(db.execute(f"{VALUES} = ?", (name,)).fetchone()) for name in names)
            bubbles = objects(chat.get("conversation")) or [bubble for bubble in stored if bubble]
            if bubbles:
                folder = string(mapping(mapping(chat.get("workspaceIdentifier")).get("uri")).get("fsPath"))
                uris = (uri for bubble in bubbles for uri in items(bubble.get("workspaceUris")))
                folder = folder or folder_of(text(next(uris, None))) or self.folders.get(session)
                yield from _chat_events(chat, session, bubbles, folder, str(self.path))

    @cached_property
    def folders(self) -> dict[str, str]:
        """The folders of windows that list chats, by the chats' ids."""
        results: dict[str, str] = {}
        for path in self.path.parent.parent.glob("workspaceStorage/*/state.vscdb"):
            if folder := folder_of_workspace(path.parent):
                with suppress(SourceError, apsw.Error, OSError), open_foreign(path) as db:
                    listed = objects(_value(db.execute(LISTED).fetchone()).get("allComposers"))
                    results |= {text(chat.get("composerId")): folder for chat in listed}
        return results


def _value(stored: object) -> Record:
    """Return the object that a value is, given alone or with its key."""
    value = stored[-1] if isinstance(stored, tuple) else stored
    # Some versions write the JSON of a text that is JSON.
    return mapping(parsed(parsed(value.decode(errors="replace") if isinstance(value, bytes) else None)))


def _chat_events(
    chat: Record, session: str, bubbles: list[Record], folder: str | None, transcript: str
) -> Iterator[Event]:
    parent = string(mapping(chat.get("subagentInfo")).get("parentComposerId"))
    tell = Teller(AGENT, parent or session, folder, session if parent else None)
    model = text(mapping(chat.get("modelConfig")).get("modelName"))
    yield from tell.start(moment_of(chat.get("createdAt")), transcript, string(chat.get("name")))
    messages = (_bubble(bubble, str(place), model) for place, bubble in enumerate(bubbles))
    yield from message_events(messages, tell)


def _bubble(bubble: Record, place: str, model: str) -> ChatMessage:
    key = string(bubble.get("bubbleId")) or place
    at = moment_of(bubble.get("createdAt")) or moment_of(
        mapping(bubble.get("timingInfo")).get("clientStartTime")
    )
    used, spent = mapping(bubble.get("toolFormerData")), mapping(bubble.get("tokenCount"))
    call = ChatCall(
        string(used.get("toolCallId")) or f"{key}:call",
        text(used.get("name")) or "unknown",
        parsed(used.get("rawArgs") or used.get("params")),
    )
    is_done = "result" in used or used.get("status") in ("completed", "error", "cancelled")
    answer = ChatAnswer(parsed(used.get("result")), used.get("status") == "error")
    usage = Usage(number(spent.get("inputTokens")), number(spent.get("outputTokens")))
    return ChatMessage(
        is_users=bubble.get("type") == 1,
        text=typed_text(text(bubble.get("text"))),
        key=key,
        at=at,
        calls=(call,) if used else (),
        answers={call.key: answer} if used and is_done else {},
        usage=usage if usage != Usage() else None,
        model=model,
    )
