"""claude.ai's export: a list of conversations."""

from __future__ import annotations

from collections.abc import Iterator

from ....records.events import Event
from ..json_records import Record, items, mapping, moment_of, objects, string, text, text_of
from ..reader import FileReader, read_json
from ..whole_sessions import ChatAnswer, ChatCall, ChatMessage, Teller, message_events

AGENT = "claude-ai"


def recognizes(record: Record) -> bool:
    """Return whether a JSON record is a conversation of claude.ai's."""
    return isinstance(record.get("chat_messages"), list) and "uuid" in record


class ClaudeAIExport(FileReader):
    """Reads `conversations.json`."""

    def events(self) -> Iterator[Event]:
        """Yield all its events. Raises ValueError where no conversation is in it."""
        whole = read_json(self.path)
        chats = [chat for chat in (whole, *items(whole)) if recognizes(mapping(chat))]
        if not chats:
            raise self.refusal(AGENT)
        for chat in map(mapping, chats):
            messages = [_message(message) for message in objects(chat.get("chat_messages"))]
            if not any(message.text or message.calls for message in messages):
                continue
            tell = Teller(AGENT, text(chat.get("uuid")), None)
            yield from tell.start(
                moment_of(chat.get("created_at")), str(self.path), string(chat.get("name"))
            )
            yield from message_events(messages, tell)


def _message(message: Record) -> ChatMessage:
    blocks = objects(message.get("content"))
    uses = [block for block in blocks if block.get("type") == "tool_use"]
    results = [block for block in blocks if block.get("type") == "tool_result"]
    # A result may name no call: it is that of the call before it.
    keys = [text(use.get("id")) or f"{message.get('uuid')}:{place}" for place, use in enumerate(uses)]
    answers = {
        text(result.get("tool_use_id")) or key: ChatAnswer(
            text_of(result.get("content")) or result.get("content"), result.get("is_error") is True
        )
        for result, key in zip(results, [*keys, *[""] * len(results)], strict=False)
    }
    return ChatMessage(
        is_users=message.get("sender") == "human",
        text=text_of(blocks) or text(message.get("text")).strip(),
        key=string(message.get("uuid")),
        at=moment_of(message.get("created_at")),
        calls=tuple(
            ChatCall(key, text(use.get("name")) or "unknown", use.get("input"))
            for key, use in zip(keys, uses, strict=True)
        ),
        answers=answers,
    )
