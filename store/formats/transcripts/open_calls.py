"""Tool calls that wait for their results, kept as JSON between two readings of a transcript."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...records.events import AgentName, Event, ToolUse
from .reader import State

MOST = 64
"""The most open calls: when one more comes, the oldest gets no result any more."""


class OpenCalls:
    """The open calls of a reader, by the agent's id of each, kept in its state."""

    def __init__(self, agent: AgentName, state: State, *, shared: bool) -> None:
        self.agent = agent
        self.shared = shared
        self.calls: dict[str, dict[str, Any]] = state.setdefault("calls", {})

    def __bool__(self) -> bool:
        return bool(self.calls)

    def opened_since(self, at: int | None) -> bool:
        """Return whether a call is open that was made at a moment or later: what the agent said then may
        be about it."""
        return any(at is None or call["at"] is None or call["at"] >= at for call in self.calls.values())

    def open(self, key: str, call: Event, message: str | None = None) -> Iterator[Event]:
        """Add a call, made by this answer of the model; yield the oldest one when there are too
        many."""
        tool = call.tool or ToolUse("")
        self.calls[key] = {
            "session": call.session,
            "at": call.at,
            "subagent": call.subagent,
            "cwd": call.cwd,
            "name": tool.name,
            "input": tool.input,
            "tokens": call.tokens,
            "message": message,
        }
        if len(self.calls) > MOST:
            oldest = next(iter(self.calls))
            yield self._event(oldest, self.calls.pop(oldest))

    def spend(self, message: str, tokens: int) -> None:
        """Put the tokens of an answer on its call, if that is still open."""
        for call in self.calls.values():
            if call["message"] == message:
                call["tokens"] = tokens

    def close(
        self, key: str, response: object, *, failed: bool = False, at: int | None = None
    ) -> Iterator[Event]:
        """Yield the event of a call and its result; nothing where the call is unknown."""
        if call := self.calls.pop(key, None):
            yield self._event(key, call | {"at": at or call["at"]}, response, failed=failed)

    def pending(self) -> Iterator[Event]:
        """Yield an event for each open call, without a response."""
        for key, call in self.calls.items():
            yield self._event(key, call)

    def _event(
        self, key: str, call: dict[str, Any], response: object = None, *, failed: bool = False
    ) -> Event:
        return Event(
            kind="tool",
            agent=self.agent,
            session=call["session"],
            at=call["at"],
            key=key,
            shared=self.shared,
            subagent=call["subagent"],
            cwd=call["cwd"],
            tool=ToolUse(call["name"], call["input"], response, failed),
            tokens=call["tokens"],
        )
