"""The items of the queue in pages: events, what was processed, and what waits."""

import pytest

from memtui.store import Store
from memtui.store.tables.queue import STATES, item_counts, item_page


@pytest.fixture
def filled(store: Store) -> Store:
    """Three messages that wait, three that were processed, one that failed, and two events."""
    with store.transaction():
        for number in range(7):
            store.pending.add("c-1", tool_name=f"tool {number}")
        first, *done = store.pending.claim("worker", 4)
        store.pending.confirm(done)
        store.pending.refuse(first, "beyond hope")
        for at in (1, 2):
            store.db.execute(
                "INSERT INTO quarantine (at, agent, reason, record) VALUES (?, 'codex', 'why', '{}')", (at,)
            )
    return store


def refs(store: Store, states: tuple[str, ...], start: int = 0, length: int = 50) -> list[str]:
    return [item.ref for item in item_page(store.db, states, start, length)]


def test_events_come_first_then_the_processed_newest_first_then_the_others(filled: Store) -> None:
    assert refs(filled, STATES) == ["q1", "q2", "4", "3", "2", "1", "5", "6", "7"]
    assert refs(filled, ("pending", "failed")) == ["1", "5", "6", "7"]
    assert refs(filled, ("processed",)) == ["4", "3", "2"]
    assert refs(filled, ()) == []


@pytest.mark.parametrize("length", [1, 2, 3, 4, 20])
def test_pages_join_without_a_gap_wherever_they_begin(filled: Store, length: int) -> None:
    found = [ref for start in range(0, 12, length) for ref in refs(filled, STATES, start, length)]
    assert found == refs(filled, STATES)


def test_counts_name_every_state(filled: Store) -> None:
    assert item_counts(filled.db) == {
        "pending": 3, "processing": 0, "failed": 1, "abandoned": 0, "quarantined": 2, "processed": 3,
    }  # fmt: skip
