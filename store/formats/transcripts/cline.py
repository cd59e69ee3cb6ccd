"""Cline's messages: a file for each session and each of its sub-agents, written anew at each turn."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from ...agents.cline import typed, used_tool
from ...events import Event, EventKind, Usage
from ...regular_file import LONGEST, read_regular
from .fields import Record, load, mapping, moment_of, number, objects, string, text, text_of


def recognizes(record: dict[str, Any]) -> bool:
    """Return whether a JSON record is a session of Cline's."""
    return isinstance(record.get("messages"), list) and "sessionId" in record and "agent" in record


class ClineMessages:
    """Reads `sessions/ID/ID.messages.json`; where it was and what it is called stands beside it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._who: dict[str, Any] = {}

    def events(self) -> Iterator[Event]:
        """Yield all its events. Raises ValueError where the file is no session."""
        try:
            record = mapping(load(read_regular(self.path, LONGEST)))
        except ValueError as error:
            raise ValueError(f"{self.path} is not valid JSON ({error}). Was it cut off?") from error
        if not isinstance(record.get("messages"), list):
            raise ValueError(f"{self.path} is no session of Cline's: it has no list of messages.")
        origin = mapping(record.get("origin"))
        named = string(record.get("sessionId")) or self.path.name.removesuffix(".messages.json")
        root = string(origin.get("parentThreadId")) or named.partition("__")[0]
        about = self._manifest(root)
        subagent = None if root == named else string(origin.get("subagent")) or named
        self._who = {"session": root, "subagent": subagent, "cwd": string(about.get("cwd"))}
        title = string(mapping(about.get("metadata")).get("title"))
        started = moment_of(about.get("started_at"))
        if subagent is None:
            told = {
                "transcript": str(self.path),
                "title": None if title == about.get("prompt") else title,
            }
            yield self._event("session_start", started, **told)
        yield from self._messages(objects(record.get("messages")))

    def _manifest(self, session: str) -> Record:
        with suppress(OSError, ValueError):
            return mapping(load(read_regular(self.path.with_name(f"{session}.json"), LONGEST)))
        return {}

    def _messages(self, messages: list[Record]) -> Iterator[Event]:
        answers = {
            text(part.get("tool_use_id")): part
            for message in messages
            for part in objects(message.get("content"))
            if part.get("type") == "tool_result"
        }
        reply: Event | None = None
        is_working = False
        for place, message in enumerate(messages):
            at, key = moment_of(message.get("ts")), string(message.get("id")) or str(place)
            said, parts = text_of(message.get("content")), objects(message.get("content"))
            if message.get("role") == "user":
                if prompt := typed(said):
                    yield from (reply,) if reply else ()
                    reply = None
                    yield self._event("prompt", at, key=key, text=prompt)
                continue
            if message.get("role") != "assistant":
                continue
            if said:
                if reply:
                    yield self._remark(reply)
                reply = self._event("reply", at, key=key, text=said)
            yield from self._usage(message, at, key)
            calls = [part for part in parts if part.get("type") == "tool_use"]
            is_working = any(text(call.get("id")) not in answers for call in calls)
            for call in calls:
                yield self._call(call, answers.get(text(call.get("id"))), at, key)
        if reply and not is_working:
            yield reply

    def _remark(self, reply: Event) -> Event:
        return self._event("reply", reply.at, key=reply.key, text=reply.text, is_final=False)

    def _call(self, call: Record, answer: Record | None, at: int | None, message: str) -> Event:
        output = answer.get("content") if answer else None
        failed = bool(answer and answer.get("is_error"))
        tool = used_tool(text(call.get("name")), call.get("input"), output, failed)
        key = string(call.get("id"))
        return self._event("tool", at, key=key or message, shared=key is not None, tool=tool)

    def _usage(self, message: Record, at: int | None, key: str) -> Iterator[Event]:
        if spent := mapping(message.get("metrics")):
            names = ("inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens")
            usage = Usage(*(number(spent.get(name)) for name in names))
            model = text(mapping(message.get("modelInfo")).get("id"))
            yield self._event("usage", at, key=key, usage=usage, model=model)

    def _event(self, kind: EventKind, at: int | None, **told: Any) -> Event:
        return Event(kind=kind, agent="cline", at=at, **self._who, **told)
