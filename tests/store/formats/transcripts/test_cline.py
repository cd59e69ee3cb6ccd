"""Cline's messages: what was asked, done and answered, and by which of its sub-agents."""

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.store import Store
from memtui.store.formats.transcripts.agents.cline import ClineMessages
from memtui.store.formats.transcripts.discovery import recognize
from memtui.store.maintain.importing import run
from memtui.store.records.events import Event

from .readings import gone_bad, of, remarks, said

ASKED = '<user_input mode="act">Fix the TTL</user_input>'


def text(content: str) -> dict[str, Any]:
    return {"type": "text", "text": content}


def user(*content: dict[str, Any], at: int = 1_795_730_341_563) -> dict[str, Any]:
    return {"id": f"u{at}", "role": "user", "content": list(content), "ts": at}


def assistant(*content: dict[str, Any], key: str) -> dict[str, Any]:
    metrics = {"inputTokens": 20, "outputTokens": 7, "cacheReadTokens": 80, "cacheWriteTokens": 0}
    return {
        "id": key, "role": "assistant", "content": list(content), "ts": 1_795_730_342_000,
        "modelInfo": {"id": "m"}, "metrics": metrics,
    }  # fmt: skip


def call(name: str, **given: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": f"call-{name}", "name": name, "input": given}


def result(name: str, content: object) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": f"call-{name}", "content": content}


FAILED = [
    {"query": "make", "result": "ok", "success": True},
    {"query": "false", "result": "[Command exited with code 1]", "success": False},
]
EDITED = json.dumps({"query": "edit:a.py", "result": "File created", "success": True})
MESSAGES = [
    user(text(ASKED)),
    assistant(text("I look."), call("run_commands", commands=["make", "false"]), key="m1"),
    user(result("run_commands", FAILED)),
    assistant(call("editor", path="a.py", new_text="TTL = 60"), key="m2"),
    user(result("editor", EDITED)),
    assistant(text("The TTL is 60 s now."), key="m3"),
    user(text("thanks"), at=1_795_730_400_000),
]
LEAD = {"version": 1, "agent": "lead", "sessionId": "17_ab", "origin": {}, "messages": MESSAGES}
MANIFEST = {
    "session_id": "17_ab", "cwd": "/srv/atlas", "prompt": "Fix the TTL",
    "started_at": "2026-11-26T21:59:01.282Z", "metadata": {"title": "Time to live"},
}  # fmt: skip


def read(folder: Path, session: object, manifest: object = MANIFEST) -> list[Event]:
    path = folder / "17_ab.messages.json"
    path.write_text(json.dumps(session), encoding="utf-8")
    path.with_name("17_ab.json").write_text(json.dumps(manifest), encoding="utf-8")
    return list(ClineMessages(path).events())


def test_a_session_tells_its_prompts_tools_replies_and_tokens(tmp_path: Path) -> None:
    events = read(tmp_path, LEAD)
    [start] = of("session_start", events)
    assert (start.session, start.cwd, start.title) == ("17_ab", "/srv/atlas", "Time to live")
    assert said("prompt", events) == ["Fix the TTL", "thanks"]
    ran, edited = (event.tool for event in of("tool", events) if event.tool)
    assert (ran.input, ran.failed) == ({"command": "make\nfalse"}, True)
    assert ran.response == {"output": "ok\n[Command exited with code 1]"}
    assert (edited.failed, edited.response) == (False, {"output": "File created"})
    assert said("reply", events) == ["The TTL is 60 s now."]
    assert remarks(events) == ["I look."]
    usage = of("usage", events)[0].usage
    assert usage is not None and (usage.input, usage.output, usage.cache_read) == (20, 7, 80)


def test_a_sub_agents_messages_are_those_of_the_session_that_started_it(tmp_path: Path) -> None:
    origin = {"parentThreadId": "17_ab", "subagent": "agent_1"}
    child = LEAD | {"agent": "subagent", "sessionId": "17_ab__agent_1", "origin": origin}
    events = read(tmp_path, child)
    assert {(event.session, event.subagent, event.cwd) for event in events} == {
        ("17_ab", "agent_1", "/srv/atlas")
    }
    assert not of("session_start", events)


@pytest.mark.parametrize("is_subagent", [True, False])
def test_a_session_that_the_database_calls_a_sub_agent_is_its_parents(
    tmp_path: Path, is_subagent: bool
) -> None:
    folder = tmp_path / "sessions" / "17_ab"
    folder.mkdir(parents=True)
    (tmp_path / "db").mkdir()
    with closing(apsw.Connection(str(tmp_path / "db/sessions.db"))) as db:
        db.execute("CREATE TABLE sessions (session_id, parent_session_id, is_subagent)")
        db.execute("INSERT INTO sessions VALUES ('17_ab', '17_root', ?)", (is_subagent,))
    [prompt, *_rest] = of("prompt", read(folder, LEAD))
    expected = ("17_root", "17_ab") if is_subagent else ("17_ab", None)
    assert (prompt.session, prompt.subagent) == expected


def test_an_answer_is_open_while_the_agent_is_at_work(tmp_path: Path) -> None:
    events = read(tmp_path, LEAD | {"messages": MESSAGES[:2]}, manifest=None)
    assert [event.tool.response for event in of("tool", events) if event.tool] == [None]
    assert not of("reply", events)


@given(data=st.data())
def test_damaged_messages_never_fail(data: st.DataObject, tmp_path_factory: pytest.TempPathFactory) -> None:
    damaged = data.draw(gone_bad(MESSAGES))
    read(tmp_path_factory.getbasetemp(), LEAD | {"messages": damaged})


def test_what_is_no_session_is_said_to_be_none(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="list of messages"):
        read(tmp_path, {})


def test_it_is_recognized_and_comes_in_once(store: Store, tmp_path: Path) -> None:
    read(tmp_path, LEAD)
    assert recognize(tmp_path) == "cline"
    run(store, "cline", tmp_path / "17_ab.messages.json", None)
    assert run(store, "cline", tmp_path / "17_ab.messages.json", None).changes == 0
    prompts = store.prompts.of_session(store.sessions.get("17_ab"))
    assert [prompt.text for prompt in prompts] == ["Fix the TTL", "thanks"]
