"""Jobs by the rules: what waits becomes memory, each once, and what fails says why."""

from pathlib import Path

import pytest

from memtui.store import Session, Store
from memtui.store.observe.jobs import job, rule_observer
from memtui.store.observe.jobs.findings import (
    LeaseLostError,
    MessageFinding,
    SummariesByLevel,
    store_observations,
)
from memtui.store.observe.jobs.job import process
from memtui.store.observe.jobs.worker import CrashMarker, release_blameless, worker_lock
from memtui.store.platform.clock import now_ms
from memtui.store.platform.paths import make_spool_directory
from memtui.store.records.rows import PendingMessage
from memtui.store.tables import queue as queue
from tests.promises import promise
from tests.store.observe.conftest import BootClock
from tests.store.observe.turns import FIX, TEST, take_turn

DAY_MS = 86_400_000


def statuses(store: Store) -> list[tuple[str, str | None]]:
    return [(one.status, one.outcome) for one in store.pending.list()]


def test_what_hooks_left_is_processed_and_its_payload_is_not_kept(store: Store) -> None:
    take_turn(store, FIX, TEST)
    before = store.observations.recent()
    done = process(store, None)
    assert (done.recorded, done.settled, done.messages) == (1, 2, 3)
    assert statuses(store) == [("processed", "rules")] * 3
    assert store.observations.recent() == before
    assert {(one.tool_input, one.tool_response) for one in store.pending.list()} == {(None, None)}
    assert {one.last_assistant_message for one in store.pending.list()} == {None}
    assert sorted(one.level for one in store.summaries.recent()) == ["brief", "detailed"]


def test_a_summary_goes_on_with_its_session_and_is_the_last_one_then(store: Store) -> None:
    take_turn(store, FIX, reply="It drifts.", at=1_000)
    process(store, None)
    take_turn(store, TEST, session="c-2", at=2_000)
    process(store, None)
    take_turn(store, TEST, prompt="is it tested?", reply="It is tested now.", at=3_000)
    process(store, None)
    found = store.summaries.of_session(store.sessions.get("c-1"))
    assert sorted(one.level for one in found) == ["brief", "detailed"]
    assert {(one.prompt_number, one.created_at) for one in found} == {(2, 3_000)}
    latest = store.summaries.latest()
    assert latest is not None and latest.session_id == store.sessions.get("c-1").id


def test_a_summary_that_was_edited_or_deleted_is_let_be(store: Store) -> None:
    take_turn(store, FIX)
    process(store, None)
    first, second = store.summaries.where("true ORDER BY id")
    with store.transaction(), store.summaries.journal.recording("summary s1 edited"):
        store.db.execute("UPDATE summaries SET request = 'mine' WHERE id = ?", (first.id,))
    store.summaries.delete(second)
    take_turn(store, TEST, prompt="go on")
    process(store, None)
    assert len(store.summaries.where("true")) == 2
    assert store.summaries.get(first.id).request == "mine"
    assert store.summaries.get(second.id).prompt_number == 1


def test_a_message_without_a_record_gets_one(store: Store) -> None:
    store.pending.add(
        "c-1", tool_name="Bash", tool_input='{"command": "make build"}', event_id="e-1", at=7_000
    )
    process(store, None)
    (found,) = store.observations.recent()
    assert (found.tool_name, found.event_id, found.created_at) == ("Bash", "e-1", 7_000)
    assert "make build" in (found.title or "")
    assert store.pending.list()[0].observation_id == found.id


@pytest.mark.parametrize("odd", ["[1, 2]", "{", "nul", "[" * 5_000, '"\\ud800"', "", None])
def test_an_odd_payload_keeps_nothing_from_being_observed(store: Store, odd: str | None) -> None:
    store.pending.add("c-1", tool_name="Odd", tool_input=odd, tool_response=odd)
    store.pending.add("c-1", tool_name="Bash", tool_input='{"command": "make build"}')
    process(store, None)
    assert store.pending.list()[1].status == "processed"
    assert store.pending.list()[0].status in ("processed", "pending")


@promise("queue-never-sticks")
def test_what_the_rules_fail_on_is_tried_three_times_and_its_reason_kept(
    store: Store, clock: BootClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_store: Store, _session: Session, _message: PendingMessage) -> MessageFinding:
        raise ValueError("beyond any rule")

    monkeypatch.setattr(rule_observer, "observe_message", fail)
    store.pending.add("c-1", tool_name="Bash")
    for attempt in range(1, queue.ATTEMPTS + 1):
        process(store, None)
        (message,) = store.pending.list()
        assert message.attempts == attempt
        process(store, None)
        assert store.pending.list()[0].attempts == attempt, "it waits before it is tried again"
        clock.now += rule_observer.RETRY_MS * attempt
    assert message.status == "abandoned"
    assert message.error == "rule_observer._record: ValueError: beyond any rule"
    monkeypatch.undo()
    store.pending.retry()
    process(store, None)
    assert store.pending.list()[0].status == "processed"


