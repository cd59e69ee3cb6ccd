"""`mem embeddings set` tries a model and writes it down."""

import json
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from memtui.store.leaves.embeddings.embedders import Embedder
from memtui.store.leaves.embeddings.model import embedder
from tests.store.cli.runner import Mem
from tests.store.embeddings.models import WORDS
from tests.store.scripted_server import Scripted, ScriptedServer


def table(config: Path) -> dict[str, Any]:
    found: dict[str, Any] = tomllib.loads(config.read_text("utf-8"))["embeddings"]
    return found


def test_a_model_is_tried_and_written_down(some: Mem, config: Path, model: Path) -> None:
    told = some("embeddings", "set", "static", "--directory", str(model)).stderr
    assert "static:tiny compares meaning now, by " in told and "8 dimensions" in told
    assert table(config) == {"provider": "static", "directory": str(model)}


def test_comments_order_and_the_rest_of_the_file_stay(some: Mem, config: Path, model: Path) -> None:
    config.parent.mkdir()
    before = '# mine\n[browser]\ntheme = "nord"  # dark\n\n[embeddings]\nbatch = 8  # small\n'
    config.write_text(before)
    some.ok("embeddings", "set", "static", "--directory", str(model), "--daily-tokens", "9")
    after = config.read_text()
    assert after.startswith(before)
    assert table(config) == {
        "batch": 8, "provider": "static", "directory": str(model), "daily_tokens": 9,
    }  # fmt: skip


def test_what_belongs_to_the_former_model_goes(
    some: Mem, config: Path, model: Path, server: ScriptedServer
) -> None:
    some.ok(
        *("embeddings", "set", "openai-compatible", "--model", "nomic", "--url", server.url),
        *("--query-prefix", "query: ", "--document-prefix", "passage: ", "--price", "0.5"),
        *("--daily-tokens", "1000"),
    )
    assert table(config) == {
        "provider": "openai-compatible", "model": "nomic", "url": server.url, "price": 0.5,
        "query_prefix": "query: ", "document_prefix": "passage: ", "daily_tokens": 1000,
    }  # fmt: skip
    assert {text[:9] for body in server.bodies for text in body["input"]} == {"passage: "}
    some.ok("embeddings", "set", "static", "--directory", str(model))
    assert table(config) == {"provider": "static", "directory": str(model), "daily_tokens": 1000}


