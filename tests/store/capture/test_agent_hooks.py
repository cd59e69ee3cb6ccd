"""Whose event it is, and what it tells, for every agent."""

import json
from pathlib import Path
from typing import Any

import pytest

from memtui.store import Store
from memtui.store.agents.registry import agent_of_record, events_of
from memtui.store.capture.hook_process import NAMELESS_REPLIES, REPLIES
from memtui.store.capture.hook_process.main import may_be
from memtui.store.capture.ingest.pipeline import ingest_event
from memtui.store.records.events import SpoolRecord
from tests.places import TRANSCRIPTS

from .hooks import Machine
from .many_hooks import Told, run_many
from .payloads import payloads

AT = 1_770_000_000_000


TELLING = {
    "copilot": ["COPILOT_CLI"], "claude-code": ["CLAUDECODE"], "gemini": ["GEMINI_SESSION_ID"],
}  # fmt: skip
"""Variables that these agents set for their hooks."""


def record(agent: str, event: dict[str, Any], *env: str, cwd: str = "/work") -> SpoolRecord:
    return SpoolRecord(AT, 9_000, agent, frozenset(env), cwd, event)


@pytest.mark.parametrize("agent", payloads())
def test_every_agent_s_events_are_its_own_whatever_command_was_run(agent: str) -> None:
    if agent == "trae":
        pytest.skip("Trae's events don't tell whose they are")
    run_as = "codex" if agent == "claude-code" else "trae"
    for event in payloads()[agent]:
        assert agent_of_record(record(run_as, event, *TELLING.get(agent, ()))) == agent


@pytest.mark.parametrize("agent", payloads())
def test_a_working_session_of_every_agent_is_told(agent: str) -> None:
    told = [one for event in payloads()[agent] for one in events_of(record(agent, event))]
    assert {one.agent for one in told} == {agent}
    assert all(one.session for one in told)
    kinds = {one.kind for one in told}
    assert {"prompt", "tool"} <= kinds
    # Windsurf has neither start nor end, Trae's reply has no text.
    assert agent in ("windsurf", "trae") or {"session_start", "reply"} <= kinds


@pytest.mark.parametrize("agent", payloads())
def test_a_hook_knows_the_events_that_end_a_turn(agent: str) -> None:
    for event in payloads()[agent]:
        kinds = {one.kind for one in events_of(record(agent, event))}
        is_end = may_be(agent, json.dumps(event).encode(), REPLIES, NAMELESS_REPLIES)
        assert is_end == ("reply" in kinds)


def test_an_unknown_agent_without_an_event_of_its_own_is_told_so() -> None:
    with pytest.raises(ValueError, match="nobody"):
        events_of(record("nobody", {"session_id": "1", "hook_event_name": "Stop"}))


def test_an_event_without_a_session_is_told_so() -> None:
    with pytest.raises(ValueError, match="session_id"):
        events_of(record("codex", {"hook_event_name": "Stop"}))


@pytest.mark.parametrize(
    "name", ["PreToolUse", "PostToolBatch", "SubagentStop", "Notification", "PreCompact", "FutureEvent"]
)
def test_events_that_tell_nothing_new_are_no_memory(name: str) -> None:
    event = {"session_id": "1", "hook_event_name": name, "tool_name": "Bash", "tool_input": {}}
    assert events_of(record("claude-code", event)) == []


def test_what_copilot_tells_in_two_dialects_has_one_key() -> None:
    camel = {
        "sessionId": "1", "timestamp": AT, "cwd": "/work", "toolName": "bash",
        "toolArgs": {"command": "ls"}, "toolResult": {"textResultForLlm": "a"},
    }  # fmt: skip
    pascal = {
        "hook_event_name": "PostToolUse", "session_id": "1", "timestamp": "2026-02-02T02:40:00Z",
        "cwd": "/work", "tool_name": "Bash", "tool_input": {"command": "ls"},
        "tool_result": {"result_type": "success", "text_result_for_llm": "a"},
    }  # fmt: skip
    (one,), (two,) = (events_of(record("copilot", event)) for event in (camel, pascal))
    assert one.key == two.key


def test_copilot_s_events_are_told_apart_though_they_have_no_name() -> None:
    common: dict[str, Any] = {"sessionId": "1", "timestamp": AT, "cwd": "/work"}
    events: dict[str, dict[str, Any]] = {
        "session_start": {"source": "new", "initialPrompt": "x"},
        "prompt": {"prompt": "x"},
        "tool": {"toolName": "bash", "toolArgs": {}, "error": "no"},
        "reply": {"stopReason": "end_turn"},
        "session_end": {"reason": "complete"},
    }
    for kind, fields in events.items():
        (one,) = events_of(record("copilot", common | fields, "COPILOT_CLI"))
        assert one.kind == kind
    for fields in ({"toolName": "bash"}, {"prompt": "x", "transformedPrompt": "y"}, {"trigger": "auto"}):
        assert events_of(record("copilot", common | fields, "COPILOT_CLI")) == []


