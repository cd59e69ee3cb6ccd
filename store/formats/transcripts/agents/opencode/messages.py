"""Read OpenCode's messages and their parts as events, wherever they are stored."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from .....agents.opencode import stored_title, unquoted
from .....records.dataclasses import dataclass, replace
from .....records.events import Event, EventKind, ToolUse, Usage
from ...fields import Record, mapping, moment_of, number, objects, text, texts


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
        who: dict[str, Any] = {"session": self.root, "subagent": subagent, "cwd": self.directory}
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
        said = spoken_text(message)
        at = moment_of(mapping(message.info.get("time")).get("created"))
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


def spoken_text(message: Message) -> str:
    """Return the text of a message that is no tool's and no thought."""
    said = (part for part in message.parts if part.get("type") == "text")
    return "\n".join(text(part.get("text")) for part in said if not part.get("synthetic"))


def usage_events(session: OpenCodeSession, message: Message, about: dict[str, Any]) -> Iterator[Event]:
    """Yield the tokens of an answer that has come to its end."""
    tokens = mapping(message.info.get("tokens"))
    if not tokens or not mapping(message.info.get("time")).get("completed"):
        return
    cache = mapping(tokens.get("cache"))
    usage = Usage(*(number(tokens.get(name)) for name in ("input", "output")))
    usage = replace(usage, cache_read=number(cache.get("read")), cache_written=number(cache.get("write")))
    thoughts = number(tokens.get("reasoning"))
    extra = {"thoughts": thoughts} if thoughts else {}
    model = text(message.info.get("modelID"))
    yield session.event("usage", usage=usage, model=model, extra=extra, **about)


def tool_events(
    session: OpenCodeSession, message: Message, at: int | None, *, is_last: bool
) -> Iterator[Event]:
    """Yield the tools that an answer used; one at work only when the session has gone on."""
    tokens = number(mapping(message.info.get("tokens")).get("output"))
    for part in message.parts:
        state = mapping(part.get("state"))
        if part.get("type") != "tool":
            continue
        ended = state.get("status") in ("completed", "error")
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
    failed = state.get("status") == "error" or metadata.get("exit") not in (None, 0)
    return ToolUse(name or "unknown", state.get("input"), shown or None, failed)


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
    """Return a part in the form of version 1: a tool's result is a text, its times are with its
    state."""
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
