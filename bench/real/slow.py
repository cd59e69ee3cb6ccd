"""`python -m bench.real.slow OUT ARGUMENTS…`: `mem ARGUMENTS…`, which adds its slowest records to OUT.

A JSON line each: CPU ms, what it is, its session, and how many characters it has.
"""

import atexit
import heapq
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

from memtui.store import cli
from memtui.store.capture.ingest import transcripts
from memtui.store.observe.jobs import rule_observer

MOST = 20

Slow = tuple[float, int, str, str, int]
"""CPU ms, a number that makes it unlike any other, what it is, the session, characters."""

slowest: list[Slow] = []


def timed(call: Callable[..., Any], about: Callable[[Any], tuple[str, str, int]]) -> Callable[..., Any]:
    """Return `call`, which notes how long it takes for its second argument."""
    numbers = iter(range(1 << 60))

    def run(store: object, record: object, *rest: Any, **more: Any) -> Any:
        begin = process_time()
        try:
            return call(store, record, *rest, **more)
        finally:
            took = (process_time() - begin) * 1_000
            if len(slowest) < MOST or took > slowest[0][0]:
                put = heapq.heappush if len(slowest) < MOST else heapq.heappushpop
                put(slowest, (took, next(numbers), *about(record)))

    return run


def of_event(event: Any) -> tuple[str, str, int]:
    """Return what an event is, its session, and its size."""
    tool = event.tool
    size = len(event.text) + (len(str(tool.input)) + len(str(tool.response)) if tool else 0)
    return f"{event.kind} {tool.name if tool else ''}".strip(), event.session, size


def of_message(message: Any) -> tuple[str, str, int]:
    """Return what a message of the queue is, its session, and its size."""
    texts = (message.tool_input, message.tool_response, message.last_assistant_message)
    what = f"observing {message.kind} {message.tool_name or ''}".strip()
    return what, f"@{message.session_id}", sum(len(text or "") for text in texts)


def write(path: Path) -> None:
    """Add the slowest records to a file, a line each."""
    with path.open("a", encoding="utf-8") as out:
        for took, _, *about in sorted(slowest, reverse=True):
            out.write(json.dumps([round(took, 1), *about]) + "\n")
    slowest.clear()


def main() -> int:
    """Run the command; its exit code."""
    out = Path(sys.argv[1])
    sys.argv[:2] = ["mem"]
    transcripts.ingest_event = timed(transcripts.ingest_event, of_event)  # type: ignore[attr-defined]
    rule_observer._record = timed(rule_observer._record, of_message)
    atexit.register(write, out)
    leave = os._exit

    def leave_noting(status: int) -> None:
        write(out)
        leave(status)

    os._exit = leave_noting  # type: ignore[assignment]
    return cli.main()


if __name__ == "__main__":
    sys.exit(main())
