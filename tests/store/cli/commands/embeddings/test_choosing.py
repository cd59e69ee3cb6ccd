"""`mem embeddings set` tries a model, writes it down, and has its vectors built."""

import json
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from memtui.store.leaves.embeddings.embedders import Embedder
from memtui.store.observe.jobs import job
from tests.store.cli.runner import Mem
from tests.store.embeddings.models import WORDS
from tests.store.scripted_server import Scripted, ScriptedServer

start_job = job.start_job


def table(config: Path) -> dict[str, Any]:
    found: dict[str, Any] = tomllib.loads(config.read_text("utf-8"))["embeddings"]
    return found


def test_a_model_is_tried_written_down_and_built_in_the_background(
    some: Mem, config: Path, model: Path, jobs: list[Path]
) -> None:
    told = some("embeddings", "set", "static", "--directory", str(model)).stderr
    assert "static:tiny makes vectors now, by " in told and "8 dimensions" in told
    assert "To be built: 3 records, about " in told and "in the background" in told
    assert table(config) == {"provider": "static", "directory": str(model)}
    assert jobs == [some.db]


def test_the_background_job_builds_all(some: Mem, model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job, "start_job", start_job)
    some.ok("embeddings", "set", "static", "--directory", str(model))
    assert job._started[-1].wait() == 0
    found = some.json("embeddings", "status")
    assert (found["records"], found["left"], found["is_whole"]) == (3, 0, True)


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


def test_costs_are_told_where_the_price_is_known(some: Mem, server: ScriptedServer) -> None:
    line = ("embeddings", "set", "openai-compatible", "--model", "m", "--url", server.url)
    assert "of unknown price" in some(*line).stderr
    assert "$0.0" in some(*line, "--price", "2").stderr
    found = some.json(*line, "--price", "2")
    assert found["dollars"] == pytest.approx(2 * found["tokens"] / 1e6)


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
    line = ("openai-compatible", "--model", "m")
    assert "pip install 'memtui[vec]'" in refused(*line, "--no-check", code=1)
    assert not config.exists()


def test_off_keeps_vectors_until_they_are_dropped(
    some: Mem, config: Path, model: Path, jobs: list[Path]
) -> None:
    some.ok("embeddings", "set", "static", "--directory", str(model))
    some.ok("embeddings", "build")
    jobs.clear()
    assert "stay until `mem embeddings drop`" in some("embeddings", "set", "off").stderr
    assert table(config)["provider"] == "off"
    some.ok("add", "a clock drifts")
    assert not jobs
    assert some.json("embeddings", "status")["bytes"] > 0
    assert some.json("embeddings", "set", "off") == {"provider": "off", "path": str(config)}


def test_the_directory_is_written_down_whole(
    some: Mem, config: Path, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(model.parent)
    some.ok("embeddings", "set", "static", "--directory", "tiny")
    assert table(config)["directory"] == str(model)
    assert len(json.loads((model / "tokenizer.json").read_text())["model"]["vocab"]) == len(WORDS)
