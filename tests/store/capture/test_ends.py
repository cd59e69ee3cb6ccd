"""Whatever cuts the end of a session, its summary is there when the next one starts."""

import json
from typing import Any

import pytest

from memtui.store import Store
from memtui.store.capture.ingest.catch_up import open_caught_up
from memtui.store.observe.jobs.worker import worker_lock
from memtui.store.platform.clock import now_ms

from .cut_hooks import POINTS, run_cut
from .ended_sessions import KINDS, copilot_transcript, spool_event
from .ended_sessions import told as said
from .hooks import Machine, Start, session_start

CLAUDE: list[dict[str, Any]] = [
    {"hook_event_name": "UserPromptSubmit", "prompt": "why does the clock drift?"},
    {
        "hook_event_name": "PostToolUse",
        "tool_name": "Bash",
        "tool_use_id": "t-1",
        "tool_input": {"command": "make build"},
        "tool_response": {"stdout": "built"},
    },
    {"hook_event_name": "Stop", "last_assistant_message": "The root cause was the leap table."},
]
END = {"hook_event_name": "SessionEnd", "reason": "exit"}


def told(machine: Machine, *events: dict[str, Any], session: str = "c-1") -> list[dict[str, Any]]:
    """Events as Claude Code tells them, of a session in the machine's project."""
    return [{"session_id": session, "cwd": str(machine.folder / "project")} | one for one in events]


def start(machine: Machine, session: str = "c-2") -> str:
    """What a session is given that starts now."""
    event = session_start(session) | {"cwd": str(machine.folder / "project")}
    return machine.run(Start(json.dumps(event).encode())).out.decode()


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.sampled
def test_what_a_cut_end_leaves_is_done_by_the_next_start(machine: Machine, point: str) -> None:
    machine.hook(*told(machine, *CLAUDE))
    run_cut(machine, told(machine, END)[0], point, has_job=False)
    assert "leap table" in start(machine)
    with Store.open(machine.database) as store:
        ends = [one for one in store.pending.list() if one.kind == "summary"]
        assert [one.status for one in ends] == ["processed"]
        assert len(store.summaries.recent()) == 2


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.sampled
def test_what_a_cut_end_leaves_is_done_by_a_process_of_its_own(machine: Machine, point: str) -> None:
    machine.hook(*told(machine, *CLAUDE))
    run_cut(machine, told(machine, END)[0], point, has_job=True)
    with Store.open(machine.database) as store:
        while {one.status for one in store.pending.list()} != {"processed"}:
            pass
        assert len(store.summaries.recent()) == 2


def test_no_message_is_blamed_for_cuts(machine: Machine) -> None:
    machine.hook(*told(machine, *CLAUDE))
    run_cut(machine, told(machine, END)[0], "amid the work", has_job=False)
    for number in range(4):
        (event,) = told(machine, session_start(f"c-{number + 2}"), session=f"c-{number + 2}")
        run_cut(machine, event, "amid the work", has_job=False)
    with Store.open(machine.database) as store:
        assert "abandoned" not in store.pending.counts()
    assert "leap table" in start(machine, "c-9")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.sampled
def test_each_session_is_told_what_the_last_one_came_to(machine: Machine, kind: str) -> None:
    earlier, later = KINDS[kind](machine, 1), KINDS[kind](machine, 2)
    earlier.begin(machine)
    earlier.end(machine)
    given = later.begin(machine)
    with open_caught_up(machine.database) as store:
        found = [f"{one.request} {one.learned} {one.completed}" for one in store.summaries.recent()]
        assert any(said(1) in text for text in found)
        assert store.pending.list("pending") == []
    assert said(1) in given or later.first is None


def test_a_reply_read_late_belongs_to_the_prompt_of_its_time(machine: Machine) -> None:
    begun = now_ms() - 60_000
    common = {"sessionId": "p-1", "cwd": str(machine.folder / "project")}
    name = machine.home / ".copilot" / "session-state" / "p-1" / "events.jsonl"
    name.parent.mkdir(parents=True)
    name.write_text(copilot_transcript("p-1", begun, ["one", "two"], apart=20_000))
    stop = {**common, "stopReason": "end_turn", "transcriptPath": str(name)}
    for event in (
        {"timestamp": begun + 1, "prompt": "first"},
        {"timestamp": begun + 10_000, **stop},
        {"timestamp": begun + 20_001, "prompt": "second"},
        {"timestamp": begun + 30_000, **stop},
        {"timestamp": begun + 40_000, "prompt": "third"},
    ):
        spool_event(machine, "copilot", common | event)
    with open_caught_up(machine.database) as store:
        replies = [one for one in store.pending.list() if one.kind == "summary"]
        assert [one.prompt_number for one in replies] == [1, 2]


def test_commands_that_read_make_memory_of_what_waits(machine: Machine) -> None:
    session = KINDS["claude-code"](machine, 1)
    for event in session.between:
        spool_event(machine, session.agent, event)
    with open_caught_up(machine.database, observing=False) as store:
        assert store.summaries.recent() == []
    with open_caught_up(machine.database) as store, worker_lock(store.path):
        assert len(store.summaries.recent()) == 2
        spool_event(machine, session.agent, KINDS["claude-code"](machine, 2).between[-1])
        with open_caught_up(machine.database) as reader:
            # Another process is at work, and is not waited for.
            assert len(reader.summaries.recent()) == 2
    with open_caught_up(machine.database) as store:
        assert len(store.summaries.recent()) == 4


def test_a_command_to_the_agent_itself_is_no_prompt(machine: Machine) -> None:
    (event, *_) = KINDS["gemini"](machine, 1).between
    commands = ("/compress", " /compact keep the plan ", "/clear")
    for number, text in enumerate((*commands, "/compressed images", "/review compact")):
        spool_event(machine, "gemini", {**event, "prompt": text, "timestamp": None} | {"n": number})
    machine.drained()
    assert machine.prompts() == ["/compressed images", "/review compact"]
