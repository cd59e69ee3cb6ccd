"""The model's answers in Claude Code's transcripts: the calls they make, their cost, their words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...capture.events import Agent, Event, ToolUse, Usage
from .fields import items, mapping, number, string, text_of
from .open_calls import OpenCalls
from .reader import State

AGENT: Agent = "claude-code"
SYNTHETIC = "<synthetic>"


class Answers:
    """What is known of the answer at hand, kept in a reader's state.

    One answer is told by several records with the same id, which the results of its calls may part;
    the last of them tells its cost. Sub-agents' answers come between those of the session.
    """

    def __init__(self, state: State, calls: OpenCalls) -> None:
        self.state = state
        self.calls = calls
        self.open: dict[str, dict[str, Any]] = state.setdefault("answers", {})

    def events(self, record: dict[str, Any], base: dict[str, Any]) -> Iterator[Event]:
        """What a record of an answer completes: the cost of the answer before it."""
        message = record["message"]
        if message.get("model") == SYNTHETIC or record.get("isApiErrorMessage") is True:
            return
        key = string(message.get("id")) or string(record.get("uuid")) or ""
        who = base["subagent"] or ""
        if who in self.open and self.open[who]["key"] != key:
            yield from self._cost(self.open.pop(who))
        answer = self.open.setdefault(who, {"key": key, "base": base, "usage": None, "first": None})
        if usage := mapping(message.get("usage")):
            answer["usage"] = [
                number(usage.get(name))
                for name in (
                    "input_tokens", "output_tokens",
                    "cache_read_input_tokens", "cache_creation_input_tokens",
                )
            ]  # fmt: skip
        self._words(text_of(message.get("content")), key, base)
        for place, block in enumerate(map(mapping, items(message.get("content")))):
            if block.get("type") == "tool_use":
                call = string(block.get("id")) or f"{record.get('uuid')}-{place}"
                tool = ToolUse(string(block.get("name")) or "", block.get("input"))
                event = Event(**base | {"kind": "tool", "tool": tool, "key": call})
                is_first = answer["first"] in (None, call)
                answer["first"] = answer["first"] or call
                yield from self.calls.open(call, event, key if is_first else None)
        if answer["usage"]:
            self.calls.spend(key, answer["usage"][1])

    def end_of_turn(self) -> Iterator[Event]:
        """The last words of the turn that ends."""
        if words := self.state.pop("words", None):
            yield Event(**words)

    def pending(self) -> Iterator[Event]:
        """The cost of the answers at hand, and the last words where they are not about a call."""
        for answer in self.open.values():
            yield from self._cost(answer)
        if (words := self.state.get("words")) and not self.calls:
            yield Event(**words)

    def _words(self, text: str, key: str, base: dict[str, Any]) -> None:
        if not text or base["subagent"]:
            return
        before = self.state.get("words")
        if before and before["key"] == key:
            text = f"{before['text']}\n{text}"
        self.state["words"] = base | {"kind": "reply", "key": key, "text": text}

    def _cost(self, answer: dict[str, Any]) -> Iterator[Event]:
        if answer["usage"]:
            told = {"kind": "usage", "key": answer["key"], "usage": Usage(*answer["usage"])}
            yield Event(**answer["base"] | told)
