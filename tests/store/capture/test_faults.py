"""Whatever is wrong, a hook's process ends well, prints nothing, and loses nothing."""

import json

import pytest

from memtui.store.capture.ingest.spool import lost_events
from tests.promises import promise

from .faults import Fault, faults
from .hooks import Ended, Machine, Start, can_mount, prompt, session_start


@promise("hook-never-blocks")
@pytest.mark.parametrize("fault", faults(), ids=lambda fault: fault.name)
@pytest.mark.sampled
def test_a_hook_ends_well_says_nothing_and_loses_nothing(machine: Machine, fault: Fault) -> None:
    if fault.mounts and not can_mount():
        pytest.skip("this machine grants no mounts of one's own")
    machine.remember("a lesson")
    events = {"first": prompt("first"), "second": session_start("second")}
    for event in events.values():
        with fault.breaking(machine, json.dumps(event).encode()) as start:
            ended = machine.run(start)
        assert (ended.code, ended.err) == (0, b"")
        if event["hook_event_name"] == "SessionStart" and fault.answers and ended.out:
            assert "a lesson" in json.loads(ended.out)["hookSpecificOutput"]["additionalContext"]
        else:
            assert ended.out == b""
    found = {mark: machine.kept(mark) for mark in events}
    assert {mark: len(places) for mark, places in found.items()} == dict.fromkeys(found, fault.tells)


@promise("hook-never-blocks")
def test_a_hook_that_is_told_nothing_counts_it_unless_there_was_nothing(machine: Machine) -> None:
    assert machine.run(Start(b"")) == Ended(0, b"", b"")
    assert lost_events(machine.database) == 0
    assert machine.run(Start(b"", stdin="open")) == Ended(0, b"", b"")
    assert lost_events(machine.database) == 1


@promise("hook-never-blocks")
def test_the_start_of_a_session_is_told_what_is_remembered(machine: Machine) -> None:
    machine.remember("a lesson")
    ended = machine.run(Start(json.dumps(session_start("s-1")).encode()))
    assert (ended.code, ended.err) == (0, b"")
    output = json.loads(ended.out)["hookSpecificOutput"]
    assert output["hookEventName"] == "SessionStart"
    assert "a lesson" in output["additionalContext"]
