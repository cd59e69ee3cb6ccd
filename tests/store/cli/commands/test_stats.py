"""`mem stats`: the counts that it always gave, and the statistics beside them."""

from pathlib import Path

from memtui.store import Store

from ..runner import Mem, filling

CONTRACT = [
    *("path", "observations", "prompts", "summaries", "facts", "notes", "sessions", "pending"),
    *("hidden", "noise", "replies", "reply_characters", "projects", "first_at", "last_at", "bytes"),
    *("deleted", "statistics"),
]


@filling
def filled(mem: Mem) -> None:
    mem.ok("add", "Clock drift", "--type", "bugfix", "--project", "a", "--tokens", "1200",
           "--concept", "clock", "--modified", "src/clock.py")  # fmt: skip
    mem.ok("add", "Long ago", "--type", "note", "--project", "b", "--at", "2y")
    mem.ok("add", "Hidden", "--type", "bugfix", "--project", "a", "--private")


def test_the_keys_that_scripts_know_stay_and_statistics_come_beside_them(filled: Mem) -> None:
    found = filled.json("stats")
    assert list(found) == CONTRACT
    assert (found["observations"], found["hidden"]) == (2, 1)
    told = found["statistics"]
    assert (told["range"], told["project"], told["memories"]) == ("year", None, 1)
    assert told["tokens"]["discovered"] == 1200
    [day] = [day for day in told["days"] if day["memories"]]
    assert (day["memories"], day["tokens_discovered"], day["day"]) == (1, 1200, told["until"])
    [bar] = told["by_type"]["values"]
    assert (bar["value"], bar["memories"], sum(bar["by_step"])) == ("bugfix", 1, 1)
    assert len(bar["by_step"]) == len(told["steps"]) == len(told["growth"])
    assert told["files"] == [{"value": "src/clock.py", "memories": 1}]
    assert told["concepts"] == [{"value": "clock", "memories": 1}]
    assert [told["growth"][place]["memories"] for place in (0, -1)] == [1, 2]


def test_summaries_are_counted_as_an_export_counts_them(mem: Mem, tmp_path: Path) -> None:
    mem.ok("session", "start", "c-1")
    with Store.open(mem.db) as store:
        for level in ("detailed", "brief"):
            store.summaries.add("c-1", level=level, completed="The valve was mended.", prompt_number=1)
    exported = mem.json("export", "jsonl", str(tmp_path / "a.jsonl"))["counts"]
    assert mem.json("stats")["summaries"] == exported["summaries"] == 2


def test_a_range_and_a_project_narrow_the_statistics_only(filled: Mem) -> None:
    every = filled.json("stats", "--range", "all")
    assert every["statistics"]["memories"] == 2
    of_b = filled.json("stats", "--range", "all", "--project", "b")
    assert of_b["observations"] == 2
    assert of_b["statistics"]["memories"] == 1
    assert [bar["value"] for bar in of_b["statistics"]["by_project"]["values"]] == ["b"]
    assert "--range" in filled.refused("stats", "--range", "decade", code=2)


def test_totals_have_separators_of_thousands_as_the_figures_below_them(mem: Mem) -> None:
    with Store.open(mem.db) as store, store.transaction():
        session = store.sessions.start("c-1", agent="codex", project="a")
        for number in range(1_001):
            store.prompts.add(session, f"Prompt {number}")
    assert {"prompts: 1,001", "memories: 1,001"} <= set(mem.ok("stats").splitlines())


def test_people_read_totals_then_the_range_then_a_table(filled: Mem) -> None:
    lines = filled.ok("stats", "--range", "30d").splitlines()
    assert lines[0] == "store"
    assert "observations: 2" in lines
    assert "memories: 1" in lines
    assert "tokens to discover: 1,200" in lines
    assert "type\tbugfix\t1" in lines
    assert "file\tsrc/clock.py\t1" in lines


def test_an_empty_memory_has_statistics_of_nothing(mem: Mem) -> None:
    mem.ok("add", "Hidden", "--private")
    told = mem.json("stats")["statistics"]
    assert (told["memories"], told["by_type"]["values"], told["files"]) == (0, [], [])
