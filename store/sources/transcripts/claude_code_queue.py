"""What is typed while Claude Code works: it waits in a queue, and only that tells of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...capture.events import Event
from .claude_code_texts import typed
from .fields import moment_of, text_of
from .reader import State

MOST = 64


def steering(state: State, record: dict[str, Any], base: dict[str, Any]) -> Iterator[Event]:
    """The prompt that a step of the queue gave to the agent while it worked.

    What is dequeued becomes a prompt with a record of its own; what is removed was given to the
    agent on the way, and has none. All is taken back when it is edited again.
    """
    queue: list[dict[str, Any]] = state.setdefault("queue", [])
    operation, text = record.get("operation"), text_of(record.get("content"))
    if operation == "enqueue":
        queue.append({"text": text, "at": moment_of(record.get("timestamp"))})
        del queue[:-MOST]
    elif operation == "popAll":
        queue.clear()
    elif operation in ("dequeue", "remove") and queue:
        named = (place for place, waiting in enumerate(queue) if waiting["text"] == text)
        taken = queue.pop(next(named, 0))
        if operation == "remove" and (prompt := typed(taken["text"])):
            told = {"kind": "prompt", "text": prompt, "at": taken["at"]}
            key = f"queued-{taken['at']}"
            yield Event(**base | told | {"key": key, "extra": {"steering": True}})
