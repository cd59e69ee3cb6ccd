"""What is offered to be merged, and facts that a later one may have replaced: found, never changed."""

import time
from collections.abc import Iterator
from typing import Any

import pytest

from memtui.store import Store
from memtui.store.maintain.duplicates.alike import Cluster, clusters, fact_pairs
from memtui.store.maintain.duplicates.candidates import candidates, candidates_beside, is_open

AT = 1_771_000_000_000


def say(store: Store, *contents: str, **values: object) -> None:
    for number, content in enumerate(contents):
        store.facts.add(content, at=AT + number, **values)  # type: ignore[arg-type]


def found(store: Store) -> list[tuple[int, int, str]]:
    return [(one.earlier.id, one.later.id, one.difference) for one in fact_pairs(store)]


@pytest.mark.parametrize(
    ("earlier", "later", "difference"),
    [
        ("Tests run with Python 3.11", "Tests run with Python 3.13", "another number"),
        ("The cache holds 500 entries", "The cache holds 2,000 entries", "another number"),
        ("We use npm for packages", "We do not use npm for packages", "a negation"),
        ("Deploys go through Jenkins", "Deploys no longer go through Jenkins", "a negation"),
        ("服务使用内存缓存", "服务不使用内存缓存", "a negation"),
        ("Tests always run with pytest", "Tests always run with pytest.ini", "another name"),
        (
            "Every client of the gateway retries with exponential backoff and jitter",
            "Every client of the gateway retries with extended backoff and jitter",
            "another choice",
        ),
        ("Tests always run with pytest", "We always run tests with pytest", "nearly the same words"),
    ],
)
def test_a_later_fact_may_replace_an_earlier_one(
    store: Store, earlier: str, later: str, difference: str
) -> None:
    say(store, earlier, "Something else holds here", later)
    assert found(store) == [(1, 3, difference)]


def test_others_projects_kinds_and_entities_are_no_candidates(store: Store) -> None:
    say(store, "Tests run with Python 3.11", project="atlas", kind="W", entities=["tests"])
    say(store, "Tests run with Python 3.12", project="orders", kind="W", entities=["tests"])
    say(store, "Tests run with Python 3.13", project="atlas", kind="B", entities=["tests"])
    say(store, "Tests run with Python 3.14", project="atlas", kind="W", entities=["CI"])
    assert found(store) == []


def test_what_is_superseded_deleted_hidden_or_told_apart_is_none(store: Store) -> None:
    say(store, *(f"The cache holds {number} entries" for number in (1, 2, 3, 4, 5)))
    store.supersede("f1", "f5")
    store.facts.delete(2)
    store.facts.set_private(3)
    assert found(store) == [(4, 5, "another number")]
    assert is_open(store, ["f4", "f5"])
    store.not_duplicates(["f4", "f5"])
    assert found(store) == []
    assert not is_open(store, ["f4", "f5"])
    assert not is_open(store, ["f2", "f5"])


def test_facts_that_say_the_same_are_one_candidate_and_observations_another(store: Store) -> None:
    say(store, *(f"Tests always run with pytest{end}" for end in ("", " here", "  h")))
    for _ in range(3):
        store.observations.add("c-1", title="Token expired early on laptops")
    before = store.journal.next_undo()
    for _ in range(2):
        offered = [(one.refs, one.is_replacement) for one in candidates(store)]
        assert offered == [(("f1", "f2", "f3"), False), (("1", "2", "3"), False)]
    assert store.journal.next_undo() == before


def test_only_projects_with_changes_are_looked_through_again(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    for project in ("atlas", "orders", "orders", "atlas", "atlas"):
        store.observations.add("c-1", title="Token expired early on laptops", project=project)
    looked: list[str | None] = []

    def noted(store: Store, *, project: str | None, progress: Any) -> Iterator[Cluster]:
        looked.append(project)
        return clusters(store, project=project, progress=progress)

    monkeypatch.setattr("memtui.store.maintain.duplicates.candidates.clusters", noted)

    def offered() -> set[tuple[str, ...]]:
        # What is as old as the look, to the millisecond, may have come after it, and is looked at again.
        time.sleep(0.002)
        return {one.refs for one in candidates(store)}

    assert offered() == offered() == {("1", "4", "5"), ("2", "3")}
    assert looked == [None]
    store.observations.delete(5)
    assert offered() == {("1", "4"), ("2", "3")}
    store.undo()
    assert ("1", "4", "5") in offered()
    assert offered() == {("1", "4", "5"), ("2", "3")}
    store.observations.add("c-1", title="Token expired early on laptops", project="orders")
    assert ("2", "3", "6") in offered()
    assert looked == [None, "atlas", "atlas", "orders"]
    store.observations.revise(2, title="Something else")
    assert offered() == {("1", "4", "5"), ("3", "6")}
    store.not_duplicates(["3", "6"])
    assert offered() == {("1", "4", "5")}
    assert {one.title for one in candidates(store)} == {"Token expired early on laptops"}
    store.undo()
    assert ("3", "6") in offered()


def test_codes_and_numbers_alone_make_nothing_alike(store: Store) -> None:
    say(store, "a1 b22 c333 done", "d4 e55 f666 done", "17", "18")
    assert found(store) == []


def test_what_progress_raises_ends_it(store: Store) -> None:
    say(store, "One thing holds", "Another thing does")

    def stop(*_: object) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        list(candidates(store, progress=stop))


def test_a_second_process_finds_the_same_where_there_is_much(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memtui.store.maintain.duplicates.candidates.MUCH", 1)
    monkeypatch.setattr("memtui.store.maintain.duplicates.candidates.clusters", None)
    say(store, "Tests run with Python 3.11", "Tests run with Python 3.13")
    for _ in range(2):
        store.observations.add("c-1", title="Token expired early on laptops")
    steps: list[tuple[object, ...]] = []
    offered = [*candidates_beside(store, progress=lambda *step: steps.append(step))]
    assert steps
    monkeypatch.undo()
    assert offered == [*candidates(store)]
    assert [one.refs for one in offered] == [("f1", "f2"), ("1", "2")]
