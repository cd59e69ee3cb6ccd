"""The number of a memory that is gone names no other memory, ever."""

from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.maintain.backups import restore_backup
from memtui.store.maintain.purge import purge_for_good
from memtui.store.maintain.rebuild import rebuild_from
from memtui.store.maintain.repair import repair
from memtui.store.records.kinds import TABLES
from memtui.store.tables.removal.purge_selection import Selection
from tests.store.formats.fillings import exported, imported


def add(store: Store, kind: str, text: str) -> int:
    """Add a record of a kind; its number."""
    match kind:
        case "session":
            return store.sessions.start(text, agent="codex").id
        case "prompt":
            return store.prompts.add("c-1", text).id
        case "observation":
            return store.observations.add("c-1", title=text).id
        case "summary":
            return store.summaries.add("c-1", request=text).id
        case "fact":
            return store.facts.add(text).id
        case _:
            return store.notes.upsert(f"{text}.md", text).id


def purge(store: Store, kind: str, number: int) -> None:
    purge_for_good(store, Selection({TABLES[kind]: (number,)}))


@pytest.mark.parametrize("kind", TABLES)
def test_a_purged_number_is_given_to_nothing_else(store: Store, kind: str) -> None:
    add(store, kind, "first")
    last = add(store, kind, "second")
    purge(store, kind, last)
    assert add(store, kind, "third") == last + 1


def test_nor_is_one_whose_adding_was_undone(store: Store) -> None:
    with store.change("fact f1 added"):
        add(store, "fact", "first")
    store.undo()
    assert add(store, "fact", "second") == 2
    assert store.redo()
    assert [one.content for one in store.facts.by_ids([1, 2])] == ["first", "second"]


def test_nor_after_a_rebuild_a_restore_and_a_repair(store: Store, tmp_path: Path) -> None:
    for text in ("first", "second", "third"):
        add(store, "observation", text)
    copy = tmp_path / "copy.db"
    purge(store, "observation", 3)
    store.backup(copy)
    (tmp_path / "export.jsonl").write_bytes(exported(store))
    path = store.path
    last = add(store, "observation", "fourth")
    purge(store, "observation", last)
    store.close()
    repaired = repair(path).path
    for place, again in (
        (path, lambda: rebuild_from(path, tmp_path / "export.jsonl")),
        (path, lambda: restore_backup(path, copy)),
        (repaired, lambda: None),
    ):
        again()
        with Store.open(place) as now:
            assert add(now, "observation", "fifth") > last
            assert now.doctor(thorough=True).ok


def test_nor_by_an_import(store: Store, tmp_path: Path) -> None:
    with Store.open(tmp_path / "other.db") as other:
        for text in ("theirs", "theirs too"):
            add(other, "observation", text)
        export = exported(other)
    add(store, "observation", "ours")
    purge(store, "observation", 1)
    imported(store, export, tmp_path)
    assert [one.id for one in store.observations.recent()] == [3, 2]
