"""What a session was given is noted, and the note never stands in the answer's way."""

import json
import time

import apsw
import pytest

from memtui.store import Store
from memtui.store.context import log
from memtui.store.context.log import append_log_entry
from memtui.store.context.log_entries import LogEntry, log_entries
from memtui.store.context.wrapper import Context

from .hooks import Machine, Start, prompt, session_start


def start(machine: Machine, session: str = "s-1") -> str:
    """What the hook prints at a session's start."""
    ended = machine.run(Start(json.dumps(session_start(session)).encode(), ("claude-code",)))
    assert (ended.code, ended.err) == (0, b"")
    return ended.out.decode()


def noted(machine: Machine) -> list[LogEntry]:
    with Store.open(machine.database) as store:
        return log_entries(store)


def test_a_start_is_noted_with_its_session_and_memories(machine: Machine) -> None:
    machine.remember("a lesson")
    assert "a lesson" in start(machine)
    (one,) = noted(machine)
    assert (one.agent, one.session, one.refs) == ("claude-code", "s-1", ("1",))
    assert one.tokens > 20


def test_a_start_with_events_waiting_is_noted_once(machine: Machine) -> None:
    machine.remember("a lesson")
    machine.hook(prompt("fix the parser"))
    assert "a lesson" in start(machine)
    assert [one.session for one in noted(machine)] == ["s-1"]


def test_a_start_that_is_told_nothing_is_not_noted(machine: Machine) -> None:
    with Store.open(machine.database):
        pass
    assert start(machine) == ""
    assert noted(machine) == []


def test_a_locked_memory_answers_without_the_note(machine: Machine) -> None:
    machine.remember("a lesson")
    db = apsw.Connection(str(machine.database))
    db.execute("BEGIN IMMEDIATE")
    assert start(machine).count("a lesson") == 1
    db.execute("ROLLBACK")
    db.close()
    assert noted(machine) == []


def test_only_the_newest_notes_are_kept(store: Store) -> None:
    for number in range(log.KEPT + 3):
        assert append_log_entry(store.db, "codex", f"s-{number}", "atlas", Context("text", ["1", "s2"]))
    found = log_entries(store, limit=10_000)
    assert len(found) == log.KEPT
    assert (found[0].session, found[0].refs) == (f"s-{log.KEPT + 2}", ("1", "s2"))
    assert log_entries(store, "other") == []


def test_a_session_with_an_odd_name_is_no_error(store: Store) -> None:
    assert not append_log_entry(store.db, "codex", "\ud800", "atlas", Context("text", ["1"]))
    assert append_log_entry(store.db, "codex", "x" * 5_000, "atlas", Context("text", ["1"]))


def test_hooks_that_are_registered_three_times_give_one_answer(machine: Machine) -> None:
    machine.remember("a lesson")
    event = json.dumps(session_start("s-1")).encode()
    running = [machine.begin(Start(event, ("claude-code",))) for _ in range(3)]
    answers = [process.communicate(event)[0] for process in running]
    assert sorted(map(bool, answers)) == [False, False, True]
    assert len(noted(machine)) == 1
    # Another session, and the same one for another reason, are another matter.
    assert "a lesson" in start(machine, "s-2")
    again = json.dumps(session_start("s-1") | {"source": "clear"}).encode()
    assert b"a lesson" in machine.run(Start(again, ("claude-code",))).out
    assert [one.occasion for one in noted(machine)] == ["clear", "startup", "startup"]


def test_a_start_is_told_again_some_time_later(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    given = Context("text", ["1"])
    at = iter((0, 4_000, 60_000))
    monkeypatch.setattr(time, "time_ns", lambda: 1_770_000_000_000_000_000 + next(at) * 1_000_000)
    said = [append_log_entry(store.db, "codex", "s-1", "atlas", given, "resume") for _ in range(3)]
    assert [one is False for one in said] == [False, True, False]
