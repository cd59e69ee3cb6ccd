"""Turns of an agent's work in a queue, as hooks leave them."""

from __future__ import annotations

from memtui.store import Session, Store
from memtui.store.capture.ingest.pipeline import ingest_event
from memtui.store.records.events import Event, ToolUse


def take_turn(
    store: Store,
    *commands: str,
    session: str = "c-1",
    prompt: str = "why does the clock drift?",
    reply: str = "It is fixed.",
    at: int | None = None,
) -> Session:
    """A prompt, a tool use for each command, and the reply; none without one."""

    def tell(kind: str, number: int, **more: object) -> None:
        key = f"{prompt}-{kind}-{number}"
        event = Event(kind=kind, agent="codex", session=session, key=key, cwd="/srv/atlas", **more)  # type: ignore[arg-type]
        ingest_event(store, event, "hook", at=at)

    tell("prompt", 0, text=prompt)
    for number, command in enumerate(commands):
        tell("tool", number, tool=ToolUse("Bash", {"command": command}, {"stdout": f"out {number}"}))
    if reply:
        tell("reply", 0, text=reply)
    return store.sessions.get(session)


FIX, TEST = "sed -i s/60/0/ clock.py", "pytest tests/test_clock.py"
"""Commands that are worth remembering."""
