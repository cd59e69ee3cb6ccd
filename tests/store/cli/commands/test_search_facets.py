"""`mem search --facets`: how what matches divides."""

import re

import pytest

from memtui.store import Hits, Store

from ..runner import Mem, filling

STYLE = re.compile(r"\x1b\[[0-9;]*m")


@filling
def filled(mem: Mem) -> None:
    mem.ok("add", "token one", "--type", "bugfix", "--project", "atlas", "--at", "2026-02-18")
    mem.ok("add", "token two", "--type", "bugfix", "--project", "缓存 服务", "--at", "2026-02-17")
    mem.ok("add", "token three", "--type", "note", "--project", "atlas", "--at", "2026-02-17")
    mem.ok("add", "clock", "--type", "error", "--project", "atlas", "--at", "2026-02-16")


def test_it_counts_what_matches(filled: Mem) -> None:
    assert filled.json("search", "token", "--facets", "--everywhere") == {
        "total": 3,
        "facets": {
            "project": [{"value": "atlas", "count": 2}, {"value": "缓存 服务", "count": 1}],
            "type": [{"value": "bugfix", "count": 2}, {"value": "note", "count": 1}],
            "kind": [{"value": "observation", "count": 3}],
            "agent": [{"value": "manual", "count": 3}],
            "day": [{"value": "2026-02-18", "count": 1}, {"value": "2026-02-17", "count": 2}],
        },
        "exact": True,
    }


def test_a_line_has_tabs_in_a_pipe_and_no_hits_follow(filled: Mem) -> None:
    assert filled.ok("search", "token", "--facets", "--everywhere").splitlines() == [
        "project\tatlas\t2", "project\t缓存 服务\t1", "type\tbugfix\t2", "type\tnote\t1",
        "kind\tobservation\t3", "agent\tmanual\t3", "day\t2026-02-18\t1", "day\t2026-02-17\t2",
    ]  # fmt: skip


def test_they_are_aligned_on_a_terminal(filled: Mem) -> None:
    lines = STYLE.sub("", filled.on_terminal("search", "token", "--facets", "--everywhere")).splitlines()
    assert [line.rstrip() for line in lines] == [
        "project  atlas        2",
        "         缓存 服务    1",
        "type     bugfix       2",
        "         note         1",
        "kind     observation  3",
        "agent    manual       3",
        "day      2026-02-18   1",
        "         2026-02-17   2",
        "Of 3 hits.",
    ]


def test_a_count_that_is_a_bound_says_so(filled: Mem, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memtui.store.search.facets.AT_MOST", 2)
    counted = filled.json("search", "token", "--facets", "--everywhere")
    assert counted["exact"] is False
    assert "agent\tmanual\t2+" in filled.ok("search", "token", "--facets", "--everywhere").splitlines()


def test_all_are_told_as_a_bound_where_there_are_too_many(
    filled: Mem, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert filled("search", "two", "--facets").stderr == "Of 1 hit.\n"
    monkeypatch.setattr("memtui.store.search.facets.AT_MOST", 2)
    assert filled("search", "token", "--facets", "--everywhere").stderr == "Of 2+ hits.\n"


def test_hits_are_not_read_again_to_be_counted(filled: Mem, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(Hits, "count")
    assert filled("search", "token", "--facets", "--everywhere").stderr == "Of 3 hits.\n"


def test_related_memories_are_not_counted_but_what_may_have_been_meant_is_told(filled: Mem) -> None:
    result = filled("search", "tokne", "--facets")
    assert result.stdout == ""
    assert result.stderr == ('No memory has the word "tokne". Did you mean: mem search token?\n')
    assert filled.json("search", "tokne", "--facets")["total"] == 0


@pytest.mark.long
def test_thousands_are_parted(mem: Mem) -> None:
    with Store.open(mem.db) as store, store.transaction():
        for _ in range(1_234):
            store.facts.add(f"fact {_}")
    assert "kind\tfact\t1,234" in mem.ok("search", "fact", "--facets").splitlines()


def test_it_counts_what_filters_leave(filled: Mem) -> None:
    counted = filled.json("search", "project:atlas", "--facets")["facets"]
    assert counted["type"] == [
        {"value": "bugfix", "count": 1},
        {"value": "error", "count": 1},
        {"value": "note", "count": 1},
    ]


def test_nothing_found_has_no_counts(filled: Mem) -> None:
    result = filled("search", "zebra", "--facets")
    assert (result.stdout, result.stderr) == ("", "Nothing was found.\n")
    assert not any(filled.json("search", "zebra", "--facets")["facets"].values())


def test_it_can_be_explained(filled: Mem) -> None:
    result = filled("search", "token", "--facets", "--explain")
    assert 'find "token"' in result.stderr
    assert result.stdout == filled("search", "token", "--facets", "--everywhere").stdout
    document = filled.json("search", "token", "--facets", "--explain")
    assert list(document) == ["understood", "total", "facets", "exact"]


def test_values_cannot_speak_to_the_terminal(mem: Mem) -> None:
    mem.ok("add", "token", "--type", "\x1b]0;title\x07 [red]x", "--project", "a\tb\u202ec")
    sent = STYLE.sub("", mem.on_terminal("search", "token", "--facets", "--everywhere"))
    assert "[red]x" in sent
    assert not {"\x1b", "\x07", "\t", "\u202e"} & set(sent)