def test_a_program_that_gives_the_key_stays_unless_a_variable_takes_its_place(
    some: Mem, config: Path, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    config.parent.mkdir()
    config.write_text('[embeddings]\nkey_command = ["echo", "sk-1"]\n')
    line = ("embeddings", "set", "openai-compatible", "--model", "m", "--url", server.url)
    some.ok(*line)
    assert server.headers[-1]["authorization"] == "Bearer sk-1"
    monkeypatch.setenv("THEIR_KEY", "sk-2")
    some.ok(*line, "--key-env", "THEIR_KEY")
    assert server.headers[-1]["authorization"] == "Bearer sk-2"
    assert "key_command" not in table(config)


def test_dimensions_are_cut(some: Mem, config: Path, model: Path) -> None:
    line = ("embeddings", "set", "static", "--directory", str(model), "--dimensions", "4")
    assert some.json(*line)["dimensions"] == 4
    assert table(config)["dimensions"] == 4


def test_a_program_is_named_after_two_dashes(some: Mem, config: Path, tmp_path: Path) -> None:
    script = tmp_path / "embed.py"
    script.write_text(
        "import json, sys\n"
        "texts = json.load(sys.stdin)['texts']\n"
        "print(json.dumps({'vectors': [[1.0, len(one)] for one in texts]}))\n"
    )
    line = ("--json", "embeddings", "set", "command", "--", sys.executable, str(script))
    found = json.loads(some.ok(*line))
    assert found["dimensions"] == 2 and found["name"].startswith("command:python")
    assert table(config)["command"] == [sys.executable, str(script)]


def test_a_model_that_gives_zeros_alone_is_none(some: Mem, tmp_path: Path, config: Path) -> None:
    script = tmp_path / "embed.py"
    script.write_text("print('{\"vectors\": [[0.0, 0.0]]}')")
    told = some.refused("embeddings", "set", "command", "--", sys.executable, str(script))
    assert "a vector of zeros alone" in told and not config.exists()


def test_no_memory_is_sent_while_a_server_is_tried(some: Mem, server: ScriptedServer) -> None:
    some.ok("embeddings", "set", "openai-compatible", "--model", "m", "--url", server.url)
    assert not any("tabs" in text for body in server.bodies for text in body["input"])


def test_a_language_that_the_model_does_not_know_is_told(mem: Mem, model: Path) -> None:
    mem.ok("add", "服务器的时钟快了两分钟，所以登录失败")
    told = mem("embeddings", "set", "static", "--directory", str(model)).stderr
    assert "It doesn't know 100% of the words of your chinese memories." in told


def test_a_server_that_is_down_is_told_and_can_be_set_all_the_same(some: Mem, config: Path) -> None:
    line = ("embeddings", "set", "openai-compatible", "--model", "m", "--url", "http://127.0.0.1:9/v1")
    told = some.refused(*line)
    assert "can't be reached" in told and "--no-check" in told
    assert not config.exists()
    assert some.json(*line, "--no-check")["dimensions"] is None
    assert table(config)["url"] == "http://127.0.0.1:9/v1"


def test_a_server_that_refuses_is_quoted(some: Mem, server: ScriptedServer, config: Path) -> None:
    server.answers = lambda _: Scripted(404, b'{"error": {"message": "no model m"}}')
    line = ("embeddings", "set", "openai-compatible", "--model", "m", "--url", server.url)
    assert "openai-compatible:m: HTTP 404: no model m" in some.refused(*line)
    assert not config.exists()


def test_what_can_not_work_is_refused(
    some: Mem, config: Path, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*line: str, code: int = 2) -> str:
        return some.refused("embeddings", "set", *line, code=code)

    assert "--model nomic-embed-text" in refused("openai-compatible")
    assert "--directory" in refused("static") and "--directory" in refused("onnx")
    assert "after --" in refused("command")
    assert "--directory is for static and onnx" in refused(
        "openai-compatible", "--model", "m", "--directory", str(model)
    )
    assert "--url is for openai-compatible" in refused(
        "static", "--directory", str(model), "--url", "http://localhost"
    )
    assert "a program is for" in refused("static", "word", "--directory", str(model))
    assert "url is like" in refused("openai-compatible", "--model", "m", "--url", "localhost:1")
    assert "off takes no options" in refused("off", "--model", "m")
    assert "is not a directory" in refused("static", "--directory", "/nowhere", code=1)
    (model / "tokenizer.json").unlink()
    assert "has no tokenizer.json" in refused("static", "--directory", str(model), code=1)
    monkeypatch.setattr(Embedder, "needs", ("a_package_that_is_missing",))
    embedder.cache_clear()
    line = ("openai-compatible", "--model", "m")
    assert "pip install 'memtui[vec]'" in refused(*line, "--no-check", code=1)
    assert not config.exists()


def search(mem: Mem) -> int:
    """Search, and return of how many memories the model has made vectors."""
    mem.ok("search", "code clock")
    return int(mem.json("embeddings", "status")["memories"])


def test_off_deletes_the_vectors_that_are_kept(some: Mem, config: Path, model: Path) -> None:
    some.ok("embeddings", "set", "static", "--directory", str(model))
    assert search(some) == 3
    assert "The vectors of 3 memories were deleted." in some("embeddings", "set", "off").stderr
    assert table(config)["provider"] == "off"
    assert some.json("embeddings", "set", "off") == {"provider": "off", "path": str(config), "dropped": 0}
    some.ok("embeddings", "set", "static", "--directory", str(model))
    assert some.json("embeddings", "status")["memories"] == 0


def test_another_model_has_those_of_the_former_deleted(some: Mem, model: Path) -> None:
    line = ("embeddings", "set", "static", "--directory", str(model))
    some.ok(*line)
    assert search(some) == 3
    some.ok(*line, "--daily-tokens", "9")
    assert some.json("embeddings", "status")["memories"] == 3
    some.ok(*line, "--dimensions", "4")
    assert some.json("embeddings", "status")["memories"] == 0
    assert search(some) == 3


def test_the_directory_is_written_down_whole(
    some: Mem, config: Path, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(model.parent)
    some.ok("embeddings", "set", "static", "--directory", "tiny")
    assert table(config)["directory"] == str(model)
    assert len(json.loads((model / "tokenizer.json").read_text())["model"]["vocab"]) == len(WORDS)
