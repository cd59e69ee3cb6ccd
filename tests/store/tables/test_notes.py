"""A note is what stands under its path."""

import pytest

from memtui.store import NotFoundError, Store


def test_a_note_is_replaced_under_its_path(store: Store) -> None:
    first = store.notes.upsert("MEMORY.md", "one", project="atlas")
    second = store.notes.upsert("MEMORY.md", "two", project="atlas")
    assert (second.id, second.text) == (first.id, "two")
    assert second.hlc > first.hlc
    assert store.notes.upsert("MEMORY.md", "three", project="orders").id != first.id


def test_notes_are_listed_by_project_and_path(store: Store) -> None:
    for project, path in (("b", "x"), ("a", "z"), ("a", "y")):
        store.notes.upsert(path, "text", project=project)
    assert [(note.project, note.path) for note in store.notes.list()] == [
        ("a", "y"),
        ("a", "z"),
        ("b", "x"),
    ]
    assert [note.path for note in store.notes.list("b")] == ["x"]


def test_a_note_is_found_by_number_or_uid(store: Store) -> None:
    note = store.notes.upsert("x", "text")
    assert store.notes.get(1) == store.notes.get("n1") == store.notes.get(note.uid) == note
    with pytest.raises(NotFoundError):
        store.notes.get("n2")


def test_a_deleted_note_comes_back_when_it_is_put_again(store: Store) -> None:
    store.notes.delete(store.notes.upsert("x", "old"))
    assert store.notes.list() == []
    store.notes.upsert("x", "new")
    assert [note.text for note in store.notes.list()] == ["new"]


def test_a_private_note_stays_private_and_a_put_can_make_it_so(store: Store) -> None:
    store.notes.upsert("x", "open")
    store.notes.upsert("x", "secret", private=True)
    assert store.notes.list() == []
    assert store.notes.upsert("x", "more").private
