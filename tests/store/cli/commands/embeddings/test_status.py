"""`mem embeddings status` and `test`, and what `mem doctor` and `mem queue cost` tell."""

import json
from pathlib import Path
from typing import Any

import pytest

from memtui.store.leaves.embeddings.model import embedder
from memtui.store.leaves.embeddings.tokenizer import load_tokenizer
from tests.store.cli.runner import Mem
from tests.store.scripted_server import Scripted, ScriptedServer

KEYS = {"provider", "name", "from", "memories", "bytes", "unknown", "trouble"}


@pytest.fixture
def chosen(some: Mem, model: Path) -> Mem:
    """A memory that is compared by a static model."""
    some.ok("embeddings", "set", "static", "--directory", str(model))
    return some


def use(mem: Mem, server: ScriptedServer, *options: str) -> None:
    line = ("embeddings", "set", "openai-compatible", "--model", "m", "--url", server.url)
    mem.ok(*line, *options)


def check(mem: Mem) -> tuple[bool, str]:
    """What `mem doctor` says of embeddings."""
    checks = json.loads(mem("doctor", "--json").stdout)["checks"]
    (found,) = (one for one in checks if one["name"] == "embeddings")
    return found["ok"], found["found"]


def test_status_is_off_without_a_model_with_and_without_a_memory(
    mem: Mem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert mem.ok("embeddings", "status") == "off"
    mem.ok("add", "a clock")
    result = mem("embeddings", "status")
    assert result.stdout == "off\n" and "`mem embeddings set` names a model" in result.stderr
    assert mem.json("embeddings", "status") == {"provider": "off", "name": None}
    assert check(mem) == (True, "word vectors of memtui's own")
    monkeypatch.setenv("MEMTUI_CONFIG", str(tmp_path / "off.toml"))
    mem.ok("config", "set", "search.meaning", "false")
    assert check(mem) == (True, "off")


def test_status_tells_of_how_much_vectors_are_kept_and_which_words_are_unknown(chosen: Mem) -> None:
    chosen.ok("search", "code clock")
    found = chosen.json("embeddings", "status")
    assert found.keys() == KEYS
    assert (found["memories"], found["bytes"], found["trouble"]) == (3, 3 * 2 * 8, None)
    assert found["unknown"] == {"letters": 0.0}
    chosen.ok("add", "a b c unheard words")
    told = chosen.ok("embeddings", "status")
    assert "of 3 memories, 0.0 MB" in told and "unknown words: letters 23.1 %" in told
    assert check(chosen) == (True, "static:tiny: vectors of 3 memories")


def test_a_model_without_a_memory_is_shown(mem: Mem, model: Path, config: Path) -> None:
    config.parent.mkdir()
    config.write_text(f'[embeddings]\nprovider = "static"\ndirectory = "{model}"\n')
    assert mem.json("embeddings", "status")["memories"] == 0
    assert not mem.db.exists()


def test_a_wrong_configuration_is_told(some: Mem, config: Path) -> None:
    assert "`mem embeddings set` names one" in some.refused("embeddings", "test")
    config.parent.mkdir()
    config.write_text('[embeddings]\nprovider = "static"\n')
    for name in ("status", "test"):
        assert "name the model's directory" in some.refused("embeddings", name)
    is_well, found = check(some)
    assert not is_well and "name the model's directory" in found


def test_a_text_is_embedded_to_try_the_model(chosen: Mem) -> None:
    result = chosen("embeddings", "test")
    assert result.stdout == "" and "static:tiny: 1 text in " in result.stderr
    assert " ms, 8 dimensions" in result.stderr
    lines = chosen.ok("embeddings", "test", "the clock", "clock the", "tabs").splitlines()
    assert [line.split("\t")[1] for line in lines] == ["the clock", "clock the", "tabs"]
    assert lines[0].startswith("1.000") and lines[1].startswith("1.000")
    found = chosen.json("embeddings", "test", "the clock", "tabs")
    assert (found["model"], found["dimensions"]) == ("static:tiny", 8)
    assert [one["text"] for one in found["texts"]] == ["the clock", "tabs"]
    assert found["texts"][1]["similarity"] < 0.9
    assert "no vector" in chosen("embeddings", "test", "unheard").stderr


def test_loading_the_model_is_no_part_of_the_time(chosen: Mem, monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[Path] = []

    def load(path: Path) -> Any:
        loaded.append(path)
        return load_tokenizer(path)

    monkeypatch.setattr("memtui.store.leaves.embeddings.local_models.load_tokenizer", load)
    embedder.cache_clear()
    chosen.ok("embeddings", "test", "the clock")
    assert len(loaded) == 1


def test_what_the_provider_says_is_the_test_s_answer(some: Mem, server: ScriptedServer) -> None:
    use(some, server)
    server.answers = lambda _: Scripted(404, b'{"error": "model m not found"}')
    told = some.refused("embeddings", "test", "x")
    assert "openai-compatible:m: HTTP 404: model m not found" in told


def test_what_was_sent_is_counted_and_listed(some: Mem, server: ScriptedServer) -> None:
    use(some, server, "--price", "1", "--daily-tokens", "100000")
    some.ok("search", "code clock")
    found = some.json("queue", "cost")
    (day,) = found["days"]
    assert (day["model"], day["use"]) == ("openai-compatible:m", "embeddings")
    assert day["dollars"] == pytest.approx(day["input"] / 1e6) and day["input"] > 0
    assert found["embeddings"]["left_today"] == 100_000 - day["input"]
    assert found["left_today"] is None
    result = some("queue", "cost")
    assert "openai-compatible:m makes vectors. Today " in result.stderr
    assert "openai-compatible:m\t" in result.stdout