def test_opencode_s_quotes_are_taken_off() -> None:
    common = {"hook_event_name": "chat.message", "session_id": "1", "message_id": "m"}
    for told, asked in (('"list files"', "list files"), ('"a" or "b"', '"a" or "b"')):
        (one,) = events_of(record("opencode", common | {"prompt": told}))
        assert one.text == asked


def test_opencode_s_session_is_called_what_its_model_calls_it(store: Store) -> None:
    untitled = "New session - 2026-11-22T04:21:55.681Z"
    told: list[dict[str, Any]] = [
        {"hook_event_name": "session.created", "title": untitled},
        {"hook_event_name": "session.idle", "title": untitled, "text": "one", "message_id": "1"},
        {"hook_event_name": "session.idle", "title": "Mend it", "text": "two", "message_id": "2"},
    ]
    titles = []
    for one in told:
        for event in events_of(record("opencode", one | {"session_id": "1"})):
            assert ingest_event(store, event, "hook")
        titles.append(store.sessions.get("1").title)
    assert titles == [None, None, "Mend it"]


def manifest() -> list[dict[str, Any]]:
    path = TRANSCRIPTS / "manifest.json"
    if not path.exists():
        return []
    files = json.loads(path.read_text("utf-8"))["files"]
    kept = [one for one in files if one["file"].startswith("hook-payloads/")]
    return [one for one in kept if "events" in one["counts"] and "plugin_events" not in one["file"]]


TOOLS = ("PostToolUse", "PostToolUseFailure", "AfterTool", "tool.execute.after")


@pytest.mark.skipif(not manifest(), reason="the kept payloads are not here")
@pytest.mark.parametrize("one", manifest(), ids=lambda one: Path(one["file"]).stem)
@pytest.mark.sampled
def test_every_kept_payload_gives_the_records_that_its_manifest_counts(
    one: dict[str, Any], machine: Machine
) -> None:
    agent = Path(one["file"]).name.split("_")[0]
    lines = [json.loads(line) for line in (TRANSCRIPTS / one["file"]).read_text("utf-8").splitlines()]
    told = []
    for line in lines:
        variables = {name: str(value) for name, value in line["env"].items()}
        told.append(Told(json.dumps(line["stdin"]).encode(), agent, variables))
    run_many(machine, told * 2)
    machine.drained()
    counts = one["counts"]
    events: dict[str, int] = counts["events"]
    # What one agent tells in two dialects is one event each.
    doubled = 2 if {"userPromptSubmitted", "UserPromptSubmit"} <= events.keys() else 1
    tools = sum(events.get(name, 0) for name in (*TOOLS, "postToolUse", "postToolUseFailure"))
    if doubled == 2:
        tools -= events["PostToolUse"]
    if agent == "windsurf":
        tools = 4
    with Store.open(machine.database) as store:
        stats = store.stats()
        assert stats.prompts == counts.get("prompts", 0) // doubled
        assert stats.observations - stats.replies == tools
        assert store.db.execute("SELECT count(*) FROM quarantine").get == 0
        children = store.db.execute("SELECT count(*) FROM subagents").get
        own = {str(line["stdin"].get("sessionId") or line["stdin"].get("session_id")) for line in lines}
        known = {child for (child,) in store.db.execute("SELECT id FROM subagents")}
        assert stats.sessions == counts["sessions"] - len(own & known), children


@pytest.mark.parametrize(("agent", "name"), [("claude-code", "StopFailure"), ("codex", "Interrupt")])
def test_a_turn_ends_by_an_error_or_the_user_too(agent: str, name: str) -> None:
    told = {"session_id": "1", "hook_event_name": name, "transcript_path": "/t.jsonl"}
    (event,) = events_of(record(agent, told))
    assert (event.kind, event.text, event.transcript) == ("reply", "", "/t.jsonl")


def test_a_tool_of_opencode_that_threw_has_failed() -> None:
    told = {
        "session_id": "1", "hook_event_name": "tool.execute.after", "tool_name": "edit", "failed": True,
    }  # fmt: skip
    (event,) = events_of(record("opencode", told))
    assert event.tool is not None and event.tool.failed


def test_clines_sub_agents_belong_to_the_session_that_started_them() -> None:
    told = {
        "taskId": "c", "sessionContext": {"rootSessionId": "17_ab"}, "agent_id": "agent_1",
        "parent_agent_id": "agent_0", "hookName": "agent_end", "turn": {"outputText": "two files"},
    }  # fmt: skip
    (event,) = events_of(record("cline", told))
    assert (event.session, event.subagent, event.transcript) == ("17_ab", "agent_1", None)
