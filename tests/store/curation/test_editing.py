"""What people correct in records: scrubbed, one undo, and never over what others wrote meanwhile."""

from typing import Any

import pytest

from memtui.store import EditConflictError, InvalidRecordError, NotFoundError, Store
from memtui.store.maintain.purge import purge

from ..database.test_journal import fill, rows

EDITS: list[tuple[str, dict[str, Any]]] = [
    ("1", {"title": "new", "type": "bugfix", "subtitle": "sub", "narrative": "n", "text": "t"}),
    ("1", {"facts": ["a", "b"], "concepts": ["c"], "files_read": ["a.py"], "tags": ["x"]}),
    ("1", {"add_tags": ["x", "y"], "remove_tags": ["x"], "files_modified": ["b.py"]}),
    ("s1", {"request": "r", "learned": "l", "next_steps": "n", "files_edited": ["c.py"]}),
    ("f1", {"content": "tea is black", "kind": "world", "entities": ["tea"], "confidence": 0.5}),
    ("p1", {"text": "what now"}),
    ("@1", {"title": "a better title"}),
    ("n1", {"text": "# Memory", "path": "NOTES.md"}),
]


@pytest.mark.parametrize(("ref", "fields"), EDITS)
def test_every_kind_can_be_edited_undone_and_redone(store: Store, ref: str, fields: dict[str, Any]) -> None:
    fill(store)
    before = rows(store)
    edited = store.edit(ref, fields)
    after = rows(store)
    assert after != before
    for name, value in fields.items():
        if not name.startswith(("add_", "remove_", "kind")):
            assert getattr(edited, name) == (tuple(value) if isinstance(value, list) else value)
    assert store.undo() is not None
    assert rows(store) == before
    assert store.redo() is not None
    assert rows(store) == after
    assert store.doctor(thorough=True).ok


def test_the_index_follows_an_edit(store: Store) -> None:
    store.observations.add("c-1", title="refresh token", tags=["old"])
    store.edit("1", {"title": "session cookie", "add_tags": ["new"]})
    assert store.find("refresh").page().hits == []
    assert [hit.row.ref for hit in store.find("cookie tag:new tag:old").page().hits] == ["1"]


def test_what_is_typed_passes_the_privacy_gate(store: Store) -> None:
    store.observations.add("c-1", title="t")
    secret = "ghp_" + "a1B2" * 9
    store.edit("1", {"title": f"uses {secret}", "facts": ["<private>home</private> kept"]})
    found = store.observations.get(1)
    assert secret not in str(found.title)
    assert found.facts == ("kept",) or "home" not in found.facts[0]
    assert secret not in str(store.db.execute("SELECT what FROM changes").fetchall())


def test_what_others_wrote_meanwhile_is_not_overwritten(store: Store) -> None:
    read = store.observations.add("c-1", title="mine")
    store.observations.revise(1, narrative="theirs")
    for expected in (read, read.hlc):
        with pytest.raises(EditConflictError, match="changed since it was read") as told:
            store.edit("1", {"title": "new"}, expected=expected)
        assert getattr(told.value.present, "narrative", None) == "theirs"
    assert told.value.expected is None
    assert store.observations.get(1).title == "mine"
    again = store.edit("1", {"title": "new"}, expected=store.observations.get(1))
    assert getattr(again, "title", None) == "new"


def test_a_change_by_a_program_that_moves_no_clock_is_seen_too(store: Store) -> None:
    read = store.observations.add("c-1", title="mine")
    store.db.execute("UPDATE observations SET title = 'theirs'")
    with pytest.raises(EditConflictError):
        store.edit("1", {"title": "new"}, expected=read)


def test_an_edit_that_changes_nothing_is_no_change(store: Store) -> None:
    one = store.observations.add("c-1", title="t", tags=["a"])
    assert store.edit("1", {"title": "t", "subtitle": "", "add_tags": ["a"]}) == one
    assert store.undo() is None


@pytest.mark.parametrize(
    ("ref", "fields", "said"),
    [
        ("1", {"mood": "x"}, "no 'mood' that can be changed. There is: title, type"),
        ("p1", {"title": "x"}, "There is: text"),
        ("1", {"type": " "}, "type can't be empty"),
        ("1", {"type": "<private>x</private>"}, "type can't be empty"),
        ("1", {"tags": "x"}, "tags is a list of texts"),
        ("1", {"title": 3}, "title is a text"),
        ("f1", {"kind": "mood"}, "fact, rule, preference or summary"),
        ("f1", {"confidence": 2}, "from 0 to 1"),
        ("f1", {"content": "fact 1"}, "another fact says the same"),
        ("n1", {"path": ""}, "path can't be empty"),
    ],
)
def test_what_a_field_can_not_be_is_said_and_nothing_is_written(
    store: Store, ref: str, fields: dict[str, Any], said: str
) -> None:
    fill(store)
    before = rows(store)
    with pytest.raises(InvalidRecordError, match=said.replace("(", r"\(")):
        store.edit(ref, {"text": "changed"} | fields if ref == "p1" else fields)
    assert rows(store) == before
    assert store.undo() is None


@pytest.mark.parametrize(
    ("ref", "fields"),
    [
        ("1", {"title": "", "narrative": "", "facts": [], "subtitle": "", "text": " \n"}),
        ("s1", dict.fromkeys(("request", "learned", "completed", "next_steps", "text"), "")),
    ],
)
def test_no_edit_leaves_a_memory_that_says_nothing(store: Store, ref: str, fields: dict[str, Any]) -> None:
    fill(store)
    before = rows(store)
    with pytest.raises(InvalidRecordError, match="would be empty"):
        store.edit(ref, fields)
    assert rows(store) == before


def test_the_number_of_a_purged_observation_names_no_note_and_no_session(store: Store) -> None:
    fill(store)
    store.notes.upsert("RULES.md", "be kind")
    purge(store, "observations", [1])
    for act in (store.any_record, lambda ref: store.edit(ref, {"title": "x"})):
        with pytest.raises(NotFoundError, match="no observation 1"):
            act("1")
