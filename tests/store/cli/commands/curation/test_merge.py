"""`mem merge`, and `mem dedupe --not-duplicates`."""

import pytest

from ...runner import Mem, filling


@filling
def doubled(mem: Mem) -> None:
    mem.ok("add", "Token expired early on laptops", "--tag", "auth")
    mem.ok("add", "Token expired too early on laptops", "--tag", "clock")
    mem.ok("fact", "add", "Tests use pytest")


def test_it_makes_them_one_and_tells_how_to_take_it_back(doubled: Mem) -> None:
    done = doubled("merge", "1", "2")
    assert done.stdout == "1\n"
    assert done.stderr == (
        "Merged: 2 memories are “Token expired early on laptops” now. `mem undo` takes it back.\n"
    )
    (shown,) = doubled.json("show", "1")
    assert shown["tags"] == ["auth", "clock"]
    assert "Restored: “Token expired too early on laptops”" in doubled.ok("undo")


def test_what_is_kept_and_its_fields_can_be_chosen(doubled: Mem) -> None:
    done = doubled.json("merge", "1", "2", "--into", "2", "--take", "title=1", "--type", "bugfix")
    assert (done["into"], done["merged"]) == ("2", ["1"])
    record = done["record"]
    assert (record["title"], record["type"]) == ("Token expired early on laptops", "bugfix")


def test_a_dry_run_shows_what_would_change(doubled: Mem) -> None:
    shown = doubled("merge", "1", "2", "--title", "Token expired", "--dry-run")
    assert shown.stdout.splitlines() == [
        "2 into 1 Token expired early on laptops",
        "  tags: {+clock+}",
        "  title: Token expired[- early on laptops-]",
    ]
    told = doubled.json("merge", "1", "2", "--dry-run")
    assert told == {"into": "1", "merged": ["2"], "fields": {"tags": ["auth", "clock"]},
                    "dry_run": True}  # fmt: skip
    assert doubled.json("stats")["observations"] == 2


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["1"], 1, "takes two memories or more"),
        (["1", "f1"], 1, "of different kinds"),
        (["1", "99"], 1, "There is no"),
        (["1", "2", "--take", "title"], 2, "FIELD=ID"),
        (["1", "2", "--take", "mood=1"], 2, "There is: title"),
        ([], 2, "Give ids"),
    ],
)
def test_what_can_not_be_done_is_told(doubled: Mem, arguments: list[str], code: int, told: str) -> None:
    assert told in doubled.refused("merge", *arguments, code=code)
    assert doubled.json("stats")["observations"] == 2


def test_what_was_told_apart_is_not_offered_again(doubled: Mem) -> None:
    assert len(doubled.json("dedupe")) == 1
    told = doubled.json("dedupe", "--not-duplicates", "1", "2")
    assert told == {"not_duplicates": ["1", "2"], "new_pairs": 1}
    assert doubled.json("dedupe") == []
    assert "known already" in doubled("dedupe", "--not-duplicates", "1", "2").stderr
    doubled.ok("undo")
    assert len(doubled.json("dedupe")) == 1
    for arguments in (("1", "2"), ("--not-duplicates",), ("--not-duplicates", "1", "--merge")):
        doubled.refused("dedupe", *arguments, code=2)


def test_a_memory_shows_what_was_merged_into_it_and_from_which_sessions(mem: Mem) -> None:
    for number in (1, 2):
        mem.ok("add", f"Token expired {number}", "--session", f"c-{number}")
    assert "merged into it" not in mem.ok("show", "1")
    mem.ok("merge", "1", "2")
    shown = mem.ok("show", "1")
    assert "merged into it:\n" in shown and " of @2" in shown
    (told,) = mem.json("show", "1")
    assert len(told["merged"]) == 1
