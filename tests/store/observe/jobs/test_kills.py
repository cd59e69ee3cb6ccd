"""Workers may be killed at any moment: each message is done once, and none sticks."""

from __future__ import annotations

from memtui.store import Store

from .killing import BROKEN, DEADLY, fill, work_through


def test_each_message_is_done_once_though_workers_die_and_the_clock_is_set(store: Store) -> None:
    fill(store, 150)
    outcome = work_through(store.path, kills=10, speed=240, seed=6)
    assert outcome.deaths >= 10 + 3, "three of them of what is deadly"
    assert (outcome.done_once, outcome.done_more_often, outcome.not_done) == (148, 0, 0)
    assert outcome.stuck == 0
    assert outcome.dead_letters.keys() == {DEADLY, BROKEN}
    assert outcome.dead_letters[DEADLY] == "Its workers died."
    assert "no observer can read this" in outcome.dead_letters[BROKEN]
    assert {one.attempts for one in store.pending.list("abandoned")} == {3}
