"""`mem search` with vectors: the nearest in meaning, what is like a memory, and what is told without."""

import json
from pathlib import Path

import pytest

from memtui.store.cli import plain
from tests.store.embeddings.synonyms import LONG, by_server, by_static_model
from tests.store.scripted_server import Scripted

from ..runner import Mem, filling

pytestmark = pytest.mark.extra("onnx")


@filling
def filled(mem: Mem) -> None:
    titles = (
        *("Login and the cache", "Signin and cache", "Signin with a picture and the cache", "Ledger cache"),
        *(f"Topic{number}" for number in range(40)),
    )
    lines = [json.dumps({"title": title, "type": "note"}) for title in titles]
    mem.ok("add", "--stdin", input="\n".join(lines))


@pytest.fixture
def known(filled: Mem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Mem:
    by_static_model(monkeypatch, tmp_path)
    return filled


def test_a_hit_by_meaning_is_marked_and_says_its_similarity(known: Mem) -> None:
    lines = known.ok("search", "signin picture ledger").splitlines()
    assert {line.split("\t")[0] for line in lines} == {"~2", "~3", "~4"}
    near = {one["ref"]: one["similarity"] for one in known.json("search", "signin picture ledger")}
    assert 0.3 < near["4"] < near["3"] < 0.9
    exact, *others = known.json("search", "ledger cache")
    assert (exact["tier"], exact["similarity"]) == ("exact", None) and len(others) == 3


def test_semantic_is_the_order_by_meaning(known: Mem) -> None:
    known.ok("search", "signin", "--semantic")
    assert known.json("search", "signin", "--semantic") == known.json("search", "signin sort:meaning")
    result = known("search", "signin", "--semantic", "--explain", "--exact")
    assert "\nnearest in meaning first\n" in result.stderr
    assert "exact, score 0.7" in result.stderr and "similarity 0.7" in result.stderr
    told = known.json("search", "signin", "--semantic", "--explain")
    assert (told["by_meaning"], told["trouble"]) == (True, None)
    assert told["understood"]["sort"] == "meaning"


def test_what_is_like_a_memory_is_listed_and_explained(known: Mem) -> None:
    assert known.json("search", "is:similar:2", "-n", "1")[0]["ref"] == "1"
    result = known("search", "is:similar:2", "-n", "1", "--explain")
    assert result.stderr.startswith("like 2\nnearest in meaning first\n")
    assert "These are the nearest 1;" in result.stderr


def test_a_memory_that_is_not_there_is_told(known: Mem) -> None:
    result = known("search", "is:similar:999")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "There is no visible memory 999." in result.stderr


def test_deleting_what_is_like_a_memory_deletes_what_the_search_lists(known: Mem) -> None:
    known.ok("delete", "--query", "is:similar:2 login", "--yes")
    assert known.json("search", "login", "--exact") == [] and known.json("search", "signin", "--exact")


def test_what_is_like_a_memory_is_not_followed(known: Mem) -> None:
    assert "`mem search` does that" in known.refused("tail", "is:similar:2", "--no-follow", code=2)


def test_without_vectors_words_tell_what_is_meant_unless_that_is_off(
    filled: Mem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert filled.json("search", "cache", "--semantic")[0]["similarity"] > 0.4
    monkeypatch.setenv("MEMTUI_CONFIG", str(tmp_path / "off.toml"))
    filled.ok("config", "set", "search.meaning", "false")
    result = filled("search", "signin", "--semantic")
    assert (result.exit_code, result.stdout.split("\t")[0]) == (0, "2")
    assert result.stderr.startswith("No vectors tell")
    assert filled("search", "signin").stderr == ""


def test_a_model_that_fails_is_told_in_one_sentence(
    filled: Mem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memtui.store.cli.output.hits.SLOWEST_MODEL", LONG)
    with by_server(monkeypatch, tmp_path) as (_, answers):
        answers.broken = Scripted(500)
        answers.may_answer.set()
        result = filled("search", "signin ledger")
        assert (result.exit_code, len(result.stdout.splitlines())) == (0, 3)
        assert result.stderr.count("\n") == 1 and "gave no vector" in result.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("search", "signin"),
        ("search", "signin", "--semantic", "--json"),
        ("search", "signin", "--semantic", "--explain", "--json"),
        ("search", "is:similar:2", "--for-agent", "--json"),
    ],
)
@pytest.mark.sampled
def test_the_lean_way_finds_the_same(
    known: Mem, arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    usual = known.ok(*arguments)
    assert plain.run(["--db", str(known.db), *arguments]) == 0
    assert capsys.readouterr().out.removesuffix("\n") == usual


def test_an_agent_is_told_the_order_and_what_is_wrong(known: Mem) -> None:
    told = json.loads(known.ok("search", "login signin", "--semantic", "--for-agent", "--json"))
    assert "Nearest in meaning first." in told["notes"]
    assert [hit.get("related", False) for hit in told["hits"][:2]] == [True, True]
    told = json.loads(known.ok("search", "is:similar:999", "--for-agent", "--json"))
    assert told["notes"] == ["There is no visible memory 999."]
