"""`mem search`."""

from pathlib import Path

import pytest

from memtui.store import Store

from ....hostile import hostile_queries
from ..runner import Mem, filling

KEYS = [
    "kind", "id", "ref", "uid", "title", "snippet", "score", "tier", "project", "session", "type",
    "created_at", "superseded", "taken_back", "stale", "told", "pending", "similarity", "turn", "passage",
]  # fmt: skip


@filling
def filled(mem: Mem) -> None:
    mem.ok(
        "add", "Refresh token expired", "--type", "bugfix", "--session", "c-1",
        "--narrative", "The clock drifted by 90 s.", "--at", "2026-02-18",
    )  # fmt: skip
    mem.ok("prompt", "why does the token expire?", "--session", "c-1")
    mem.ok("summary", "--session", "c-1", "--learned", "The token needs a leeway")
    mem.ok("fact", "add", "A token lives 24 h")


def test_hits_have_stable_keys(filled: Mem) -> None:
    (hit,) = filled.json("search", "drifted", "--exact")
    assert list(hit) == KEYS
    expected = {
        "kind": "observation", "id": 1, "ref": "1", "title": "Refresh token expired",
        "tier": "exact", "project": "atlas", "session": "c-1", "type": "bugfix",
    }  # fmt: skip
    assert hit.items() >= expected.items()
    assert "«drifted»" in hit["snippet"]


def test_every_kind_of_record_is_found(filled: Mem) -> None:
    hits = filled.json("search", "token", "--exact")
    assert {hit["ref"] for hit in hits} == {"1", "p1", "s1", "f1"}
    assert {hit["ref"]: hit["session"] for hit in hits} == {
        "1": "c-1", "p1": "c-1", "s1": "c-1", "f1": None,
    }  # fmt: skip


def test_several_words_are_one_query(filled: Mem) -> None:
    assert [hit["ref"] for hit in filled.json("search", "clock", "type:bugfix", "--exact")] == ["1"]


def test_a_line_has_tabs_and_marks_in_a_pipe(filled: Mem) -> None:
    line = filled.ok("search", "drifted", "--exact")
    assert line == (
        "1\tbugfix\tRefresh token expired\tatlas\t2026-02-18 00:00\tThe clock «drifted» by 90 s."
    )


def test_nothing_found_is_no_failure(filled: Mem) -> None:
    result = filled("search", "zebra", "--exact")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "Nothing was found.\n"
    assert filled.json("search", "zebra", "--exact") == []


@pytest.mark.parametrize(
    ("query", "shown"),
    [("token", "the best 1"), ("token sort:recent", "the newest 1"), ("kind:fact,prompt", "the newest 1")],
)
def test_there_is_more_than_the_limit(filled: Mem, query: str, shown: str) -> None:
    result = filled("search", query, "-n", "1")
    assert len(result.stdout.splitlines()) == 1
    assert result.stderr == f"These are {shown}; -n 5 shows more.\n"


def test_it_tells_when_only_the_newest_were_ranked(filled: Mem, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memtui.store.search.matching.NEWEST_RANKED", (2,))
    result = filled("search", "token", "-n", "1")
    assert result.stderr == "These are the best 1 of the newest 2 that match; -n 5 shows more.\n"


def test_related_memories_follow_unless_exact_is_asked_for(filled: Mem) -> None:
    assert filled.json("search", "drifting", "--exact") == []
    related = filled.json("search", "drifting clocks")
    assert [(hit["ref"], hit["tier"]) for hit in related] == [("1", "related")]
    assert filled.ok("search", "drifting clocks").startswith("~1\t")


def test_pinned_memories_come_first_when_asked_for(filled: Mem) -> None:
    refs = {hit["ref"] for hit in filled.json("search", "token")}
    for ref in refs:
        filled.ok("pin", ref)
        for query in ("token sort:pinned", "sort:pinned"):
            assert filled.json("search", query)[0]["ref"] == ref
        filled.ok("unpin", ref)


def test_a_query_is_needed(filled: Mem) -> None:
    assert "Give a QUERY" in filled.refused("search", code=2)


@pytest.mark.long
def test_no_query_breaks_it(filled: Mem) -> None:
    queries = [query for _, query in hostile_queries() if len(query) < 2_000]
    for query in ["", " ", '"', "-", "NEAR(", *queries]:
        result = filled("search", "--", query)
        assert result.exit_code == 0, (query[:80], result.stderr)


def test_hits_are_turns_unless_records_are_wanted(
    mem: Mem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store.open(mem.db) as store:
        session = store.sessions.start("s-1", project="atlas")
        store.prompts.add(session, "why does the valve leak?", prompt_number=1)
        store.observations.add(session, title="The valve is old", tool_name="reply", prompt_number=1)
    (hit,) = mem.json("search", "valve")
    assert hit["turn"] == {
        "number": 1,
        "kind": "answer",
        "question": "why does the valve leak?",
        "verdict": "The valve is old",
        "others": [{"1": "p1", "p1": "1"}[hit["ref"]]],
    }
    assert "asked: why does the valve leak?" in mem.ok("search", "old valve", "--for-agent")
    assert {one["ref"] for one in mem.json("search", "valve", "--records")} == {"1", "p1"}
    (tmp_path / "config.toml").write_text("[search]\nrecords = true\n")
    monkeypatch.setenv("MEMTUI_CONFIG", str(tmp_path / "config.toml"))
    assert {one["ref"] for one in mem.json("search", "valve")} == {"1", "p1"}


@pytest.mark.long
def test_on_a_terminal_a_repository_is_searched_first(mem: Mem) -> None:
    mem.ok("add", "valve opened")
    mem.ok("add", "valve closed", "--project", "harbour")
    here = mem.on_terminal("search", "valve")
    assert "Only in atlas, the project here; --everywhere searches all." in here
    assert "opened" in here
    assert "closed" not in here
    for everything in (
        mem.on_terminal("search", "valve", "--everywhere"),
        mem.on_terminal("search", "valve", "--json"),
        mem.on_terminal("search", "valve project:atlas,harbour"),
        mem.ok("search", "valve"),
    ):
        assert "opened" in everything
        assert "closed" in everything
    sent = mem.on_terminal("search", "closed")
    assert "Nothing in atlas, the project here; 1 hit elsewhere, with --everywhere." in sent


def test_alternatives_are_searched_here_too(mem: Mem) -> None:
    mem.ok("add", "valve opened")
    mem.ok("add", "pump started", "--project", "harbour")
    sent = mem.on_terminal("search", "valve OR pump")
    assert "opened" in sent
    assert "started" not in sent


@pytest.mark.long
def test_an_id_that_is_searched_for_is_said_to_be_one(mem: Mem) -> None:
    mem.ok("add", "The TTL is 24 h", "--session", "c-1", "--modified", "src/auth.py")
    mem.ok("prompt", "Why 7 hours?", "--session", "c-1")
    for query, told in (
        ("p1", "`mem show p1` shows the prompt of that id: Why 7 hours?"),
        ("1", "`mem show 1` shows the observation of that id: The TTL is 24 h"),
        ("@1", "`mem show @1` shows the session of that id: "),
        ("f1", "Nothing was found."),
    ):
        assert told in mem.process("search", query).stderr.decode()
    assert "`mem show" not in mem.process("search", "hours").stderr.decode()
