"""What was undone can be done again, until something else is changed."""

from __future__ import annotations

from memtui.store import Action, Store
from tests.promises import promise

from ...conftest import OpenStore
from ..database.test_journal import fill, merge_duplicates, merge_projects, rows


def test_nothing_can_be_redone_before_an_undo(store: Store) -> None:
    store.observations.pin(store.observations.add("c-1", title="t"))
    assert store.redo() is None


@promise("undo-exact")
def test_redo_does_the_undone_again_in_the_order_it_was_done(store: Store, open_store: OpenStore) -> None:
    fill(store)
    before = rows(store)
    store.observations.pin(1)
    merge_duplicates(store, 0)
    store.change_many(["1", "p1", "n1"], Action("delete"))
    merge_projects(store, 1)
    after = rows(store)
    while store.undo():
        pass
    assert rows(store) == before
    store.close()
    again = open_store(store.path)
    told = [done.what for done in iter(again.redo, None)]
    assert told[0] == "observation 1 pinned"
    assert told[-2:] == ["3 memories deleted", "project merged"]
    assert rows(again) == after
    while again.undo():
        pass
    assert rows(again) == before


def test_a_new_change_ends_the_line(store: Store) -> None:
    one = store.observations.add("c-1", title="t")
    store.observations.pin(one)
    store.undo()
    store.observations.set_private(one)
    assert store.redo() is None
    store.undo()
    told = store.redo()
    assert told is not None
    assert told.what == "observation 1 hidden"


def test_an_undone_add_comes_back_with_its_number_and_its_words(store: Store) -> None:
    with store.change("observation added"):
        store.observations.add("c-1", title="refresh token expired")
    store.undo()
    assert store.find("refresh").page().hits == []
    told = store.redo()
    assert told is not None
    assert told.select == "1"
    assert [hit.row.ref for hit in store.find("refresh").page().hits] == ["1"]


def test_it_says_by_title_what_came_back(store: Store) -> None:
    store.observations.add("c-1", title="Refresh token expired")
    store.change_many(["1"], Action("delete"))
    undone = store.undo()
    assert undone is not None
    assert undone.sentence == "observation 1 deleted. Restored: “Refresh token expired”"
    assert undone.select == "1"
    redone = store.redo()
    assert redone is not None
    assert redone.sentence == "observation 1 deleted. Deleted: “Refresh token expired”"


def test_an_edited_title_is_told_as_it_is_afterwards(store: Store) -> None:
    store.observations.add("c-1", title="one")
    store.edit("1", {"title": "two"})
    assert (undone := store.undo()) is not None and "“one”" in undone.sentence
    assert (redone := store.redo()) is not None and "“two”" in redone.sentence


def test_what_others_changed_since_the_undo_stays_and_is_said(store: Store) -> None:
    store.observations.add("c-1", title="one")
    store.edit("1", {"title": "two", "type": "bugfix"})
    store.undo()
    store.observations.revise(1, title="three")
    told = store.redo()
    assert told is not None
    assert told.kept == ("Observation 1 “three” keeps its title, which was changed since.",)
    found = store.observations.get(1)
    assert (found.title, found.type) == ("three", "bugfix")


def test_an_undo_counts_as_many_memories_as_were_deleted(store: Store) -> None:
    for level in ("brief", "detailed"):
        store.summaries.add("c-1", level=level, request="valve", extra='{"observer": "rules"}')
    for number in range(4):
        store.observations.add("c-1", title=f"Valve {number}")
    refs = store.find("kind:observation,summary").refs()
    done = store.change_many(refs, Action("delete"))
    assert done.what == "5 memories deleted"
    undone = store.undo()
    assert undone is not None
    assert len(undone.records) == 5
    assert undone.outcome.endswith("and 2 more")
