"""Small transcripts of Claude Code, record by record, as the program writes them."""

import json
from pathlib import Path
from typing import Any

SESSION = "5e551011-0000-4000-8000-000000000001"
FORK = "5e551011-0000-4000-8000-000000000002"

Record = dict[str, Any]


def record(kind: str, number: int, **more: Any) -> Record:
    """A record; its number makes its id and its time."""
    common = {
        "type": kind,
        "uuid": f"u-{number}",
        "sessionId": SESSION,
        "cwd": "/home/dev/atlas",
        "isSidechain": False,
        "timestamp": at(number),
    }
    return common | more


def at(number: int) -> str:
    return f"2026-02-02T02:{number // 60:02}:{number % 60:02}.000Z"


def asked(number: int, text: object, **more: Any) -> Record:
    return record("user", number, message={"role": "user", "content": text}, **more)


def answered(number: int, message: str, *blocks: Record, out: int = 0, **more: Any) -> Record:
    usage = {"input_tokens": 10, "output_tokens": out, "cache_read_input_tokens": 5}
    told = {"id": message, "role": "assistant", "content": list(blocks), "usage": usage}
    return record("assistant", number, message=told, **more)


def text(words: str) -> Record:
    return {"type": "text", "text": words}


def call(key: str, name: str = "Bash", **given: Any) -> Record:
    return {"type": "tool_use", "id": key, "name": name, "input": given}


def result(number: int, key: str, content: object = "done", *, error: bool = False) -> Record:
    block = {"type": "tool_result", "tool_use_id": key, "content": content, "is_error": error}
    return asked(number, [block])


def queued(number: int, operation: str, **more: Any) -> Record:
    told = {"type": "queue-operation", "operation": operation, "sessionId": SESSION}
    return told | {"timestamp": at(number)} | more


def compacted(number: int, summary: str) -> list[Record]:
    head = "This session is being continued from a previous conversation that ran out of context. "
    head += "The summary below covers the earlier portion of the conversation.\n\nSummary:\n"
    tail = "\n\nIf you need specific details from before compaction, read the full transcript."
    return [
        record("system", number, subtype="compact_boundary", content="Conversation compacted"),
        asked(number + 1, f"{head}{summary}{tail}", isCompactSummary=True),
    ]


WORK = [
    {"type": "mode", "mode": "normal", "sessionId": SESSION},
    asked(1, "fix the login", promptId="p-1"),
    answered(2, "m-1", {"type": "thinking", "thinking": "…"}, out=2),
    answered(3, "m-1", text("I look first."), call("t-1", command="ls"), out=3),
    answered(4, "m-1", call("t-2", "Read", file_path="/a.py"), out=30),
    result(5, "t-1", "a.py"),
    queued(6, "enqueue", content="and test it"),
    result(7, "t-2", "no such file", error=True),
    queued(8, "remove"),
    answered(9, "m-2", text("Fixed."), text("Tested."), out=7),
    record("system", 10, subtype="stop_hook_summary"),
    *compacted(11, "The login is fixed."),
    asked(13, "<command-name>/clear</command-name>"),
    asked(14, "thanks", promptId="p-2"),
    answered(15, "m-3", text("You are welcome."), out=4),
    answered(16, "m-4", call("t-3", "Write", file_path="/b.py"), out=9),
]
"""A session with two prompts, one typed on the way, three calls, one of them open, a compaction."""


def forked(records: list[Record]) -> list[Record]:
    """Those that have an id as a fork repeats them: under its own session, all in its own turn."""
    return [
        one | {"sessionId": FORK} | ({"promptId": "p-fork"} if "promptId" in one else {})
        for one in records
        if "uuid" in one
    ]


def write(path: Path, records: list[Record], mode: str = "w") -> Path:
    """A file of these records, a line each."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open(mode, encoding="utf-8") as file:
        file.writelines(json.dumps(one) + "\n" for one in records)
    return path
