"""Ids, standard input and queries; and that what is asked of many is one undo."""

import pytest

from memtui.store import Store
from memtui.store.maintain import purge
from memtui.store.tables.removal.purge import is_unfinished

from ...runner import Mem, filling


@filling
def filled(mem: Mem) -> None:
    for number in range(1, 6):
        mem.ok("add", f"token {number}", "--session", "c-1", "--type", "bugfix")
    mem.ok("add", "stays", "--session", "c-1")


def test_a_query_deletes_all_it_matches_as_one_undo(filled: Mem) -> None:
    result = filled("delete", "--query", "type:bugfix")
    assert result.exit_code == 0
    assert sorted(result.stdout.split()) == ["1", "2", "3", "4", "5"]
    assert result.stderr == "5 memories deleted.\n"
    assert filled.ok("undo").startswith("Undone: 5 memories deleted. Restored: “token")
    assert len(filled.json("search", "type:bugfix")) == 5
    assert filled.ok("redo").startswith("Redone: 5 memories deleted. Deleted: ")
    assert filled.json("search", "type:bugfix") == []
    filled.ok("restore", "--query", "type:bugfix")
    assert len(filled.json("search", "type:bugfix")) == 5


def test_ids_come_from_standard_input_a_line_each(filled: Mem) -> None:
    assert filled.ok("delete", "-", input="1\tx\n\n2\n").split() == ["1", "2"]
    assert "Undone: 2 memories deleted" in filled.ok("undo")


def test_a_dry_run_shows_and_changes_nothing(filled: Mem) -> None:
    before = filled.json("history")
    told = filled("delete", "--query", "type:bugfix", "--dry-run")
    assert "token 5" in told.stdout
    assert told.stderr == "5 memories. Nothing was changed.\n"
    assert filled.json("delete", "2", "1", "--dry-run")["refs"] == ["2", "1"]
    assert "There is no prompt p9" in filled("delete", "1", "p9", "--dry-run").stderr
    assert filled.json("history") == before


@pytest.mark.parametrize(
    "arguments", [(), ("1", "--query", "x"), ("--query", " ")], ids=["none", "both", "everything"]
)
def test_what_is_meant_has_to_be_said(filled: Mem, arguments: tuple[str, ...]) -> None:
    filled.refused("delete", *arguments, code=2)


def test_what_is_not_deleted_can_not_be_restored_and_that_is_said(filled: Mem) -> None:
    assert "nothing to restore: 1" in filled.refused("restore", "1")
    filled.ok("delete", "2")
    both = filled("restore", "1", "2")
    assert (both.exit_code, both.stdout) == (0, "2\n")
    assert "nothing to restore: 1" in both.stderr


def test_tags_are_added_and_removed(filled: Mem) -> None:
    filled.ok("tag", "--query", "token", "--add", "auth", "--add", "old")
    filled.ok("tag", "1", "--remove", "old")
    assert len(filled.json("search", "tag:old")) == 4
    assert filled.ok("undo", "2").count("Undone:") == 2
    assert filled.json("search", "tag:auth") == []
    assert "--add TAG" in filled.refused("tag", "1", code=2)


def test_a_project_is_set_for_many(filled: Mem) -> None:
    filled.ok("project", "set", "beta", "--query", "token")
    assert len(filled.json("search", "project:beta")) == 5
    assert filled.ok("undo").startswith("Undone: 5 memories moved to project beta")


def test_undo_and_redo_of_several_steps_stop_where_there_is_nothing_more(filled: Mem) -> None:
    filled.ok("pin", "1")
    filled.ok("pin", "2")
    told = filled("undo", "2")
    assert told.stdout.splitlines() == [
        "Undone: observation 2 pinned. Unpinned: “token 2”.",
        "Undone: observation 1 pinned. Unpinned: “token 1”.",
    ]
    again = filled("redo", "9")
    assert again.stdout.count("Redone:") == 2
    assert again.stderr == "There is nothing more to redo.\n"
    assert "nothing to redo" in filled.refused("redo")
    filled.ok("undo")
    assert filled.json("redo")["redone"] == "observation 2 pinned"


def test_a_purge_is_said_instead_of_undoing_something_older(filled: Mem) -> None:
    filled.ok("pin", "1")
    filled.ok("purge", "--query", "token 2", "--yes")
    told = filled("undo", "3")
    assert told.exit_code == 1
    assert "purged” can't be undone" in told.stderr
    assert told.stdout == ""
    assert len(filled.json("search", "is:pinned")) == 1
    (change, *_) = filled.json("history")
    assert (change["undone_at"], change["can_redo"]) == (None, False)
    assert "can't be undone" in filled.ok("history")


@pytest.mark.parametrize(
    ("stopped_in", "told", "left"),
    [("purge_rows", "Nothing was purged.", 5), ("_optimize", "What was to go is gone;", 4)],
)
def test_a_purge_that_is_stopped_says_what_became_of_it(
    filled: Mem, monkeypatch: pytest.MonkeyPatch, stopped_in: str, told: str, left: int
) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(purge, stopped_in, stop)
        stopped = filled("purge", "--query", "token 2", "--yes")
    assert stopped.exit_code == 1
    assert f"Stopped. {told}" in stopped.stderr
    # The next command finishes it.
    assert len(filled.json("search", "type:bugfix")) == left
    with Store.open(filled.db) as store:
        assert not is_unfinished(store.db)


@pytest.mark.parametrize("query", ["zebra", "Zebra horse", '"zebra horse"', "zebra or horse"])
def test_a_purge_by_a_query_names_what_a_search_does_not_find(mem: Mem, query: str) -> None:
    for words in (("add", "ZEBRA horse or mule", "--private"), ("add", "zebra horse or foal")):
        mem.ok(*words)
    mem.ok("note", "put", "MEMORY.md", "a zebra horse, or more")
    for is_there in (True, False):
        told = mem("purge", "--query", query, "--yes").stderr
        assert ("Nothing matches." not in told) is is_there
        assert "also said by 1, n1:" in told
    assert "also said" not in mem("purge", "--query", "type:bugfix", "--yes").stderr


def test_the_trash_is_listed_counted_and_emptied(filled: Mem) -> None:
    filled.ok("note", "put", "MEMORY.md", "text")
    filled.ok("delete", "1", "3", "n1")
    assert [one["ref"] for one in filled.json("trash", "list")] == ["3", "n1", "1"]
    assert filled.json("stats")["deleted"] == 3
    assert len(filled.json("search", "is:deleted")) == 2
    filled.ok("trash", "restore", "3")
    assert "say --yes" in filled.refused("trash", "empty")
    filled.ok("trash", "empty", "--yes")
    assert filled.json("trash", "list") == []
    assert filled.json("stats")["deleted"] == 0
    assert "can't be undone" in filled("undo").stderr


def test_a_dry_run_counts_what_goes_with_a_session(filled: Mem) -> None:
    said = filled.json("delete", "@1", "--dry-run")["refs"]
    assert said[0] == "@1"
    assert sorted(said) == ["1", "2", "3", "4", "5", "6", "@1"]
    assert set(filled.ok("delete", "@1").split()) == set(said)
    assert set(filled.json("restore", "@1", "--dry-run")["refs"]) == set(said)
