"""`mem queue`: what could not be stored is listed with its reason, tried again, or dropped."""

import apsw
import pytest

from memtui.store import Store

from ..runner import Mem


def spool(mem: Mem, event: bytes, agent: str = "codex") -> None:
    """Have a hook leave an event."""
    assert mem.process("hook", agent, input=event).returncode == 0


@pytest.fixture
def broken(mem: Mem) -> Mem:
    """A memory with an event that could not be stored, and a message that failed."""
    mem.ok("add", "There is a memory")
    spool(mem, b'{"hook_event_name": "Stop"}')
    spool(mem, b"no json \x1b[31m")
    with Store.open(mem.db) as store:
        message = store.pending.add("c-1", tool_name="Bash")
        store.db.execute(
            "UPDATE pending_messages SET status = 'abandoned', error = 'no' WHERE id = ?", (message,)
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
    assert "not valid JSON" in listed[1]["error"]
    assert "\x1b" not in broken.ok("queue", "list")
    assert len(broken.json("queue", "list", "--status", "quarantined")) == 2
    assert len(broken.json("queue", "list", "--status", "abandoned")) == 1


@pytest.mark.parametrize("verb", ["retry", "drop"])
def test_an_id_that_no_row_can_have_is_refused(broken: Mem, verb: str) -> None:
    result = broken("queue", verb, "9" * 22)
    assert result.exit_code == 2
    assert "is not an id" in result.stderr


def test_the_queue_tells_what_a_message_is_about(mem: Mem) -> None:
    with Store.open(mem.db) as store:
        store.pending.add("c-1", tool_name="Bash", tool_input="make test\n" + "x" * 500)
        store.pending.add("c-1", "summary", last_user_message="why does it fail")
    first, second = (line.split("\t")[-1] for line in mem.ok("queue", "list").splitlines())
    assert first.startswith("make test") and len(first) < 300
    assert second == "why does it fail"
    assert mem.json("queue", "list")[0]["tool_input"].endswith("x" * 500)


def test_what_is_done_does_not_hide_what_waits(mem: Mem) -> None:
    with Store.open(mem.db) as store:
        for _ in range(3):
            store.pending.add("c-1", tool_name="Bash")
        store.db.execute("UPDATE pending_messages SET status = 'processed' WHERE id < 3")
    assert [one["id"] for one in mem.json("queue", "list", "--limit", "1")] == [3]
    assert len(mem.json("queue", "list", "--status", "processed")) == 2


def test_the_limit_is_for_all_that_is_listed(broken: Mem) -> None:
    assert [one["id"] for one in broken.json("queue", "list", "--limit", "2")] == ["q1", "q2"]


def test_an_unknown_status_is_wrong_usage(mem: Mem) -> None:
    assert "quarantined" in mem.refused("queue", "list", "--status", "lost", code=2)


def test_where_nothing_waits_no_empty_table_is_shown(mem: Mem) -> None:
    mem.ok("add", "There is a memory")
    shown = mem.on_terminal("queue", "list")
    assert "Nothing waits." in shown
    assert "tries" not in shown


def test_before_there_is_a_memory_nothing_waits(mem: Mem) -> None:
    result = mem("queue", "list")
    assert (result.exit_code, result.stderr) == (0, "Nothing waits.\n")
    assert mem.json("queue", "list") == []
    assert not mem.db.exists()


def test_trying_again_where_nothing_failed_says_so(mem: Mem) -> None:
    mem.ok("add", "There is a memory")
    assert mem("queue", "retry", "--all").stderr == "Nothing had failed.\n"


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
