"""`mem queue`: what could not be stored is listed with its reason, tried again, or dropped."""

from __future__ import annotations

import os

import apsw
import pytest

from store import Store
from store.capture import appending

from .commands import Mem


def spool(mem: Mem, event: bytes, agent: str = "codex") -> None:
    """Append a record as a hook does."""
    database = os.fsencode(mem.db)
    line = appending.record(agent, event, b"/work", 0)
    appending.append(database, database + b"-spool", line)


@pytest.fixture
def broken(mem: Mem) -> Mem:
    """A memory with an event that could not be stored, and a message that failed."""
    mem.ok("add", "There is a memory")
    spool(mem, b'{"hook_event_name": "Stop"}')
    spool(mem, b"no json \x1b[31m")
    with Store.open(mem.db) as store:
        message = store.pending.add("c-1", tool_name="Bash")
        store.db.execute(
            "UPDATE pending_messages SET status = 'abandoned', error = 'no' WHERE id = ?",
            (message.id,),
        )
    mem.ok("stats")
    return mem


def test_any_command_that_reads_stores_what_hooks_have_left(mem: Mem) -> None:
    mem.ok("add", "There is a memory")
    prompt = b'{"hook_event_name": "UserPromptSubmit", "session_id": "1", "prompt": "why"}'
    spool(mem, prompt)
    assert mem.json("stats")["prompts"] == 1
    spool(mem, prompt.replace(b"why", b"how"))
    assert "how" in mem.process("search", "how").stdout.decode()


def test_the_queue_lists_what_failed_with_its_reason(broken: Mem) -> None:
    listed = broken.json("queue", "list")
    assert [(one["id"], one["status"]) for one in listed] == [
        ("q1", "quarantined"), ("q2", "quarantined"), (1, "abandoned"),
    ]  # fmt: skip
    assert "session_id" in listed[0]["error"]
    assert "no JSON" in listed[1]["error"]
    assert "\x1b" not in broken.ok("queue", "list")
    assert len(broken.json("queue", "list", "--status", "quarantined")) == 2
    assert len(broken.json("queue", "list", "--status", "abandoned")) == 1


def test_the_doctor_is_not_well_while_events_are_quarantined(broken: Mem) -> None:
    assert broken("doctor").exit_code == 1
    broken.ok("queue", "drop", "--all")
    broken.ok("doctor")
    assert broken.json("queue", "list") == []


def test_what_fails_again_stays_and_is_told(broken: Mem) -> None:
    result = broken("queue", "retry", "q1", "1")
    assert "1 failed again" in result.stderr
    assert result.exit_code == 1
    listed = {one["id"]: one for one in broken.json("queue", "list")}
    assert listed["q1"]["attempts"] == 2
    assert listed[1]["status"] == "pending"


def test_what_can_be_stored_now_is_stored(mem: Mem) -> None:
    mem.ok("add", "There is a memory")
    with Store.open(mem.db) as store:
        store.db.execute(
            "CREATE TRIGGER refuse BEFORE INSERT ON prompts BEGIN SELECT raise(ABORT, 'not now'); END"
        )
    spool(mem, b'{"hook_event_name": "UserPromptSubmit", "session_id": "1", "prompt": "why"}')
    assert "not now" in mem.json("queue", "list")[0]["error"]
    db = apsw.Connection(str(mem.db))
    db.execute("DROP TRIGGER refuse")
    db.close()
    assert mem.json("queue", "retry", "--all")["stored"] == 1
    assert mem.json("stats")["prompts"] == 1
    assert mem.json("queue", "list") == []


@pytest.mark.parametrize("words", [["retry"], ["drop"], ["retry", "x1"], ["drop", "q"]])
def test_ids_have_to_be_given(mem: Mem, words: list[str]) -> None:
    mem.refused("queue", *words, code=2)


@pytest.mark.parametrize("ref", ["q7", "7"])
def test_an_unknown_id_is_told(broken: Mem, ref: str) -> None:
    assert "mem queue list" in broken.refused("queue", "drop", ref)
    assert "mem queue list" in broken.refused("queue", "retry", ref)
