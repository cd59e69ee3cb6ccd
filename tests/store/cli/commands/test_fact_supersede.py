"""`mem fact supersede` and `reinstate`, and how the kinds of facts are told."""

from __future__ import annotations

from ..runner import Mem, filling


@filling
def built(mem: Mem) -> None:
    """Two facts, of which the second replaces the first."""
    mem.ok("fact", "add", "Atlas is built with npm", "--project", "atlas", "--kind", "world")
    mem.ok("fact", "add", "Atlas is built with pnpm", "--project", "atlas", "--kind", "world")


def test_both_show_which_is_which_by_their_titles(built: Mem) -> None:
    assert built.ok("fact", "supersede", "f1", "f2") == "f2"
    for command in (("show",), ("fact", "show")):
        assert "superseded by: f2 Atlas is built with pnpm" in built.ok(*command, "f1")
        assert "supersedes:\n    f1 Atlas is built with npm" in built.ok(*command, "f2")
    (old,) = built.json("show", "f1")
    assert (old["successor"]["ref"], old["supersedes"]) == ("f2", [])
    new = built.json("fact", "show", "f2")
    assert [one["title"] for one in new["supersedes"]] == ["Atlas is built with npm"]
    assert new["successor"] is None


def test_lists_and_searches_mark_the_old_one(built: Mem) -> None:
    built.ok("fact", "supersede", "f1", "f2")
    shown = [line.split("\t")[-1] for line in built.ok("fact", "list").splitlines()]
    assert shown == ["Atlas is built with pnpm", "[superseded by f2] Atlas is built with npm"]
    assert [one["ref"] for one in built.json("fact", "list", "--current")] == ["f2"]
    types = {one["ref"]: one["superseded"] for one in built.json("search", "atlas")}
    assert types == {"f1": True, "f2": False}
    assert built.ok("search", "is:superseded").split("\t")[1] == "fact, superseded"


def test_what_holds_now_can_be_typed(built: Mem) -> None:
    done = built.json("fact", "supersede", "f2", "--text", "Atlas is built with bun")
    assert (done["old"]["ref"], done["new"]["ref"], done["changed"]) == ("f2", "f3", True)
    assert (done["new"]["kind"], done["new"]["kind_name"]) == ("W", "world")
    assert built.ok("fact", "supersede", "f1", "--text", "-", input="Built with deno\n") == "f4"
    built.ok("undo", "2")
    assert [one["ref"] for one in built.json("fact", "list", "--current")] == ["f2", "f1"]


def test_a_dry_run_tells_and_changes_nothing(built: Mem) -> None:
    assert "f2\tAtlas is built with pnpm" in built.ok("fact", "supersede", "f1", "f2", "--dry-run")
    assert built.json("fact", "supersede", "f1", "--text", "x", "--dry-run")["new"] is None
    assert "itself" in built.refused("fact", "supersede", "f1", "f1", "--dry-run")
    assert len(built.json("fact", "list", "--current")) == 2


def test_it_can_be_reinstated(built: Mem) -> None:
    built.ok("fact", "supersede", "f1", "f2")
    assert "can't supersede" in built.refused("fact", "supersede", "f2", "f1")
    assert built.ok("fact", "reinstate", "f1", "f2").splitlines() == ["f1", "f2"]
    assert len(built.json("fact", "list", "--current")) == 2
    built.ok("undo")
    assert len(built.json("fact", "list", "--current")) == 1


def test_either_a_fact_or_a_text_holds_in_its_place(built: Mem) -> None:
    built.refused("fact", "supersede", "f1", code=2)
    built.refused("fact", "supersede", "f1", "f2", "--text", "x", code=2)
    assert "There is no fact f9" in built.refused("fact", "supersede", "f1", "f9")


def test_a_kind_is_a_word_wherever_people_read_it(built: Mem) -> None:
    assert built.ok("fact", "list").splitlines()[0].split("\t")[1] == "fact"
    for command in (("show", "f1"), ("fact", "show", "f1")):
        assert "kind: fact" in built.ok(*command).splitlines()
    built.ok("edit", "f1", "--kind", "opinion")
    assert "kind: [-fact-]{+preference+}" in built.ok("history", "f1")
    for word in ("opinion", "O", "o", "Opinion", "preference"):
        assert [one["ref"] for one in built.json("fact", "list", "--kind", word)] == ["f1"]
    told = built.refused("fact", "add", "x", "--kind", "belief", code=2)
    assert "'belief' is not one of fact, rule, preference, summary" in told
