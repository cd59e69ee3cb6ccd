"""A search that may not take longer gives what it has found by then, and says so."""

import time

import apsw
import pytest

from memtui.store import Store
from memtui.store.database.deadline import Deadline
from tests.promises import promise

ENDLESS = "WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 100000000) "


class Clock:
    """Stands still, until it has been looked at so often; then a day has passed."""

    def __init__(self, looks: int) -> None:
        self.looks = looks

    def __call__(self) -> float:
        self.looks -= 1
        return 0.0 if self.looks >= 0 else 86_400.0


@pytest.fixture
def filled(store: Store) -> Store:
    """A store of 300 memories about clocks, of which every tenth has the clock in its title."""
    with store.transaction():
        for number in range(300):
            rare = number % 10 == 0
            title, text = ("clock", "the clock") if rare else ("a watch", "the clock drifted")
            store.observations.add("c-1", title=f"{title} {number}", narrative=text)
    return store


@promise("any-query-is-safe")
@pytest.mark.parametrize(
    "query", ["title:loc", "title:clock sort:recent", "-narrative:drifted", "cl -narrative:drift"]
)
def test_what_was_found_by_then_is_given(
    filled: Store, monkeypatch: pytest.MonkeyPatch, query: str
) -> None:
    monkeypatch.setattr(time, "monotonic", Clock(150))
    results = filled.find(query).page(limit=20, seconds=60)
    assert 0 < len(results.hits) < 20
    assert all(hit.row.title.startswith("clock") for hit in results.hits)
    assert (results.partial, results.complete) == (True, False)


@promise("any-query-is-safe")
@pytest.mark.parametrize("query", ["clock", "title:clock", "clock sort:pinned", "kind:observation"])
def test_with_no_time_at_all_there_is_still_an_answer(filled: Store, query: str) -> None:
    results = filled.find(query).page(limit=300, seconds=0)
    assert (results.partial, results.complete) == (True, False)


def test_the_next_search_is_not_stopped(filled: Store) -> None:
    assert filled.find("clock").page(limit=300, seconds=0).partial
    results = filled.find("clock").page(limit=300)
    assert (len(results.hits), results.partial, results.complete) == (300, False, True)


def test_inside_a_unit_of_work_a_search_takes_the_time_it_needs(filled: Store) -> None:
    with filled.transaction():
        filled.observations.add("c-1", title="clock 300")
        results = filled.find("clock").page(limit=400, seconds=0)
        assert (len(results.hits), results.partial) == (301, False)
    assert filled.find("clock").count().value == 301


def test_a_statement_under_way_is_stopped(store: Store) -> None:
    deadline = Deadline(store.db, 0)
    with deadline:
        store.db.execute(f"{ENDLESS} SELECT count(*) FROM n").get  # noqa: B018 - runs the statement
    assert deadline.passed


def test_what_someone_else_interrupts_is_not_taken_for_the_end_of_time(store: Store) -> None:
    deadline = Deadline(store.db, 60)
    store.db.set_progress_handler(lambda: True, 1_000, id="someone else")
    with pytest.raises(apsw.InterruptError), deadline:
        store.db.execute(f"{ENDLESS} SELECT count(*) FROM n").get  # noqa: B018 - runs the statement
    assert not deadline.passed
    store.db.set_progress_handler(None, id="someone else")
