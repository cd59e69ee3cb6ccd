"""`mem history`: all changes, one in full, and the versions of a memory with what differs in words."""

import pytest

from ...runner import Mem, filling


@filling
def filled(mem: Mem) -> None:
    mem.ok("add", "the token has expired", "--session", "c-1", "--project", "atlas")
    mem.ok("edit", "1", "--title", "the cookie has expired", "--add-tag", "auth")
    mem.ok("fact", "add", "tea is green", "--project", "orders")
    mem.ok("delete", "1")


def test_all_changes_are_told_with_who_made_them(filled: Mem) -> None:
    lines = [line.split("\t") for line in filled.ok("history").splitlines()]
    assert [(line[0], line[2], line[3]) for line in lines] == [
        ("c4", "mem delete", "observation 1 deleted"),
        ("c3", "mem fact add", "fact f1 added"),
        ("c2", "mem edit", "observation 1 edited: title, add tags"),
        ("c1", "mem add", "observation 1 added"),
    ]
    assert [one["id"] for one in filled.json("history", "--kind", "fact")] == [3]
    assert [one["id"] for one in filled.json("history", "--project", "atlas", "-n", "2")] == [4, 2]
    assert [one["id"] for one in filled.json("history", "--before", "c3")] == [2, 1]
    filled.ok("undo")
    assert filled.ok("history").splitlines()[0].endswith("undone, can be redone")


def test_a_memory_has_versions_that_differ_in_words(filled: Mem) -> None:
    told = filled.ok("history", "1")
    assert "title: the [-token-]{+cookie+} has expired" in told
    assert "tags: {+auth+}" in told
    newest, edited, first = filled.json("history", "1")
    assert [newest["version"], edited["version"], first["version"]] == [3, 2, 1]
    assert edited["changed"]["title"] == {
        "before": "the token has expired", "after": "the cookie has expired",
    }  # fmt: skip
    assert (edited["via"], first["via"]) == ("mem edit", "mem add")


def test_an_agent_that_ran_the_command_is_named(filled: Mem, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")
    filled.ok("pin", "f1")
    assert filled.ok("history", "-n", "1").split("\t")[2] == "mem pin (claude-code)"
    filled.process("add", "lean")
    assert filled.json("history", "-n", "1")[0]["via"] == "mem add"


def test_a_change_is_opened_and_reverted_by_itself(filled: Mem) -> None:
    told = filled.ok("history", "c2")
    assert "title: the [-token-]{+cookie+} has expired" in told
    assert filled.json("history", "c2")["changed"][0]["fields"]["tags"] == {
        "before": [], "after": ["auth"],
    }  # fmt: skip
    assert filled.ok("revert", "c2").startswith("Reverted: observation 1 edited")
    filled.ok("undo")
    filled.ok("edit", "1", "--title", "newer")
    assert "stands on it: “observation 1 edited: title”" in filled.refused("revert", "c2")
    assert "no change 99" in filled.refused("revert", "c99")


def test_a_memory_is_taken_back_to_a_version(filled: Mem) -> None:
    assert filled.ok("restore", "1", "--version", "1") == "1"
    record = filled.json("show", "1")
    record = record[0] if isinstance(record, list) else record
    assert (record["title"], record["deleted_at"]) == ("the token has expired", None)
    assert "observation 1 taken back to version 1" in filled.ok("undo")
    assert "no version 9" in filled.refused("restore", "1", "--version", "9")


def test_on_a_terminal_what_differs_has_colours(filled: Mem) -> None:
    told = filled.on_terminal("history", "1")
    assert "\x1b[9;31mtoken\x1b[0m\x1b[32mcookie\x1b[0m" in told


def test_what_was_changed_since_a_day_can_be_asked_for(filled: Mem) -> None:
    assert len(filled.json("history", "--since", "7d")) == 4
    assert filled.json("history", "--since", str(2**42)) == []
    assert "is not a time" in filled.refused("history", "--since", "nonsense", code=2)


def test_a_deletion_and_its_undo_are_called_so(mem: Mem) -> None:
    mem.ok("add", "A valve")
    mem.ok("delete", "1")
    mem.ok("undo")
    told = [line.strip() for line in mem.ok("history", "1").splitlines()]
    assert told.index("restored") < told.index("deleted")
    assert "deleted_at" not in " ".join(told)
