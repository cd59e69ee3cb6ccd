"""The end of a session makes memory of it, in the hook's own process or, with a model, beside it."""

import json
from typing import Any

from memtui.store import Store
from tests.store.observe.scripted_model import good, said
from tests.store.scripted_server import serving

from .hooks import Ended, Machine, Start, session_start

EVENTS: list[dict[str, Any]] = [
    {"hook_event_name": "UserPromptSubmit", "prompt": "why does the clock drift?"},
    {
        "hook_event_name": "PostToolUse",
        "tool_name": "Bash",
        "tool_use_id": "t-1",
        "tool_input": {"command": "make build"},
        "tool_response": {"stdout": "built"},
    },
    {"hook_event_name": "Stop", "last_assistant_message": "It drifted; it is fixed."},
    {"hook_event_name": "SessionEnd", "reason": "exit"},
]


def session(machine: Machine, **variables: str | None) -> None:
    """A session from its first prompt to its end, as hooks tell it."""
    for event in EVENTS:
        told = {"session_id": "c-1", "cwd": str(machine.folder / "project")} | event
        ended = machine.run(Start(json.dumps(told).encode(), variables=variables))
        assert ended == Ended(0, b"", b"")


def test_a_session_that_ends_is_processed_and_summed_up(machine: Machine) -> None:
    session(machine)
    with Store.open(machine.database) as store:
        while store.pending.list("pending"):
            # What one hook had no time for is the next one's.
            machine.run(Start(json.dumps(session_start("c-2")).encode()))
        assert {one.status for one in store.pending.list()} == {"processed"}
        assert sorted(one.level for one in store.summaries.recent()) == ["brief", "detailed"]
        latest = store.summaries.latest()
        assert latest is not None and "clock drift" in (latest.request or "")


def test_what_a_session_s_end_has_no_time_for_is_done_by_a_process_that_ends_by_itself(
    machine: Machine,
) -> None:
    session(machine, MEMTUI_HOOK_SECONDS="0.001")
    while not machine.database.exists():
        pass
    with Store.open(machine.database) as store:
        while not store.pending.list() or store.pending.list("pending"):
            pass
        assert {one.status for one in store.pending.list()} == {"processed"}
        assert len(store.summaries.recent()) == 2


def test_a_model_is_asked_by_a_process_of_its_own(machine: Machine) -> None:
    config = machine.home / "config.toml"
    with serving() as server:
        server.answers = lambda body: said(good(body))
        config.write_text(f'[observer]\nkind = "openai"\nurl = "{server.url}"\nmodel = "tiny"\n')
        session(machine, MEMTUI_CONFIG=str(config))
        with Store.open(machine.database) as store:
            while {one.status for one in store.pending.list()} != {"processed"}:
                pass
            assert {one.outcome for one in store.pending.list()} == {"model tiny"}
            assert store.observations.recent()[0].title == "Found the drift 0"
        assert len(server.bodies) == 1


def test_a_configuration_that_cant_be_read_keeps_what_waits_and_the_rules_record(machine: Machine) -> None:
    config = machine.home / "config.toml"
    config.write_text("[observer")
    session(machine, MEMTUI_CONFIG=str(config))
    with Store.open(machine.database) as store:
        assert {one.status for one in store.pending.list()} == {"pending"}
        assert len(store.observations.recent()) == 1
        assert len(store.summaries.recent()) == 2


def test_an_agent_that_observes_is_not_observed(machine: Machine) -> None:
    session(machine, MEMTUI_OBSERVER="1")
    assert not machine.database.exists() and not machine.spool.exists()
