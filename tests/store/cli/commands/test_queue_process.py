"""`mem queue process` makes memory of what waits, and `mem queue cost` tells what a model takes for it."""

import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.observe.jobs.worker import worker_lock
from memtui.store.providers.usage import today
from tests.store.observe.scripted_model import good, said
from tests.store.scripted_server import Scripted, ScriptedServer, serving

from ...git.repository import Repository, needs_git
from ...git.test_refresh import remember
from ...observe.turns import FIX, TEST, take_turn
from ..runner import Mem


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with serving() as found:
        found.answers = lambda body: said(good(body))
        yield found


@pytest.fixture(autouse=True)
def config(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Where the configuration would be."""
    path = tmp_path / "config.toml"
    monkeypatch.setenv("MEMTUI_CONFIG", str(path))
    return path


@pytest.fixture
def waiting(mem: Mem) -> Mem:
    """A memory in whose queue a turn waits."""
    with Store.open(mem.db) as store:
        take_turn(store, FIX, TEST)
    return mem


def use_model(config: Path, server: ScriptedServer) -> None:
    config.write_text(
        f'[observer]\nkind = "openai"\nurl = "{server.url}"\nmodel = "tiny"\n'
        "input_price = 1\noutput_price = 2\n"
    )


def test_what_waits_is_processed_by_the_rules(waiting: Mem) -> None:
    assert len(waiting.json("queue", "list")) == 3
    done = waiting.json("queue", "process")
    assert (done["elected"], done["recorded"], done["settled"], done["model"]) == (True, 1, 2, None)
    assert waiting.json("queue", "list") == []
    processed = waiting.json("queue", "list", "--status", "processed")
    assert {(one["outcome"], one["tool_input"]) for one in processed} == {("rules", None)}
    assert "rules" in waiting.ok("queue", "list", "--status", "processed")
    assert "0 done" in waiting("queue", "process").stderr


def test_a_model_is_asked_and_its_cost_is_told_before_and_after(
    waiting: Mem, config: Path, server: ScriptedServer
) -> None:
    use_model(config, server)
    before = waiting.json("queue", "cost")
    assert (before["model"], before["waiting"]["messages"], before["days"]) == ("tiny", 3, [])
    assert before["waiting"]["dollars"] > 0 and before["left_today"] == 200_000
    told = waiting("queue", "process").stderr
    assert "3 messages to do: about" in told and "tokens for tiny to read, $0.00" in told
    assert "1 call (0 failed), 100 tokens read and 20 written, $0.0001" in told
    after = waiting.json("queue", "cost")
    (day,) = after["days"]
    assert (day["model"], day["calls"], day["input"], day["output"]) == ("tiny", 1, 100, 20)
    assert day["dollars"] == pytest.approx(0.00014)
    assert after["left_today"] == 200_000 - 120
    assert "tiny\t1\t0\t100\t20\t$0.0001" in waiting.ok("queue", "cost")


def test_a_model_can_be_left_out(waiting: Mem, config: Path, server: ScriptedServer) -> None:
    use_model(config, server)
    waiting.ok("queue", "process", "--rules")
    assert not server.bodies
    assert waiting.json("queue", "list") == []


def test_cost_without_a_model_is_none(waiting: Mem) -> None:
    found = waiting.json("queue", "cost")
    assert (found["model"], found["left_today"], found["waiting"]["messages"]) == (None, None, 0)
    assert "costs nothing" in waiting("queue", "cost").stderr


def test_days_are_listed_newest_first_also_of_models_that_are_gone(waiting: Mem) -> None:
    with Store.open(waiting.db) as store, store.transaction():
        for ago, model in ((1, "old"), (0, "older"), (40, "oldest")):
            store.db.execute("INSERT INTO observer_days VALUES (?, ?, 1, 0, 5, 6)", (today() - ago, model))
    assert [one["model"] for one in waiting.json("queue", "cost")["days"]] == ["older", "old"]
    assert waiting.ok("queue", "cost").endswith("—")


def test_a_wrong_configuration_is_told_and_nothing_is_lost(waiting: Mem, config: Path) -> None:
    config.write_text('[observer]\nkind = "gpt"')
    assert "kind can't be" in waiting.refused("queue", "process")
    assert "kind can't be" in waiting.refused("queue", "cost")
    assert len(waiting.json("queue", "list")) == 3


def told(mem: Mem, name: str) -> tuple[bool, str]:
    """What `mem doctor` says of one thing."""
    (check,) = (one for one in json.loads(mem("doctor", "--json").stdout)["checks"] if one["name"] == name)
    return check["ok"], check["found"]


def test_doctor_tells_who_observes(waiting: Mem, config: Path, server: ScriptedServer) -> None:
    assert told(waiting, "observer") == (True, "rules")
    use_model(config, server)
    assert told(waiting, "observer") == (True, "rules, then tiny")


def test_doctor_is_not_well_while_the_model_rests_or_its_settings_can_t_be_read(
    waiting: Mem, config: Path, server: ScriptedServer
) -> None:
    use_model(config, server)
    server.answers = lambda _: Scripted(401)
    waiting.ok("queue", "process")
    is_well, found = told(waiting, "observer")
    assert not is_well and "tiny rests for 60 min (auth)" in found
    config.write_text('[observer]\nkind = "gpt"')
    is_well, found = told(waiting, "observer")
    assert not is_well and "kind can't be" in found


def test_doctor_says_how_long_a_model_rests(waiting: Mem, config: Path, server: ScriptedServer) -> None:
    use_model(config, server)
    server.answers = lambda _: Scripted(429, headers={"Retry-After": "7"})
    waiting.ok("queue", "process")
    is_well, found = told(waiting, "observer")
    assert not is_well and re.search(r"tiny rests for [1-7] s \(rate\)", found)


def test_doctor_is_not_well_while_a_model_answers_with_prose(
    waiting: Mem, config: Path, server: ScriptedServer
) -> None:
    use_model(config, server)
    server.answers = lambda _: said("I looked at it, and all is well.")
    waiting.ok("queue", "process")
    is_well, found = told(waiting, "observer")
    assert not is_well and "calls failed today" in found


def test_doctor_is_not_well_while_messages_are_given_up(waiting: Mem) -> None:
    with Store.open(waiting.db) as store:
        for message in store.pending.claim_these("one", [1, 2, 3]):
            store.pending.refuse(message, "a reason")
    assert told(waiting, "queue") == (False, "3 messages given up (a reason)")
    waiting.ok("queue", "drop", "--all")
    assert told(waiting, "queue") == (True, "0 messages given up")


def test_another_process_at_work_is_told(waiting: Mem) -> None:
    with worker_lock(waiting.db) as ours:
        assert ours
        assert "Another process is at work" in waiting.refused("queue", "process")
    waiting.ok("queue", "process")


def test_what_failed_can_be_retried_and_processed_or_dropped(waiting: Mem) -> None:
    with Store.open(waiting.db) as store:
        for message, error in zip(store.pending.claim_these("one", [1, 2, 3]), "abc", strict=True):
            store.pending.refuse(message, error)
    assert [one["error"] for one in waiting.json("queue", "list")] == ["a", "b", "c"]
    assert waiting.json("queue", "drop", "1")["dropped"] == 1
    assert waiting.json("queue", "retry", "--all")["pending"] == 2
    waiting.ok("queue", "process")
    assert len(waiting.json("queue", "list", "--status", "processed")) == 2


def test_watching_goes_on_with_what_comes_until_it_is_interrupted(mem: Mem) -> None:
    mem.ok("add", "There is a memory")
    watching = subprocess.Popen(
        [sys.executable, "-m", "memtui.store.cli", "queue", "process", "--watch", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=mem.folder,
        env=mem.environment(),
        # Whatever runs the tests may ignore an interrupt: a shell does that to its background jobs.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    try:
        with Store.open(mem.db) as store:
            take_turn(store, FIX)
        assert watching.stdout is not None
        told = json.loads(watching.stdout.readline())
        assert told["settled"] + told["recorded"] >= 1
        watching.send_signal(signal.SIGINT)
        _, errors = watching.communicate(timeout=60)
        assert watching.returncode == 0, errors
        assert b"Traceback" not in errors
    finally:
        watching.kill()


@needs_git
def test_the_background_job_looks_which_files_have_changed_and_a_persons_does_not(
    mem: Mem, tmp_path: Path
) -> None:
    repository = Repository(tmp_path / "atlas")
    repository.change(0, "a.py")
    with Store.open(mem.db) as store:
        remember(store, repository.root, 10, "a.py")
    repository.change(20, "a.py")
    for arguments, found in (((), 0), (("--background",), 1)):
        mem.ok("queue", "process", *arguments)
        with Store.open(mem.db) as store:
            assert store.find("is:stale").count().value == found
