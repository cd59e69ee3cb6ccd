"""Qwen Code's chats: what was asked, done and answered, whatever is cut off."""

import json
from pathlib import Path
from typing import Any

import pytest

from memtui.store import Store
from memtui.store.formats.transcripts.agents.qwen_code import QwenCodeReader
from memtui.store.formats.transcripts.discovery import recognize
from memtui.store.formats.transcripts.json_records import with_thoughts
from memtui.store.maintain.importing import run
from memtui.store.observe.jobs.job import process

from .readings import of, remarks, said, told

PATH = Path("/home/dev/.qwen/projects/-srv-atlas/chats/q-1.jsonl")


def record(number: int, type: str, **more: Any) -> dict[str, Any]:
    return {
        "uuid": f"u-{number}", "parentUuid": f"u-{number - 1}" if number else None,
        "sessionId": "q-1", "timestamp": f"2026-11-26T21:57:{number:02}.000Z", "type": type,
        "cwd": "/srv/atlas", "version": "0.15.10", **more,
    }  # fmt: skip


def message(role: str, *parts: dict[str, Any]) -> dict[str, Any]:
    return {"message": {"role": role, "parts": list(parts)}}


def call(name: str, **given: Any) -> dict[str, Any]:
    return {"functionCall": {"id": f"call-{name}", "name": name, "args": given}}


def answer(name: str, **said: Any) -> dict[str, Any]:
    return {"functionResponse": {"id": f"call-{name}", "name": name, "response": said}}


CHAT = [
    record(0, "user", **message("user", {"text": "Fix the TTL"})),
    record(1, "system", subtype="ui_telemetry", systemPayload={}),
    record(
        2, "assistant", **message("model", {"text": "I look."}, call("read_file", file_path="ttl.py")),
        usageMetadata={"promptTokenCount": 100, "candidatesTokenCount": 7, "cachedContentTokenCount": 80},
    ),
    record(
        3, "tool_result", **message("user", answer("read_file", output="TTL = 30")),
        toolCallResult={"callId": "call-read_file", "status": "success", "resultDisplay": ""},
    ),
    record(4, "assistant", **message("model", call("edit", file_path="ttl.py"))),
    record(
        5, "tool_result", **message("user", answer("edit", error="no such text")),
        toolCallResult={"callId": "call-edit", "status": "error"},
    ),
    record(6, "assistant", **message("model", {"text": "The TTL is 60 s now."})),
    record(7, "user", **message("user", {"text": "<system-reminder>be brief</system-reminder>"})),
    record(8, "user", **message("user", {"text": "thanks"})),
]  # fmt: skip


def test_a_chat_tells_its_prompts_tools_replies_and_tokens() -> None:
    events = told(QwenCodeReader, CHAT, PATH)
    [start] = of("session_start", events)
    assert (start.agent, start.session, start.cwd) == ("qwen-code", "q-1", "/srv/atlas")
    assert [event.text for event in of("prompt", events)] == ["Fix the TTL", "thanks"]
    read, edit = (event.tool for event in of("tool", events) if event.tool)
    assert (read.name, read.failed, read.response) == (
        "read_file", False, {"llmContent": "TTL = 30"},
    )  # fmt: skip
    assert (edit.name, edit.failed, edit.response) == ("edit", True, {"error": "no such text"})
    assert said("reply", events) == ["The TTL is 60 s now."]
    assert remarks(events) == ["I look."]
    [usage] = (event.usage for event in of("usage", events))
    assert usage is not None
    assert (usage.input, usage.output, usage.cache_read) == (20, 7, 80)


@pytest.mark.parametrize(("whole", "output"), [(0, 7), (107, 7), (110, 10), (112, 10)])
def test_thoughts_are_written_beside_an_answer_where_all_tokens_say_so(whole: int, output: int) -> None:
    assert with_thoughts(7, 3, 100, whole) == output


@pytest.mark.parametrize("cut", range(1, len(CHAT)))
def test_it_goes_on_wherever_it_stopped(cut: int) -> None:
    whole, parted = (told(QwenCodeReader, CHAT, PATH, cuts) for cuts in ((), (cut,)))
    assert parted == whole


def test_a_call_without_its_result_is_pending() -> None:
    events = told(QwenCodeReader, CHAT[:5], PATH)
    assert [event.tool.name for event in of("tool", events) if event.tool] == [
        "read_file", "edit",
    ]  # fmt: skip
    assert not of("reply", events)


def test_a_compaction_is_told_by_its_summary() -> None:
    history = [{"role": "user", "parts": [{"text": "<state_snapshot>so far</state_snapshot>"}]}]
    payload = {"compressedHistory": history}
    compressed = record(9, "system", subtype="chat_compression", systemPayload=payload)
    [event] = of("compaction", told(QwenCodeReader, [*CHAT, compressed], PATH))
    assert "so far" in event.text


def test_it_is_recognized_and_comes_in_once(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "q-1.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in CHAT), encoding="utf-8")
    assert recognize(path) == "qwen-code"
    run(store, "qwen-code", path, None)
    assert run(store, "qwen-code", path, None).changes == 0
    session = store.sessions.get("q-1")
    assert [prompt.text for prompt in store.prompts.of_session(session)] == ["Fix the TTL", "thanks"]


LAUNCHED = "Background agent launched successfully. task_id: general-1 (internal ID, do not mention it)"
NOTIFIED = (
    "<task-notification>\n<task-id>general-1</task-id>\n<status>completed</status>\n"
    "<result>ttl.py is imported by nobody.</result>\n</task-notification>"
)


def test_what_a_sub_agent_in_the_background_came_to_is_its_report(store: Store, tmp_path: Path) -> None:
    chat = [
        record(0, "user", **message("user", {"text": "Who imports ttl.py?"})),
        record(1, "assistant", **message("model", call("agent", description="count imports"))),
        record(2, "tool_result", **message("user", answer("agent", output=LAUNCHED))),
        record(3, "user", subtype="notification", **message("user", {"text": NOTIFIED})),
        record(4, "assistant", **message("model", {"text": "Nobody imports it."})),
    ]
    path = tmp_path / "q-1.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in chat), encoding="utf-8")
    run(store, "qwen-code", path, None)
    session = store.sessions.get("q-1")
    assert [prompt.text for prompt in store.prompts.of_session(session)] == ["Who imports ttl.py?"]
    process(store, None)
    told = [
        one for one in store.observations.recent() if "imported by nobody" in f"{one.title} {one.narrative}"
    ]
    assert len(told) == 1
    assert not any("launched" in (one.narrative or "") for one in store.observations.recent())
