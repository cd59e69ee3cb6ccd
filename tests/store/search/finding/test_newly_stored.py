"""What is stored from a moment on: which rows count, in which order, and each once."""

import pytest

from memtui.store import Store
from memtui.store.records.rows import Hit
from memtui.store.search.arrivals import NewlyStored, Stored
from memtui.store.search.query.language import parse


def following(store: Store, query: str = "") -> NewlyStored:
    return NewlyStored(store.db, parse(query))


def names(found: list[Stored]) -> list[str]:
    return [one.row.ref if isinstance(one, Hit) else type(one).__name__ for one in found]


def test_each_kind_is_new_once_in_the_order_in_which_it_was_stored(store: Store) -> None:
    store.observations.add("c-0", title="Before")
    rows = following(store)
    assert rows.new() == []
    store.sessions.start("c-1")
    store.prompts.add("c-1", "Why?")
    store.observations.add("c-1", title="Because", at=1_000)
    store.notes.upsert("MEMORY.md", "- Rules")
    store.facts.add("Tokens live 24 h")
    store.summaries.add("c-1", completed="Done")
    found = names(rows.new())
    assert sorted(found) == sorted(["Session", "p1", "2", "Note", "f1", "s1"])
    assert rows.new() == []


def test_what_is_hidden_is_new_only_to_who_asks_for_it(store: Store) -> None:
    rows, private, noise = (following(store, query) for query in ("", "is:private", "is:noise"))
    store.observations.add("c-1", title="Shown")
    store.observations.add("c-1", title="Private", private=True)
    store.observations.add("c-1", title="Noise", type="noise")
    deleted = store.observations.add("c-1", title="Deleted")
    store.observations.delete(deleted)
    store.notes.upsert("SECRET.md", "- x", private=True)
    store.sessions.set_private(store.sessions.start("c-2"))
    assert sorted(names(rows.new())) == ["1", "Session"]
    assert names(private.new()) == ["2"]
    assert names(noise.new()) == ["3"]


def test_a_query_narrows_as_in_a_search(store: Store) -> None:
    rows = {
        query: following(store, query)
        for query in (
            "valve", "valve -gasket", "type:bugfix", "project:ATLAS", "-project:atlas", "agent:codex",
            "title:seal", "kind:prompt", "session:c-1", "seal OR gasket",
        )
    }  # fmt: skip
    store.sessions.start("c-1", agent="codex", project="atlas")
    store.observations.add("c-1", title="Mended the Valve", type="bugfix")
    store.observations.add("c-1", title="Replaced a seal", narrative="Its valve needs a gasket.")
    store.prompts.add("c-2", "Is the valve open?", project="other")
    store.notes.upsert("MEMORY.md", "- x", project="atlas")
    assert {query: sorted(names(one.new())) for query, one in rows.items()} == {
        "valve": ["1", "2", "p1"],
        "valve -gasket": ["1", "p1"],
        "type:bugfix": ["1"],
        "project:ATLAS": ["1", "2", "Note", "Session"],
        "-project:atlas": ["Session", "p1"],
        "agent:codex": ["1", "2", "Session"],
        "title:seal": ["2"],
        "kind:prompt": ["p1"],
        "session:c-1": ["1", "2"],
        "seal OR gasket": ["2"],
    }


def test_what_only_changes_is_not_new(store: Store) -> None:
    one = store.observations.add("c-1", title="A valve", type="noise")
    two = store.observations.add("c-1", title="A seal", private=True)
    rows = following(store)
    store.observations.revise(one.id, type="bugfix")
    store.observations.set_private(two, False)
    store.edit("2", {"title": "A valve"})
    assert rows.new() == []


def test_the_last_ones_come_before_and_no_row_twice(store: Store) -> None:
    for number in range(5):
        store.observations.add("c-1", title=f"Valve {number}", at=1_000 * (number + 1))
    rows = following(store, "valve")
    assert names(rows.last(3)) == ["3", "4", "5"]
    store.observations.add("c-1", title="Valve of long ago", at=1)
    assert names(rows.new()) == ["6"]
    assert names(following(store).last(50)) == ["6", "1", "2", "3", "4", "5", "Session"]
    assert following(store).last(0) == []


@pytest.mark.long
def test_thousands_at_once_come_in_parts_and_all_of_them(store: Store) -> None:
    rows = following(store, "valve")
    with store.transaction():
        for number in range(2_500):
            store.observations.add("c-1", title=f"{'Valve' if number % 2 else 'Seal'} {number}")
    found = names(rows.new())
    while rows.has_more:
        found += names(rows.new())
    assert found == [str(number) for number in range(2, 2_501, 2)]


def test_the_marks_of_an_earlier_look_or_a_moment_tell_what_is_new(store: Store) -> None:
    rows = following(store)
    first = store.observations.add("c-1", title="First")
    rows.new()
    second = store.observations.add("c-1", title="Second", at=1_000)
    assert names(NewlyStored(store.db, parse(""), marks=rows.marks).new()) == ["2"]
    assert NewlyStored(store.db, parse(""), since=second.updated_at + 1).new() == []
    since = NewlyStored(store.db, parse("kind:observation"), since=first.updated_at)
    assert names(since.new()) == ["1", "2"]


def test_an_earlier_state_is_told_from_the_same_one(store: Store) -> None:
    store.observations.add("c-1", title="First")
    rows = following(store)
    assert not rows.is_of_before()
    rows.marks["observation"] += 1
    assert rows.is_of_before()
