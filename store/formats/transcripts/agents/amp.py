"""Amp's threads: a JSON file each, with messages in the form of Anthropic's interface."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import unquote, urlsplit

from ....records.events import Event, Usage
from ..json_records import Record, items, mapping, moment_of, number, objects, string, text, text_of
from ..reader import FileReader, read_object
from ..whole_sessions import ChatAnswer, ChatCall, ChatMessage, Teller, message_events

UNFINISHED = ("in-progress", "queued", "blocked-on-user")
FAILED = ("error", "cancelled", "rejected-by-user")


def recognizes(record: Record) -> bool:
    """Return whether a JSON record is a thread of Amp's."""
    return str(record.get("id")).startswith("T-") and isinstance(record.get("messages"), list)


class AmpThread(FileReader):
    """Reads `threads/T-….json`."""

    def events(self) -> Iterator[Event]:
        """Yield all its events. Raises ValueError where the file is no thread."""
        thread = read_object(self.path, "messages")
        trees = objects(mapping(mapping(thread.get("env")).get("initial")).get("trees"))
        place = urlsplit(next((uri for tree in trees if (uri := text(tree.get("uri")))), ""))
        cwd = unquote(place.path) if place.scheme == "file" else None
        tell = Teller("amp", string(thread.get("id")) or self.path.stem, cwd)
        yield from tell.start(moment_of(thread.get("created")), str(self.path), string(thread.get("title")))
        messages = (
            _message(record, number) for number, record in enumerate(objects(thread.get("messages")))
        )
        yield from message_events(messages, tell)


def _message(record: Record, place: int) -> ChatMessage:
    parts, spent = objects(record.get("content")), mapping(record.get("usage"))
    names = ("inputTokens", "outputTokens", "cacheReadInputTokens", "cacheCreationInputTokens")
    sent = mapping(record.get("meta")).get("sentAt")
    return ChatMessage(
        is_users=record.get("role") == "user",
        text=text_of(record.get("content")) if record.get("role") in ("user", "assistant") else "",
        key=str(record.get("messageId", place)),
        at=moment_of(sent) or moment_of(spent.get("timestamp")),
        calls=tuple(
            ChatCall(text(part.get("id")), text(part.get("name")) or "unknown", part.get("input"))
            for part in parts
            if part.get("type") == "tool_use"
        ),
        answers={
            text(part.get("toolUseID")) or text(part.get("tool_use_id")): answer
            for part in parts
            if part.get("type") == "tool_result" and (answer := _answer(part))
        },
        usage=Usage(*(number(spent.get(name)) for name in names)) if spent else None,
        model=text(spent.get("model")),
    )


def _answer(part: Record) -> ChatAnswer | None:
    """Return what a tool answered; None while it is at work."""
    ran = mapping(part.get("run"))
    if ran.get("status") in UNFINISHED:
        return None
    error = ran.get("error")
    failed = ran.get("status") in FAILED or bool(part.get("is_error")) or bool(error)
    response = error if error else ran.get("result", part.get("content"))
    if isinstance(response, list) and all(isinstance(one, str) for one in items(response)):
        response = "\n".join(response)
    return ChatAnswer(response, failed)
