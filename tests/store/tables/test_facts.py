"""A statement is one fact of its kind and project, with a confidence between 0 and 1."""

import pytest

from memtui.store import InvalidRecordError, Store
from tests.store.undoing import undone


def test_a_fact_keeps_all_it_was_given(store: Store) -> None:
    added = store.facts.add(
        " The TTL is 24 h ",
        kind="W",
        project="atlas",
        entities=["TTL"],
        confidence=0.85,
        evidence=["u-1"],
        sources=["memory.md"],
    )
    assert store.facts.get("f1") == store.facts.get(added.uid) == added
    assert (added.content, added.confidence, added.evidence) == ("The TTL is 24 h", 0.85, ("u-1",))


def test_the_same_statement_is_one_fact_of_its_kind_and_project(store: Store) -> None:
    first = store.facts.add("tea", project="atlas")
    assert store.facts.add("tea", project="atlas") == first
    assert store.facts.add("tea", project="atlas", kind="B") != first
    assert store.facts.add("tea", project="orders") != first
    assert store.facts.count() == 3


def test_a_project_with_an_odd_name_has_one_fact_of_a_statement(store: Store) -> None:
    assert store.facts.add("tea", project="a\0b") == store.facts.add("tea", project="a\0b")


@pytest.mark.parametrize(
    ("content", "kind", "confidence"),
    [
        ("tea", "X", 1.0),
        ("tea", "O", 1.1),
        ("tea", "O", -0.1),
        ("tea", "O", float("nan")),
        ("  ", "O", 1.0),
        ("<private>all</private>", "O", 1.0),
    ],
)
def test_an_unusable_fact_is_refused(store: Store, content: str, kind: str, confidence: float) -> None:
    with pytest.raises(InvalidRecordError):
        store.facts.add(content, kind=kind, confidence=confidence)  # type: ignore[arg-type]
    assert store.facts.count() == 0


def test_facts_are_listed_newest_first_narrowed_and_paged(store: Store) -> None:
    for number in range(4):
        store.facts.add(f"fact {number}", kind="W" if number % 2 else "O", project="atlas", at=number)
    store.facts.add("hidden", private=True, at=9)
    assert [fact.id for fact in store.facts.list()] == [4, 3, 2, 1]
    assert [fact.id for fact in store.facts.list(kind="W")] == [4, 2]
    assert [fact.id for fact in store.facts.list(limit=2, offset=1)] == [3, 2]
    assert store.facts.count(kind="W", project="atlas") == 2
    assert store.facts.count(project="orders") == 0


def test_a_deleted_fact_can_be_stated_again_but_then_not_restored(store: Store) -> None:
    first = store.facts.add("tea")
    store.facts.delete(first)
    second = store.facts.add("tea")
    assert second.id != first.id
    with pytest.raises(InvalidRecordError, match=r"fact f1 can't be restored.*Delete that one"):
        store.facts.restore(first)
    store.observations.pin(store.observations.add("c-1", title="later"))
    assert undone(store) == "observation 1 pinned"
    told = store.undo()
    assert told is not None
    assert not told.is_done
    assert told.kept == ("Fact f1 “tea” stays as it is, since another record says the same by now.",)
    store.facts.delete(second)
    assert store.facts.restore(first).deleted_at is None
