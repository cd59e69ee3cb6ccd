"""A session of 2,000 steps as a conversation: what is read before it shows, and what a key paints."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

from bench.report import Section, middle, ms
from memtui.store import Store
from memtui.store.capture.conversation import conversation
from memtui.store.capture.ingest.transcripts import read_transcript
from memtui.tui.protocol import ReadingMode
from memtui.tui.sessions.flow import entry_lines
from memtui.tui.sessions.lists import session_view

ROUNDS = 5
TURNS, STEPS = 100, 20
SESSION = "5e551011-0000-4000-8000-0000000000be"
REPLY = "The cause of {0} was the clock.\n\n{1}\n```python\ndef later():\n    return {0}\n```\n"
ROWS, WIDTH = 50, 90
"""Entries that a screen shows, and its cells."""


def measure() -> Section:
    """One row for each thing that is waited for."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"{SESSION}.jsonl"
        path.write_text("".join(json.dumps(record) + "\n" for record in _records()))
        with Store.open(Path(folder) / "memory.db") as store:
            read_transcript(store, path, "claude-code")
            session = store.sessions.get(SESSION)
            entries = conversation(store, session, with_transcript=False).entries
            shown = entries[-ROWS:]
            work: dict[str, Callable[[], object]] = {
                "opened: its memories": lambda: session_view(store, session.id),
                "then: with its transcript": lambda: conversation(store, session),
                f"a screen of {ROWS} entries, painted for the first time": lambda: [
                    entry_lines(entry, WIDTH, ReadingMode(), is_unfolded=False, has_gap=True)
                    for entry in shown
                ],
            }
            rows = [(name, ms(middle([_spent(do) for _ in range(ROUNDS)]))) for name, do in work.items()]
    return Section(
        "A conversation",
        f"CPU milliseconds for a session of {TURNS * STEPS:,} steps in {TURNS} turns.",
        ("what", "ms"),
        rows,
    )


def _spent(do: Callable[[], object]) -> float:
    start = process_time()
    do()
    return (process_time() - start) * 1_000


def _records() -> Iterator[dict[str, Any]]:
    number = 0

    def record(kind: str, **more: Any) -> dict[str, Any]:
        nonlocal number
        number += 1
        at = f"2026-02-02T{2 + number // 3_600:02}:{number // 60 % 60:02}:{number % 60:02}.000Z"
        common = {"type": kind, "uuid": f"u-{number}", "sessionId": SESSION, "timestamp": at}
        return common | {"cwd": "/home/dev/atlas", "isSidechain": False} | more

    def said(*blocks: dict[str, Any]) -> dict[str, Any]:
        message = {"id": f"m-{number}", "role": "assistant", "content": list(blocks)}
        return record("assistant", message=message)

    for turn in range(TURNS):
        prompt = {"role": "user", "content": f"{turn}: please look at the tokens again"}
        yield record("user", message=prompt, promptId=f"p-{turn}")
        for step in range(STEPS):
            key, given = f"t-{number}", {"command": f"pytest -q tests/{number}"}
            name = "Bash"
            if step % 2:
                path = f"/home/dev/atlas/part_{step}.py"
                given = {"file_path": path, "old_string": f"a = {turn}\n", "new_string": f"a = {key}\n"}
                name = "Edit"
            yield said({"type": "tool_use", "id": key, "name": name, "input": given})
            answer = {"type": "tool_result", "tool_use_id": key, "content": f"{step} passed\n" * 30}
            yield record("user", message={"role": "user", "content": [answer]})
        text = REPLY.format(number, "- a point with `code`, which was decided\n" * 12)
        yield said({"type": "text", "text": text})
        yield record("system", subtype="stop_hook_summary")