def test_a_hidden_session_becomes_no_memory(store: Store) -> None:
    session = store.sessions.start("c-1")
    store.sessions.set_private(session)
    store.pending.add("c-1", tool_name="Bash", tool_input='{"command": "make build"}')
    store.pending.add("c-1", "summary", last_assistant_message="all done")
    process(store, None)
    assert statuses(store) == [("processed", rule_observer.HIDDEN)] * 2
    assert not store.observations.where("true") and not store.summaries.where("true")


@promise("purge-final")
def test_what_is_purged_takes_its_message_with_it(store: Store) -> None:
    take_turn(store, FIX, reply="")
    with store.transaction():
        store.db.execute("DELETE FROM observations")
    assert store.pending.list() == []


def test_only_one_process_works_at_a_time(store: Store) -> None:
    take_turn(store, FIX)
    with worker_lock(store.path) as first, worker_lock(store.path) as second:
        assert (first, second) == (True, False)
        assert not process(store, None).elected
    assert process(store, None).elected
    assert {status for status, _ in statuses(store)} == {"processed"}


def test_a_job_is_bounded_by_its_time(store: Store) -> None:
    for number in range(3):
        store.pending.add("c-1", tool_name=f"Tool {number}")
    assert process(store, None, seconds=0).messages == 0
    assert process(store, None, limit=2).recorded == 2
    assert process(store, None).recorded == 1


def test_a_memory_that_can_only_be_read_is_left_as_it_is(store: Store) -> None:
    take_turn(store, FIX)
    with Store.open(store.path, read_only=True) as reader:
        assert process(reader, None).messages == 0
    assert statuses(store)[0] == ("pending", None)


def test_results_and_confirmation_are_one_and_a_late_worker_stores_nothing(
    store: Store, clock: BootClock
) -> None:
    store.pending.add("c-1", tool_name="Bash")
    session = store.sessions.get("c-1")
    (late,) = store.pending.claim("late")
    clock.now += queue.LEASE_MS
    (taken,) = store.pending.claim("next")
    summaries: SummariesByLevel = {"brief": {"request": "late"}}
    with pytest.raises(LeaseLostError):
        store_observations(store, session, [MessageFinding({"title": "late"}, late)], summaries, [late])
    assert not store.observations.where("true") and not store.summaries.where("true")
    stored = store_observations(
        store, session, [MessageFinding({"title": "first"}, taken), MessageFinding({"title": "second"})],
        {"detailed": {"request": "in time"}}, [taken],
    )  # fmt: skip
    assert len(stored.observations) == 2 and stored.summaries.keys() == {"detailed"}
    message = store.pending.get(taken.id)
    assert (message.status, message.observation_id) == ("processed", stored.observations[0])


def test_processed_messages_are_forgotten_after_a_week_and_dead_letters_after_a_month(
    store: Store, clock: BootClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("done", "dead"):
        store.pending.add("c-1", tool_name=name)
    done, dead = store.pending.claim("one")
    store.pending.confirm([done], "rules")
    store.pending.refuse(dead, "beyond hope")
    assert job.forget_old(store) == 0
    now = now_ms()
    monkeypatch.setattr(job, "now_ms", lambda: now + 8 * DAY_MS)
    assert job.forget_old(store) == 1
    assert [one.tool_name for one in store.pending.list()] == ["dead"]
    monkeypatch.setattr(job, "now_ms", lambda: now + 31 * DAY_MS)
    assert job.forget_old(store) == 1
    assert store.pending.list() == []


@promise("queue-never-sticks")
def test_a_worker_that_died_between_two_messages_costs_neither_a_try(
    store: Store, clock: BootClock
) -> None:
    store.pending.add("c-1", tool_name="Bash", tool_input='{"command": "make build"}')
    for worker in range(2 * queue.ATTEMPTS):
        # It leaves its note behind, as a process does that is killed.
        CrashMarker(store.path, f"99999999-{worker}").open()
        store.pending.claim(f"99999999-{worker}")
        clock.now += queue.LEASE_MS
        assert process(store, None, limit=0).messages == 0
        with store.transaction():
            release_blameless(store)
        assert store.pending.list()[0].attempts == 0
    process(store, None)
    assert statuses(store) == [("processed", "rules")]
    assert [path.name for path in make_spool_directory(store.path).iterdir()] == ["worker"]


@promise("files-are-ours-only")
def test_what_workers_leave_beside_the_memory_is_the_users_alone(store: Store, clock: BootClock) -> None:
    take_turn(store, FIX)
    CrashMarker(store.path, "0-1").open()
    process(store, None)
    room = make_spool_directory(store.path)
    assert room.stat().st_mode & 0o777 == 0o700
    assert {Path(path).stat().st_mode & 0o777 for path in room.iterdir()} == {0o600}
