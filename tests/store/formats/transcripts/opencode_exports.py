"""Sessions of OpenCode in each of the forms in which it has kept them."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import apsw

START = 1_770_000_000_000

Record = dict[str, Any]

TABLES = """
CREATE TABLE session (
    id text PRIMARY KEY, parent_id text, directory text, title text, time_created integer
);
CREATE TABLE message (id text PRIMARY KEY, session_id text, time_created integer, data text);
CREATE TABLE part (
    id text PRIMARY KEY, message_id text, session_id text, time_created integer, data text
);
"""
TABLES_2 = """
CREATE TABLE session_v2 (
    id text PRIMARY KEY, parent_id text, directory text, title text, time_created integer
);
CREATE TABLE session_message (
    id text PRIMARY KEY, session_id text, type text, seq integer, time_created integer, data text
);
"""


def info(key: str, role: str, second: int, **more: Any) -> Record:
    """What a message is; an answer has come to its end."""
    moments = {"created": START + second * 1_000}
    about: Record = {"id": key, "role": role, "time": moments}
    if role == "assistant":
        cache = {"read": 60, "write": 5}
        moments["completed"] = START + second * 1_000 + 500
        about["tokens"] = {"input": 40, "output": 20, "reasoning": 3, "total": 128, "cache": cache}
        about["finish"] = "stop"
    return about | more


def words(said: str, **more: Any) -> Record:
    return {"type": "text", "text": said, **more}


def tool(key: str, status: str = "completed", **state: Any) -> Record:
    about = {"status": status, "input": {"command": "ls"}, "output": "a.py", "title": "ls"}
    return {"type": "tool", "tool": "bash", "callID": key, "state": about | state}


def message(told: Record, *parts: Record) -> Record:
    """A message as `opencode export` writes it."""
    return {"info": told, "parts": list(parts)}


def session(key: str = "ses_1", **more: Any) -> Record:
    about = {"id": key, "directory": "/home/dev/atlas", "title": "Mend the login"}
    return about | {"time": {"created": START}} | more


TALK = [
    message(info("m1", "user", 0), words("fix the login"), words("a file", synthetic=True)),
    message(
        info("m2", "assistant", 1, finish="tool-calls"),
        {"type": "step-start"},
        words("let me look"),
        tool("c1"),
        tool("c2", "error", error="no such file", output=None),
    ),
    message(info("m3", "assistant", 2), words("fixed")),
    message(info("m4", "user", 3), {"type": "compaction", "auto": True}),
    message(info("m5", "assistant", 4, summary=True), words("so far")),
    message(info("m6", "user", 5), words("thanks")),
    message(info("m7", "assistant", 6, finish=None), tool("c3", "running", output=None)),
]


def export(path: Path, about: Record, messages: Sequence[Record]) -> Path:
    """A file as `opencode export` writes it."""
    path.write_text(json.dumps({"info": about, "messages": messages}), encoding="utf-8")
    return path


def storage(home: Path, about: Record, messages: Sequence[Record]) -> Path:
    """A session in folders, as before 1.2; the path of its own file."""
    path = home / "storage/session/project" / f"{about['id']}.json"
    written = {path: about}
    for each in messages:
        key = each["info"]["id"]
        written[home / "storage/message" / about["id"] / f"{key}.json"] = each["info"]
        for number, part in enumerate(each["parts"]):
            written[home / "storage/part" / key / f"prt_{number}.json"] = part
    for place, value in written.items():
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(json.dumps(value), encoding="utf-8")
    return path


def database(path: Path, about: Record, messages: Sequence[Record]) -> Path:
    """A database of version 1, or a session more in it."""
    with apsw.Connection(str(path)) as db:
        if not db.execute("SELECT count(*) FROM sqlite_schema").get:
            db.execute(TABLES)
        db.execute("INSERT INTO session VALUES (?, ?, ?, ?, ?)", row_of(about))
        for each in messages:
            key, at = each["info"]["id"], each["info"]["time"]["created"]
            data = {name: value for name, value in each["info"].items() if name != "id"}
            values = (key, about["id"], at, json.dumps(data))
            db.execute("INSERT INTO message VALUES (?, ?, ?, ?)", values)
            for number, part in enumerate(each["parts"]):
                one = (f"{key}-{number}", key, about["id"], at, json.dumps(part))
                db.execute("INSERT INTO part VALUES (?, ?, ?, ?, ?)", one)
    db.close()
    return path


def database_2(path: Path, about: Record, rows: Sequence[tuple[str, str, Record]]) -> Path:
    """A database of version 2: each row with its id, type and data."""
    with apsw.Connection(str(path)) as db:
        db.execute(TABLES_2)
        db.execute("INSERT INTO session_v2 VALUES (?, ?, ?, ?, ?)", row_of(about))
        for number, (key, kind, data) in enumerate(rows):
            values = (key, about["id"], kind, number, START + number, json.dumps(data))
            db.execute("INSERT INTO session_message VALUES (?, ?, ?, ?, ?, ?)", values)
    db.close()
    return path


def row_of(about: Record) -> tuple[object, ...]:
    parent, created = about.get("parentID"), about["time"]["created"]
    return about["id"], parent, about["directory"], about["title"], created
