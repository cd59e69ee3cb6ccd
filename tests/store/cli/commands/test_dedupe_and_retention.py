"""`mem dedupe` and `mem store retention`."""

from tests.promises import promise

from ..runner import Mem, filling

STORY = "The refresh call used the client's time, and a laptop five minutes ahead was told no."


@filling
def doubled(mem: Mem) -> None:
    mem.ok("add", "Token expired early", "--narrative", STORY, "--fact", "TTL is 24 h")
    mem.ok("add", "Token expired too early", "--narrative", STORY, "--fact", "leeway is 60 s")
    mem.ok("add", "Moved the cache")


def test_dedupe_lists_what_is_alike_and_changes_nothing(doubled: Mem) -> None:
    for arguments in ((), ("--dry-run",)):
        lines = [line.split("\t") for line in doubled.ok("dedupe", *arguments).splitlines()]
        assert [line[0] for line in lines] == ["1", ""]
        assert (lines[1][1], lines[1][3]) == ("2", "same narrative")
    assert doubled.json("stats")["observations"] == 3
    (cluster,) = doubled.json("dedupe")
    assert (cluster["keep"], cluster["merged"]) == ("1", False)
    assert cluster["like"][0]["ref"] == "2"
    assert doubled.json("dedupe", "--similarity", "99") == []


@promise("undo-exact")
def test_dedupe_merges_when_told_and_undo_takes_it_back(doubled: Mem) -> None:
    assert doubled.json("dedupe", "--merge")[0]["merged"] is True
    (shown,) = doubled.json("show", "1")
    assert shown["facts"] == ["TTL is 24 h", "leeway is 60 s"]
    assert doubled.json("stats")["observations"] == 2
    assert doubled.ok("undo") == (
        "Undone: 1 cluster of duplicates merged. Restored: “Token expired too early”. "
        "Changed back: “Token expired early”."
    )
    assert doubled.json("stats")["observations"] == 3
    (cluster,) = doubled.json("dedupe")
    assert (cluster["keep"], cluster["merged"]) == ("1", False)
    assert cluster["like"][0]["ref"] == "2"
    assert doubled.json("dedupe", "--similarity", "99") == []
    doubled.refused("dedupe", "--merge", "--dry-run", code=2)


def test_retention_shows_before_it_does(mem: Mem) -> None:
    mem.ok("add", "old", "--at", "2020-02-18", "--project", "atlas")
    mem.ok("add", "new", "--project", "atlas")
    mem.ok("retention", "set", "--days", "90", "--project", "atlas", "--grace", "0")
    assert mem.ok("retention", "list") == "atlas\t90\t0"
    shown = mem("retention", "run", "--dry-run")
    assert shown.stdout.splitlines() == ["atlas\t90 days\t2020-02-18\t2020-02-18\t\t1 observation"]
    assert "Nothing was changed" in shown.stderr
    assert mem.json("stats")["observations"] == 2
    done = mem.json("retention", "run")
    assert (done["dry_run"], done["done"]) == (False, 1)
    assert [hit["title"] for hit in mem.json("search", "project:atlas")] == ["new"]
    assert mem.ok("undo") == "Undone: old memories deleted by their policy. Restored: “old”."
    mem.ok("retention", "run")
    assert mem.json("retention", "run")["due"][0]["purged"] == {"observations": 1}
    assert mem.json("search", "is:deleted") == []
    mem.ok("retention", "clear", "--project", "atlas")
    assert mem.json("retention", "list") == []
    assert "no policy" in mem.refused("retention", "clear", "--project", "atlas")


def test_what_is_deleted_is_told_to_come_back_and_what_is_purged_not(mem: Mem) -> None:
    mem.ok("add", "old", "--at", "2020-02-18")
    mem.ok("retention", "set", "--days", "90", "--grace", "0")
    assert "`mem undo` brings back" in mem("retention", "run").stderr
    assert mem("retention", "run").stderr == "Done: 1 record.\n"


def test_both_fit_a_narrow_terminal(doubled: Mem) -> None:
    project = "a-project-of-some-length"
    doubled.ok("add", "Token expired", "--narrative", STORY, "--project", project)
    doubled.ok("add", "Token has expired", "--narrative", STORY, "--project", project)
    doubled.ok("add", "old", "--at", "2020-02-18", "--project", project)
    doubled.ok("prompt", "why?", "--session", "c-1", "--at", "2020-02-18", "--project", project)
    doubled.ok("retention", "set", "--days", "90")
    alike = doubled.on_terminal("dedupe", COLUMNS="80")
    assert f"oldest of {project}" in alike
    assert "Token has expired" in alike
    due = doubled.on_terminal("retention", "run", "--dry-run", COLUMNS="80")
    assert "2020-02-18" in due and "observation" in due
    assert "…" not in due
