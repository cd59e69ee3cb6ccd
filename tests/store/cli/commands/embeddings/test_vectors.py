"""`mem embeddings status`, `build`, `test` and `drop`, and what `mem doctor` and `mem queue` tell."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from memtui.store.leaves.embeddings.building import Builder
from memtui.store.leaves.embeddings.vectors import LOCK_NAME, vectors_in

from memtui.store import Store
from memtui.store.cli import lean_add
from memtui.store.database.files.locks import FileLock
from memtui.store.leaves.embeddings.tokenizer import load_tokenizer
from memtui.store.platform.paths import make_spool_directory
from tests.store.cli.runner import Mem
from tests.store.scripted_server import Scripted, ScriptedServer

KEYS = {
    *("provider", "name", "from", "kept", "dimensions", "records", "total", "left", "passages"),
    *("bytes", "is_whole", "tokens", "seconds", "dollars", "trust", "unknown", "searched", "trouble"),
}


@pytest.fixture
def built(some: Mem, model: Path) -> Mem:
    """A memory whose vectors are whole."""
    some.ok("embeddings", "set", "static", "--directory", str(model))
    some.ok("embeddings", "build")
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
    assert result.stdout == "off\n" and "`mem embeddings set` names one" in result.stderr
    found = mem.json("embeddings", "status")
    assert found.keys() == KEYS
    assert (found["provider"], found["name"], found["kept"], found["bytes"]) == ("off", None, False, 0)
    assert check(mem) == (True, "word vectors of memtui's own")
    monkeypatch.setenv("MEMTUI_CONFIG", str(tmp_path / "off.toml"))
    mem.ok("config", "set", "search.meaning", "false")
    assert check(mem) == (True, "off")


def test_status_tells_how_far_vectors_are_and_what_the_rest_takes(built: Mem) -> None:
    found = built.json("embeddings", "status")
    assert found.keys() == KEYS
    assert (found["records"], found["total"], found["left"], found["passages"]) == (3, 3, 0, 3)
    assert (found["searched"], found["dimensions"], found["is_whole"]) == ("static:tiny", 8, True)
    assert found["unknown"] == {"letters": 0.0} and found["bytes"] > 0
    built.ok("add", "a b c unheard words")
    told = built.ok("embeddings", "status")
    assert "built: 3 of 4 records (75 %)" in told and "left: 1 record, about " in told
    assert "searches: use it" in told and "unknown words: letters 23.1 %" in told
    assert check(built) == (True, "static:tiny: 75 % of 4 records built")


def test_status_says_that_the_former_model_is_searched_until_the_new_one_is_built(
    built: Mem, server: ScriptedServer
) -> None:
    use(built, server)
    assert built.json("embeddings", "status")["searched"] == "static:tiny"
    assert "use static:tiny until this one is built" in built.ok("embeddings", "status")
    built.ok("embeddings", "build")
    found = built.json("embeddings", "status")
    assert (found["searched"], found["unknown"]) == ("openai-compatible:m", {})


def test_status_says_where_no_vectors_are_kept_of_this_memory(built: Mem, tmp_path: Path) -> None:
    other = str(tmp_path / "other.db")
    built.ok("add", "a clock", "--db", other)
    result = built("embeddings", "status", "--db", other)
    assert "0 of 1 record" in result.stdout and "`mem embeddings build` begins" in result.stderr
    built.ok("embeddings", "build", "--db", other)
    assert built.json("embeddings", "status", "--db", other)["kept"]


def test_build_without_a_model_or_with_a_wrong_configuration_is_refused(some: Mem, config: Path) -> None:
    assert "`mem embeddings set` names one" in some.refused("embeddings", "build")
    config.parent.mkdir()
    config.write_text('[embeddings]\nprovider = "static"\n')
    for name in ("build", "status", "test"):
        assert "name the model's directory" in some.refused("embeddings", name)
    is_well, found = check(some)
    assert not is_well and "name the model's directory" in found


def test_build_tells_what_it_built_and_again_that_nothing_is_left(some: Mem, model: Path) -> None:
    some.ok("embeddings", "set", "static", "--directory", str(model))
    told = some("embeddings", "build").stderr
    assert "Vectors of 3 records built." in told and "All records have their vectors" in told
    assert "Vectors of" not in some("embeddings", "build").stderr
    assert some.json("embeddings", "build") == {
        "records": 0, "passages": 0, "left": 0, "stopped": "", "model": "static:tiny",
    }  # fmt: skip


def test_build_ends_when_its_time_is_up_and_goes_on_from_there(
    mem: Mem, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mem.ok("add", "--stdin", input="".join(f'{{"title": "a clock {n}"}}\n' for n in range(40)))
    mem.ok("embeddings", "set", "static", "--directory", str(model))
    with monkeypatch.context() as patch:
        late = SimpleNamespace(monotonic=lambda: float("inf"))
        patch.setattr("memtui.store.leaves.embeddings.building.time", late)
        patch.setattr(Builder, "_adapt", lambda *_: None)
        result = mem("embeddings", "build", "--seconds", "1")
    assert result.exit_code == 0 and "Vectors of 16 records built, 24 left." in result.stderr
    assert mem.json("embeddings", "build")["records"] == 24


def test_build_that_is_stopped_by_ctrl_c_loses_nothing(
    mem: Mem, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mem.ok("add", "--stdin", input="".join(f'{{"title": "a clock {n}"}}\n' for n in range(40)))
    mem.ok("embeddings", "set", "static", "--directory", str(model))
    embed = Builder._embed
    batches: list[Any] = []

    def interrupted(self: Builder, *batch: Any) -> int:
        if batches:
            raise KeyboardInterrupt
        batches.append(batch)
        return embed(self, *batch)

    with monkeypatch.context() as patch:
        patch.setattr(Builder, "_embed", interrupted)
        assert "goes on from there" in mem.refused("embeddings", "build")
    assert mem.json("embeddings", "status")["records"] == 16
    assert mem.json("embeddings", "build")["records"] == 24


def test_build_says_what_stopped_it(some: Mem, server: ScriptedServer) -> None:
    use(some, server)
    server.answers = lambda _: Scripted(401, b'{"error": {"message": "who are you"}}')
    told = some.refused("embeddings", "build")
    assert "3 left" in told and "openai-compatible:m: HTTP 401: who are you" in told
    found = some.json("embeddings", "status")
    assert "who are you" in found["trouble"]
    told = some.ok("embeddings", "status")
    assert "searches: go without vectors" in told and "trouble: HTTP 401" in told
    is_well, sentence = check(some)
    assert not is_well and "who are you" in sentence


def test_build_ends_a_rest(some: Mem, server: ScriptedServer) -> None:
    use(some, server)
    well, server.answers = server.answers, lambda _: Scripted(401)
    some.refused("embeddings", "build")
    server.answers = well
    assert some.json("embeddings", "build")["records"] == 3
    assert some.json("embeddings", "status")["trouble"] is None


def test_build_stops_at_the_daily_cap(some: Mem, server: ScriptedServer) -> None:
    use(some, server, "--no-check", "--daily-tokens", "3")
    assert "The daily cap of tokens is reached." in some.refused("embeddings", "build")
    assert not server.bodies


def test_build_waits_for_another_process_that_builds(built: Mem) -> None:
    built.ok("add", "a clock drifts")
    with FileLock(str(make_spool_directory(built.db) / LOCK_NAME)):
        told = built.refused("embeddings", "build", "--seconds", "0.1")
    assert "Another process builds" in told
    assert built.json("embeddings", "build")["records"] == 1


def test_a_damaged_file_is_told_and_built_anew(built: Mem) -> None:
    (file,) = built.db.with_name("memory.db-vectors").glob("*.db")
    file.write_bytes(b"no vectors" * 1_000)
    is_well, found = check(built)
    assert not is_well and "is damaged" in found
    assert built.json("embeddings", "build")["records"] == 3
    assert check(built)[0]


def test_drop_deletes_vectors_and_keeps_memories(built: Mem, jobs: list[Path]) -> None:
    jobs.clear()
    told = built("embeddings", "drop").stderr
    assert "Dropped " in told and " MB of vectors" in told
    assert not built.db.with_name("memory.db-vectors").exists()
    assert built.json("stats")["observations"] == 3 and not jobs
    assert "There were no vectors." in built("embeddings", "drop").stderr
    assert built.json("embeddings", "drop") == {"dropped": False, "bytes": 0}
    assert "but none of this store" in check(built)[1]


def test_a_text_is_embedded_to_try_the_model(built: Mem) -> None:
    result = built("embeddings", "test")
    assert result.stdout == "" and "static:tiny: 1 text in " in result.stderr
    assert " ms, 8 dimensions" in result.stderr
    lines = built.ok("embeddings", "test", "the clock", "clock the", "tabs").splitlines()
    assert [line.split("\t")[1] for line in lines] == ["the clock", "clock the", "tabs"]
    assert lines[0].startswith("1.000") and lines[1].startswith("1.000")
    found = built.json("embeddings", "test", "the clock", "tabs")
    assert (found["model"], found["dimensions"]) == ("static:tiny", 8)
    assert [one["text"] for one in found["texts"]] == ["the clock", "tabs"]
    assert found["texts"][1]["similarity"] < 0.9
    assert "no vector" in built("embeddings", "test", "unheard").stderr


def test_loading_the_model_is_no_part_of_the_time(built: Mem, monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[Path] = []

    def load(path: Path) -> Any:
        loaded.append(path)
        return load_tokenizer(path)

    monkeypatch.setattr("memtui.store.leaves.embeddings.local_models.load_tokenizer", load)
    built.ok("embeddings", "test", "the clock")
    assert len(loaded) == 1


def test_what_the_provider_says_is_the_test_s_answer(some: Mem, server: ScriptedServer) -> None:
    use(some, server)
    server.answers = lambda _: Scripted(404, b'{"error": "model m not found"}')
    told = some.refused("embeddings", "test", "x")
    assert "openai-compatible:m: HTTP 404: model m not found" in told


def test_what_was_sent_is_counted_and_listed(some: Mem, server: ScriptedServer) -> None:
    use(some, server, "--price", "1", "--daily-tokens", "100000")
    some.ok("embeddings", "build")
    found = some.json("queue", "cost")
    (day,) = found["days"]
    assert (day["model"], day["use"]) == ("openai-compatible:m", "embeddings")
    assert day["dollars"] == pytest.approx(day["input"] / 1e6) and day["input"] > 0
    assert found["embeddings"]["left_today"] == 100_000 - day["input"]
    assert found["left_today"] is None
    result = some("queue", "cost")
    assert "openai-compatible:m makes vectors. Today " in result.stderr
    assert "openai-compatible:m\t" in result.stdout


def test_every_command_that_changes_the_memory_has_vectors_follow(
    built: Mem, jobs: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    export = tmp_path / "export.jsonl"
    built.ok("export", "jsonl", str(export))
    lines: tuple[tuple[str, ...], ...] = (
        ("add", "a b"), ("edit", "1", "--title", "the code"), ("fact", "add", "tabs"),
        ("import", "jsonl", str(export)),
    )  # fmt: skip
    for line in lines:
        jobs.clear()
        built.ok(*line)
        assert jobs == [built.db], line
    built.ok("embeddings", "build")
    jobs.clear()
    built.ok("search", "clock")
    built.ok("pin", "1")
    assert not jobs
    spawned: list[bytes] = []
    monkeypatch.setattr("memtui.store.observe.jobs.spawn.spawn_job", spawned.append)
    assert lean_add.add(["--db", str(built.db), "add", "a clock drifts"])
    assert spawned == [bytes(built.db)]


def test_nothing_is_started_where_no_vectors_are_kept(
    some: Mem, jobs: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    spawned: list[bytes] = []
    monkeypatch.setattr("memtui.store.observe.jobs.spawn.spawn_job", spawned.append)
    assert lean_add.add(["--db", str(some.db), "add", "a clock drifts"])
    some.ok("add", "a b")
    assert not jobs and not spawned


def test_the_queue_s_work_ends_with_vectors(built: Mem) -> None:
    built.ok("add", "a clock drifts")
    assert built.json("queue", "process")["vectors"] == {
        "records": 1, "passages": 1, "left": 0, "stopped": "",
    }  # fmt: skip
    built.ok("add", "the code drifts")
    assert built.json("queue", "process", "--rules")["vectors"] is None
    assert "vectors of 1 record built, 0 left" in built("queue", "process").stderr
    with Store.open(built.db) as store:
        assert not vectors_in(store).is_due()
