"""The queue gives each message to one worker at a time, and never sticks."""

import pytest

from memtui.store import NotFoundError, Store
from memtui.store.tables import queue as queue
from tests.promises import promise


class BootClock:
    """The clock that leases count, set by hand."""

    def __init__(self) -> None:
        self.now = 1_000_000

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> BootClock:
    """A boot clock that stands still until it is moved."""
    clock = BootClock()
    monkeypatch.setattr(queue, "boot_ms", clock)
    return clock


def test_a_message_keeps_what_it_was_given(store: Store) -> None:
    number = store.pending.add("c-1", tool_name="Bash", tool_input="{}", cwd="/x", prompt_number=2)
    added = store.pending.get(number)
    assert (added.status, added.attempts, added.tool_name) == ("pending", 0, "Bash")
    assert store.sessions.get("c-1").id == added.session_id
    with pytest.raises(NotFoundError):
        store.pending.get(99)


@promise("one-row-an-event")
def test_the_same_event_twice_is_one_message(store: Store) -> None:
    first = store.pending.add("c-1", event_id="e-1")
    assert store.pending.add("c-1", event_id="e-1") == first
    assert store.stats().pending == 1


def test_messages_are_claimed_in_order_by_one_worker(store: Store, clock: BootClock) -> None:
    for _ in range(3):
        store.pending.add("c-1")
    assert [message.id for message in store.pending.claim("one", limit=2)] == [1, 2]
    assert [message.id for message in store.pending.claim("two")] == [3]
    assert store.pending.claim("three") == []


def test_a_confirmed_message_is_done(store: Store, clock: BootClock) -> None:
    store.pending.add("c-1")
    assert store.pending.confirm(store.pending.claim("one")) == 1
    assert [message.status for message in store.pending.list()] == ["processed"]
    assert store.pending.list("pending") == []
    clock.now += 10 * queue.LEASE_MS
    assert store.pending.claim("two") == []


@promise("queue-never-sticks")
def test_a_lease_that_ran_out_is_taken_over_and_its_first_owner_refused(
    store: Store, clock: BootClock
) -> None:
    store.pending.add("c-1")
    late = store.pending.claim("one")
    clock.now += queue.LEASE_MS - 1
    assert store.pending.claim("two") == []
    clock.now += 1
    taken = store.pending.claim("two")
    assert store.pending.confirm(late) == 0
    assert store.pending.confirm(taken) == 1


@promise("queue-never-sticks")
def test_a_failed_message_is_tried_again_after_its_pause_and_then_abandoned(
    store: Store, clock: BootClock
) -> None:
    store.pending.add("c-1")
    for attempt in range(1, queue.ATTEMPTS + 1):
        (message,) = store.pending.claim("one")
        assert message.attempts == attempt
        store.pending.fail(message, "no answer", retry_ms=5_000)
        assert store.pending.claim("one") == []
        clock.now += 5_000
    assert store.pending.claim("one") == []
    (message,) = store.pending.list("abandoned")
    assert message.error == "no answer"


@promise("queue-never-sticks")
def test_a_message_that_kills_its_workers_is_abandoned_and_blocks_no_other(
    store: Store, clock: BootClock
) -> None:
    store.pending.add("c-1")
    for worker in range(queue.ATTEMPTS):
        assert len(store.pending.claim(f"worker {worker}")) == 1
        clock.now += queue.LEASE_MS
    store.pending.add("c-1")
    assert [message.id for message in store.pending.claim("next")] == [2]
    assert [message.id for message in store.pending.list("abandoned")] == [1]


@promise("queue-never-sticks")
def test_a_machine_that_starts_anew_frees_what_the_last_boot_left(store: Store, clock: BootClock) -> None:
    clock.now = 50 * 86_400_000
    store.pending.add("c-1")
    store.pending.add("c-1")
    store.pending.fail(store.pending.claim("one", limit=1)[0], "no answer", retry_ms=60_000)
    store.pending.claim("one", limit=1)
    clock.now = 10
    assert [message.id for message in store.pending.claim("two")] == [1, 2]


def test_what_came_of_a_message_and_its_confirmation_are_one(store: Store, clock: BootClock) -> None:
    store.pending.add("c-1")
    messages = store.pending.claim("one")
    with pytest.raises(ZeroDivisionError), store.transaction():
        store.observations.add("c-1", title="what came of it")
        store.pending.confirm(messages)
        1 / 0  # noqa: B018
    assert store.stats().observations == 0
    assert [message.status for message in store.pending.list()] == ["processing"]
