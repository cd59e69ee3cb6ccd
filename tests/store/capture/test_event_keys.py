"""No key by which an event is known says what was said."""

import json
import re
from pathlib import Path
from typing import Any

import apsw
import pytest

from memtui.store import Store
from memtui.store.agents.registry import events_of
from memtui.store.capture.ingest.pipeline import ingest_event
from memtui.store.formats.export import export_to
from memtui.store.maintain.importing import run
from memtui.store.records.events import SpoolRecord, event_key
from tests.conftest import OpenStore

from .payloads import payloads

SAID = "Quokkas nibble marmalade; 考拉 sleeps"
WORDS = ("Quokkas", "nibble", "marmalade", "考拉")


def told(agent: str) -> list[dict[str, Any]]:
    """An agent's events, in which every text that somebody said is ours."""
    as_json = json.dumps(payloads()[agent])
    return list(json.loads(re.sub(r'"fix(ed| it)"', json.dumps(SAID).replace("\\", r"\\"), as_json)))


def stop() -> SpoolRecord:
    """The end of a turn, as Claude Code's hook tells it."""
    event = {
        "hook_event_name": "Stop", "session_id": "c-1", "prompt_id": "t-1", "cwd": "/srv/project",
        "last_assistant_message": SAID,
    }  # fmt: skip
    return SpoolRecord(1_770_000_000_000, 0, "claude-code", frozenset(), "/srv/project", event)


def ids(db: apsw.Connection) -> str:
    """All that names events, as one text."""
    keys = [str(key) for (key,) in db.execute("SELECT key FROM captured_events")]
    for table in ("pending_messages", "observations"):
        keys += [str(one) for (one,) in db.execute(f"SELECT event_id FROM {table}")]
    return "\n".join(keys)


@pytest.mark.parametrize("agent", payloads())
def test_no_agents_events_have_keys_that_hold_text(store: Store, agent: str) -> None:
    for step, event in enumerate(told(agent)):
        record = SpoolRecord(1_770_000_000_000 + step, 0, agent, frozenset(), "/work", event)
        for one in events_of(record):
            ingest_event(store, one, "hook")
    assert ids(store.db)
    assert not [word for word in WORDS if word in ids(store.db)]


def test_a_reply_is_known_by_its_turn_and_all_it_says(store: Store) -> None:
    (event,) = events_of(stop())
    assert ingest_event(store, event, "hook")
    assert not ingest_event(store, event, "hook")


@pytest.mark.parametrize(
    ("kind", "key"),
    [
        ("tool", "toolu_01A"), ("prompt", "5f3c-11"), ("reply", "msg_12"), ("tool", "call|fc:1/2="),
        ("tool", "1770000000000 0123456789abcdef"), ("prompt", "e-1 2026-01-01T00:00:00Z 0123456789abcdef"),
    ],
)  # fmt: skip
def test_an_id_stays_what_it_is(kind: str, key: str) -> None:
    assert event_key(kind, key) == key


@pytest.mark.parametrize(
    ("kind", "key"),
    [
        ("reply", "t-1 yes"), ("reply", "t-1 0123456789abcdef"), ("reply", "t-1 "), ("tool", "run it"),
        ("tool", "a\nb"), ("prompt", "考拉"), ("tool", "x" * 300), ("prompt", "a b c 0123456789abcdef"),
    ],
)  # fmt: skip
def test_what_is_no_id_becomes_a_hash_that_stays_what_it_is(kind: str, key: str) -> None:
    hashed = event_key(kind, key)
    assert re.fullmatch("[0-9a-f]{32}", hashed)
    assert event_key(kind, hashed) == hashed
    assert event_key(kind, key + "!") != hashed


def test_keys_of_older_exports_are_hashed_when_they_come_in(tmp_path: Path, open_store: OpenStore) -> None:
    store = open_store()
    (event,) = events_of(stop())
    ingest_event(store, event, "hook")
    path = tmp_path / "export.jsonl"
    export_to(store, "jsonl", path)
    text = path.read_text()
    assert SAID not in "\n".join(line for line in text.splitlines() if '"captured_events"' in line)
    hashed = event_key("reply", f"t-1 {SAID}")
    assert hashed in text
    older = tmp_path / "older.jsonl"
    older.write_text(text.replace(hashed, f"t-1 {SAID}"))
    for file in (path, older):
        other = open_store(tmp_path / f"{file.stem}.db")
        run(other, "jsonl", file, None)
        assert not [word for word in WORDS if word in ids(other.db)]
        assert not ingest_event(other, event, "hook")
