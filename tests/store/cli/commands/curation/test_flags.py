"""`mem pin`, `unpin`, `private`, `delete`, `restore` and `undo`."""

import pytest

from tests.promises import promise

from ...runner import Mem, filling


@filling
def filled(mem: Mem) -> None:
    mem.ok("add", "token one", "--session", "c-1")
    mem.ok("add", "token two", "--session", "c-1")
    mem.ok("prompt", "token three", "--session", "c-1")
    mem.ok("summary", "--session", "c-1", "--request", "token four")
    mem.ok("fact", "add", "token five")
    mem.ok("note", "put", "MEMORY.md", "six")


def found(mem: Mem, query: str = "token") -> set[str]:
    return {hit["ref"] for hit in mem.json("search", query, "--exact")}


EVERY_KIND = ("1", "p1", "s1", "f1")


def test_pinned_ones_can_be_asked_for(filled: Mem) -> None:
    assert filled.ok("pin", *EVERY_KIND).split() == list(EVERY_KIND)
    assert found(filled, "is:pinned") == set(EVERY_KIND)
    filled.ok("unpin", "1", "p1")
    assert found(filled, "is:pinned") == {"s1", "f1"}


def test_private_ones_are_not_found(filled: Mem) -> None:
    filled.ok("private", *EVERY_KIND)
    assert found(filled) == {"2"}
    assert found(filled, "is:private") == set(EVERY_KIND)
    filled.ok("private", "--off", *EVERY_KIND)
    assert found(filled) == {"2", *EVERY_KIND}


def test_deleted_ones_are_not_found_until_restored(filled: Mem) -> None:
    filled.ok("delete", *EVERY_KIND)
    assert found(filled) == {"2"}
    filled.ok("restore", *EVERY_KIND)
    assert found(filled) == {"2", *EVERY_KIND}


def test_notes_are_curated_too(filled: Mem) -> None:
    filled.ok("delete", "n1")
    assert filled.json("note", "list") == []
    filled.ok("restore", "n1")
    assert len(filled.json("note", "list")) == 1


def test_json_is_the_records_as_they_are_now(filled: Mem) -> None:
    records = filled.json("pin", "1", "p1")
    assert [(record["ref"], record["pinned"]) for record in records] == [("1", True), ("p1", True)]


def test_all_or_none(filled: Mem) -> None:
    assert "There is no observation 99" in filled.refused("delete", "1", "99")
    assert "1" in found(filled)


@promise("undo-exact")
def test_undo_takes_changes_back_one_by_one(filled: Mem) -> None:
    filled.ok("delete", "1")
    filled.ok("pin", "2")
    assert filled.ok("undo") == "Undone: observation 2 pinned. Unpinned: “token two”."
    told = filled.json("undo")
    assert told["undone"] == "observation 1 deleted"
    assert told["records"] == [{"ref": "1", "title": "token one", "effect": "restored"}]
    assert found(filled, "is:pinned") == set()
    assert "1" in found(filled)
    for added in ("note n1 put", "fact f1 added", "summary s1 added", "prompt p1 added"):
        assert filled.ok("undo").startswith(f"Undone: {added}")
    for number in (2, 1):
        assert filled.ok("undo").startswith(f"Undone: observation {number} added")
    assert filled.refused("undo") == "There is nothing to undo.\n"


@pytest.mark.parametrize("command", ["pin", "unpin", "private", "delete", "restore"])
def test_an_id_is_needed(filled: Mem, command: str) -> None:
    assert "Give ids" in filled.refused(command, code=2)


def test_who_means_a_backup_is_told_what_restores_it(filled: Mem) -> None:
    told = filled.refused("restore", "old/memory.db")
    assert "`mem store restore-backup FILE`" in told


def test_a_memory_that_is_not_deleted_can_not_be_restored(filled: Mem) -> None:
    result = filled("restore", "1")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "Not deleted, so there is nothing to restore: 1." in result.stderr


def test_a_tag_needs_a_word(filled: Mem) -> None:
    assert "Give --add TAG" in filled.refused("tag", "1", "--add", " ", code=2)
