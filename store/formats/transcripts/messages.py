"""Messages of a user and a model in their order, as events: what whole transcripts of most agents hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from ...records.dataclasses import dataclass, field, replace
from ...records.events import Event, EventKind, ToolUse, Usage


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


MakeEvent = Callable[..., Event]
"""Makes an event of a kind, a time and what else is told of it."""


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
            spent: dict[str, Any] = {"usage": message.usage, "model": message.model}
            yield make("usage", message.at, key=key, **spent)
        is_working = any(call.key not in answers for call in message.calls)
        tokens = message.usage.output if message.usage else 0
        for number, call in enumerate(message.calls):
            answer = answers.get(call.key, ChatAnswer())
            tool = used(call.name, call.given, answer.response, answer.failed)
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
        self.who: dict[str, Any] = {
            "agent": agent,
            "session": session,
            "cwd": cwd,
            "subagent": subagent,
        }
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
