"""`mem review` and `mem still-true`."""

import pytest

from memtui.store import Store

from ...runner import Mem


@pytest.fixture
def waiting(mem: Mem) -> Mem:
    """A memory in which an observation and a fact wait, and another observation holds."""
    for title in ("drift", "rest"):
        mem.ok("add", title, "--project", "atlas")
    mem.ok("fact", "add", "clocks drift", "--project", "atlas")
    with Store.open(mem.db) as store, store.transaction():
        store.reviewing.wait(store.record("1"), "codex")
        store.reviewing.wait(store.record("f1"), "codex")
    return mem


def test_what_waits_is_listed_accepted_reworded_and_refused(waiting: Mem) -> None:
    listed = waiting.json("review")
    assert [(item["id"], item["author"], item["title"]) for item in listed] == [
        ("f1", "codex", "clocks drift"),
        ("1", "codex", "drift"),
    ]
    (found, other) = waiting.json("search", "kind:observation")
    assert (found["ref"], found["pending"], other["pending"]) == ("2", False, True)
    assert "note, pending" in waiting.ok("search", "is:pending")
    assert waiting.json("review", "1", "--accept") == {"verdict": "accepted", "memories": 1}
    waiting.ok("review", "f1", "--reword", "clocks are steady")
    assert waiting.json("fact", "show", "f1")["content"] == "clocks are steady"
    assert waiting.json("review") == []
    assert "Nothing waits for your word." in waiting("review").stderr
    waiting.ok("undo", "2")
    waiting.ok("review", "1", "f1", "--refuse")
    assert waiting.json("review") == [] and len(waiting.json("trash", "list")) == 2


@pytest.mark.parametrize(
    ("arguments", "code", "why"),
    [
        (("1",), 2, "--accept"),
        (("--accept",), 2, "--accept"),
        (("1", "--accept", "--refuse"), 2, "--accept"),
        (("1", "f1", "--reword", "x"), 2, "one memory"),
        (("2", "--accept"), 1, "doesn't wait"),
        (("99", "--accept"), 1, "no observation 99"),
        (("1", "--dispute", "why"), 1, "no teammate's"),
        (("1", "--reword", "  "), 1, "would be empty"),
    ],
)
def test_what_cannot_be_done_is_said_and_changes_nothing(
    waiting: Mem, arguments: tuple[str, ...], code: int, why: str
) -> None:
    assert why in waiting.refused("review", *arguments, code=code)
    assert len(waiting.json("review")) == 2


def test_an_agent_decides_nothing(waiting: Mem) -> None:
    done = waiting.process("review", "1", "--accept", CLAUDECODE="1")
    assert done.returncode == 1 and b"Only a person" in done.stderr
    assert len(waiting.json("review")) == 2


def test_what_is_still_true_is_said_of_observations(waiting: Mem) -> None:
    assert waiting.json("show", "1")[0]["confirmed_at"] is None
    waiting.ok("still-true", "1", "f1")
    assert waiting.json("show", "1")[0]["confirmed_at"]
    waiting.ok("undo")
    assert waiting.json("show", "1")[0]["confirmed_at"] is None
    waiting.refused("still-true", "99")


def test_how_often_a_memory_was_told_is_shown(waiting: Mem) -> None:
    with Store.open(waiting.db) as store:
        store.db.execute(
            "INSERT INTO memory_uses (kind, record_id, told, told_at, agent) VALUES ('o', 2, 7, 5, 'codex')"
        )
    assert waiting.json("show", "2")[0]["use"]["told"] == 7
    assert "told 7×" in waiting.ok("show", "2")
    assert waiting.ok("search", "told:>5").split("\t")[:2] == ["2", "7"]
    assert waiting.json("search", "told:7")[0]["told"] == 7
    assert "takes a number" in waiting("search", "told:often").stderr
