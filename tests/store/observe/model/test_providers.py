"""Each kind of provider is asked in its own way, with its key, and never through our own hooks."""

import dataclasses
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from memtui.store import Store
from memtui.store.capture.ingest.pipeline import ingest_event
from memtui.store.config import ModelSettings
from memtui.store.observe.jobs.job import process
from memtui.store.records.events import Event
from tests.promises import promise
from tests.store.observe.conftest import BootClock
from tests.store.observe.scripted_model import good, said
from tests.store.observe.turns import FIX, take_turn
from tests.store.scripted_server import Scripted, ScriptedServer

KEY = "sk-live-0123456789abcdef"


def one(store: Store) -> str | None:
    """The title of the newest observation."""
    return store.observations.recent()[0].title


def run(store: Store, settings: ModelSettings) -> Any:
    take_turn(store, FIX)
    return process(store, settings).asked


def test_a_chat_completion_is_asked_for_with_key_and_schema(
    store: Store, server: ScriptedServer, settings: ModelSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TINY_KEY", KEY)
    server.answers = lambda body: said(good(body))
    run(store, dataclasses.replace(settings, key_env="TINY_KEY"))
    assert server.paths == ["/v1/chat/completions"]
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"
    body = server.bodies[0]
    assert (body["model"], body["max_tokens"]) == ("tiny", settings.output_tokens)
    assert body["response_format"]["json_schema"]["strict"]
    assert one(store) == "Found the drift 0"


def test_a_server_without_schemas_is_told_the_shape_in_words(
    store: Store, server: ScriptedServer, settings: ModelSettings
) -> None:
    run(store, dataclasses.replace(settings, json_schema=False))
    (body,) = server.bodies
    assert "response_format" not in body and "authorization" not in server.headers[0]
    assert '"additionalProperties"' in body["messages"][0]["content"]


def test_anthropics_messages_are_asked_for_as_a_tools_input(
    store: Store, server: ScriptedServer, settings: ModelSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def answers(body: dict[str, Any]) -> Scripted:
        document = json.loads(good(body))
        content = [{"type": "text", "text": "Gladly."}, {"type": "tool_use", "input": document}]
        usage = {"input_tokens": 90, "cache_read_input_tokens": 10, "output_tokens": 20}
        return Scripted(raw=json.dumps({"content": content, "usage": usage}).encode())

    monkeypatch.setenv("TINY_KEY", KEY)
    server.answers = answers
    url = server.url.removesuffix("/v1")
    asked = run(store, dataclasses.replace(settings, kind="anthropic", url=url, key_env="TINY_KEY"))
    assert server.paths == ["/v1/messages"]
    assert server.headers[0]["x-api-key"] == KEY
    assert server.bodies[0]["tool_choice"] == {"type": "tool", "name": "remember"}
    assert (one(store), asked.input, asked.output) == ("Found the drift 0", 100, 20)


@pytest.mark.parametrize(
    ("told", "kind"),
    [
        ({"content": [], "stop_reason": "refusal"}, "refused"),
        ({"content": [{"type": "text", "text": "{"}], "stop_reason": "max_tokens"}, "invalid"),
        ({"content": []}, "invalid"),
        ([], "invalid"),
    ],
)
def test_what_anthropics_api_declines_or_cuts_is_told_apart(
    store: Store, clock: BootClock, server: ScriptedServer, settings: ModelSettings, told: Any, kind: str
) -> None:
    server.answers = lambda _: Scripted(raw=json.dumps(told).encode())
    url = server.url.removesuffix("/v1")
    take_turn(store, FIX, reply="")
    store.sessions.end("c-1")
    process(store, dataclasses.replace(settings, kind="anthropic", url=url))
    (message,) = store.pending.list()
    assert (message.error or "").startswith(kind)


def test_a_key_that_is_not_there_is_told_and_nothing_is_sent(
    store: Store, server: ScriptedServer, settings: ModelSettings
) -> None:
    asked = run(store, dataclasses.replace(settings, key_env="NO_SUCH_KEY_HERE"))
    assert asked.stopped == "auth: The environment has no NO_SUCH_KEY_HERE. Set it."
    assert not server.bodies


def test_a_key_may_come_from_a_command(
    store: Store, server: ScriptedServer, settings: ModelSettings
) -> None:
    command = (sys.executable, "-c", f"print('{KEY}')")
    run(store, dataclasses.replace(settings, key_command=command))
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"


def test_a_key_is_never_sent_in_the_clear_to_another_machine(
    store: Store, settings: ModelSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TINY_KEY", KEY)
    far = dataclasses.replace(settings, url="http://model.invalid/v1", key_env="TINY_KEY")
    assert "without https" in run(store, far).stopped


@promise("secrets-never-stored")
def test_no_key_is_ever_written_down(
    store: Store, server: ScriptedServer, settings: ModelSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TINY_KEY", "plainwordskey")
    said_back = b'{"error": {"message": "wrong key plainwordskey!"}}'
    server.answers = lambda _: Scripted(401, said_back)
    run(store, dataclasses.replace(settings, key_env="TINY_KEY"))
    assert "wrong key …!" in (store.pending.list()[0].error or "")
    store.db.pragma("wal_checkpoint(TRUNCATE)")
    for path in store.path.parent.rglob("*"):
        assert path.is_dir() or b"plainwordskey" not in path.read_bytes()


ANSWER = """
import json, sys, os
told = sys.stdin.read()
turn = json.loads(told[told.index('{"project"'):])
assert "The shape of the answer" in told and os.environ["MEMTUI_OBSERVER"] == "1"
title = os.path.basename(os.getcwd())
print("Sure:", json.dumps({"observations": [{"id": one["id"], "title": title} for one in turn["events"]]}))
"""


def by_command(*command: str, **more: Any) -> ModelSettings:
    return ModelSettings("command", command=command, **more)


@promise("no-self-observation")
def test_a_local_program_is_asked_on_its_standard_input_with_the_mark_of_an_observer(store: Store) -> None:
    asked = run(store, by_command(sys.executable, "-c", ANSWER))
    assert asked.stopped == ""
    assert one(store) == "memory.db-observer"
    assert asked.input > 100 and asked.output > 1


@pytest.mark.parametrize(
    ("command", "kind"),
    [
        (("/no/such/program",), "auth"),
        ((sys.executable, "-c", "import sys; sys.exit('out of luck')"), "timeout"),
        ((sys.executable, "-c", "import signal; signal.pause()"), "timeout"),
        ((sys.executable, "-c", "print('no idea')"), "invalid"),
        ((sys.executable, "-c", "print('x' * 2_000_000)"), "invalid"),
        ((sys.executable, "-c", ""), "invalid"),
    ],
    ids=["missing", "fails", "hangs", "prose", "huge", "silent"],
)
def test_a_program_that_gives_no_answer_is_told_like_a_server(
    store: Store, clock: BootClock, command: tuple[str, ...], kind: str
) -> None:
    seconds = 0.5 if "pause" in command[-1] else 30
    run(store, by_command(*command, timeout_seconds=seconds))
    found = {(one.error or "").partition(":")[0] for one in store.pending.list()}
    assert found == {kind}
    if "luck" in command[-1]:
        assert "out of luck" in (store.pending.list()[0].error or "")


def test_nothing_that_a_stopped_program_has_started_runs_on(store: Store, tmp_path: Path) -> None:
    survivors = tmp_path / "survivors"
    os.mkfifo(survivors)
    reader = os.open(survivors, os.O_RDONLY | os.O_NONBLOCK)
    # What an agent may do: it leaves something running, and says too much.
    script = f"exec 3>{survivors}; (sleep 60; echo one >&3) & yes"
    run(store, by_command("/bin/sh", "-c", script))
    assert "said over" in (store.pending.list()[0].error or "")
    # It ends when nobody that could write there is left.
    os.set_blocking(reader, True)
    assert os.read(reader, 10) == b""
    os.close(reader)


@promise("no-self-observation")
def test_the_transcript_of_an_agent_that_observes_is_no_memory(store: Store) -> None:
    for folder in (f"{store.path}-observer", f"{store.path}-observer/deeper"):
        event = Event(kind="prompt", agent="codex", session="c-9", cwd=folder, text="the turn …")
        assert not ingest_event(store, event, "transcript")
    assert store.stats().prompts == 0
