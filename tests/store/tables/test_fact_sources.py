"""Who told a fact is kept, once each, and the fact follows."""

from contextlib import closing

import apsw
import pytest

from memtui.store import Store
from memtui.store.tables.facts import fact_key


def test_the_same_statement_again_adds_a_source(store: Store) -> None:
    first = store.facts.add("Tea is hot.", confidence=0.7, sources=["ann"], entities=["tea"], at=5)
    both = store.facts.add("tea  is HOT", confidence=0.7, sources=["bob"], entities=["heat"], at=3)
    assert both.id == first.id
    assert (both.sources, both.entities) == (("bob", "ann"), ("heat", "tea"))
    assert (both.confidence, both.created_at, both.content) == (0.91, 3, "Tea is hot.")
    assert [one.places for one in store.facts.sources_of(both)] == [("bob",), ("ann",)]


def test_the_same_source_again_changes_nothing(store: Store) -> None:
    first = store.facts.add("tea", confidence=0.7, evidence=["u-1"], sources=["ann"])
    assert store.facts.add("Tea", confidence=0.6, evidence=["u-1"], sources=["ann"]) == first


def test_evidence_counts_once(store: Store) -> None:
    store.facts.add("tea", confidence=0.5, evidence=["u-1"])
    store.facts.add("tea", confidence=0.5, evidence=["u-2"])
    one = store.facts.add("tea", confidence=0.5, evidence=["u-1", "u-2"])
    assert one.confidence == 0.75
    assert one.evidence == ("u-1", "u-2")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Tea", "tea.", True),
        ("ＴＥＡ", "tea", True),
        ("a \n b", "A b", True),
        ("使用 SQLite。", "使用 sqlite", True),
        ("résumé", "resume", False),
        ("tea 1", "tea 2", False),
        ("...", "...", True),
        ("!", "?", False),
    ],
)
def test_when_two_statements_are_the_same(one: str, other: str, same: bool) -> None:
    assert (fact_key(one) == fact_key(other)) is same


def test_a_private_telling_makes_the_fact_private(store: Store) -> None:
    store.facts.add("tea")
    assert store.facts.add("Tea", private=True).private
    assert store.facts.add("tea").private
    assert store.facts.list() == []


def test_facts_that_an_earlier_version_kept_apart_become_one(store: Store) -> None:
    with closing(apsw.Connection(str(store.path))) as db:
        db.execute(
            "INSERT INTO facts (uid, created_at, updated_at, content, confidence, sources) VALUES "
            """('u-1', 1, 1, 'Tea', 0.7, '["ann"]'), ('u-2', 2, 2, 'tea.', 0.7, '["bob"]')"""
        )
    one = store.facts.add("TEA", confidence=0.1, sources=["ann"])
    assert (one.uid, one.sources, one.confidence) == ("u-1", ("ann", "bob"), 0.91)
    assert [fact.uid for fact in store.facts.list()] == ["u-1"]


def test_facts_are_narrowed_to_what_they_name(store: Store) -> None:
    store.facts.add("one", entities=["redis", "cache"], kind="W")
    store.facts.add("two", entities=["redis"])
    store.facts.add("hidden", entities=["redis", "canary"], private=True)
    assert store.facts.entities() == [("redis", 2), ("cache", 1)]
    assert store.facts.entities("W") == [("cache", 1), ("redis", 1)]
    assert [fact.content for fact in store.facts.list(entity="cache")] == ["one"]
    assert store.facts.count(entity="redis") == 2
    assert store.facts.count("W", entity="redis") == 1


def test_private_text_never_becomes_a_source(store: Store) -> None:
    one = store.facts.add("tea", sources=["<private>CANARY</private>"], evidence=["u <private>CANARY"])
    assert "CANARY" not in repr(store.facts.sources_of(one))
