"""Gemini CLI's chats: what was asked, used and answered, however often a message is told again."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given as fuzzed
from hypothesis import strategies as st

from memtui.store.formats.transcripts.agents.gemini import GeminiFile, GeminiReader
from memtui.store.records.events import Usage

from .readings import gone_bad, of, said, told, told_of_bad

PATH = Path("tmp/atlas/chats/session-2026-02-02T02-40-0a1b2c3d.jsonl")
NOON = "2026-02-02T02:40:00.000Z"

Record = dict[str, Any]


def begun(**more: Any) -> Record:
    """The line with which a chat begins, or is resumed."""
    return {"sessionId": "s-1", "projectHash": "", "startTime": NOON, "kind": "main"} | more


def user(key: str, content: object, **more: Any) -> Record:
    return {"id": key, "timestamp": NOON, "type": "user", "content": content, **more}


def answer(key: str, content: object, out: int = 20, **more: Any) -> Record:
    tokens = {"input": 100, "output": out, "cached": 60, "thoughts": 5}
    return {"id": key, "timestamp": NOON, "type": "gemini", "content": content, "tokens": tokens} | more


def call(key: str | None, status: str = "success", output: str = "a.py", **more: Any) -> Record:
    result = [{"functionResponse": {"id": key, "response": {"output": output}}}]
    about = {"name": "list_directory", "args": {"path": "."}, "status": status, "result": result}
    return about | ({"id": key} if key else {}) | more


CHAT = [
    begun(),
    {"$set": {"messages": [user("u0", [{"text": "<session_context>\nThis is …"}])]}},
    user("u1", [{"text": "<hook_context>blue &lt;parrot</hook_context>\n\nfix the login"}]),
    answer("g1", "let me look"),
    answer("g1", "let me look", toolCalls=[call("c1"), call("c2", "error")]),
    user("u2", [{"functionResponse": {"id": "c1", "response": {"output": "a.py"}}}]),
    {"$set": {"lastUpdated": NOON}},
    answer("g2", "fixed"),
    begun(startTime="2026-02-02T02:41:00.000Z"),
    {"$set": {"messages": [answer("g2", [{"text": "fixed"}])], "summary": "Login mended"}},
    {"$rewindTo": "u1"},
    user("u3", "System: Please continue."),
    user("u4", "thanks"),
    answer("g3", "", toolCalls=[call("c3", "executing")]),
]


def test_a_chat_is_told_in_order_and_each_thing_once() -> None:
    events = told(GeminiReader, CHAT, PATH)

    assert [(event.kind, event.key) for event in events] == [
        ("session_start", None),
        ("prompt", "u1"),
        ("usage", "g1"),
        ("tool", "c1"),
        ("tool", "c2"),
        ("reply", "g1"),
        ("usage", "g2"),
        ("session_start", None),
        ("reply", "g2"),
        ("rewind", None),
        ("prompt", "u4"),
        ("usage", "g3"),
        ("tool", "c3"),
    ]
    assert {(event.session, event.shared) for event in events} == {("s-1", False)}
    assert [event.title for event in of("session_start", events)] == [None, "Login mended"]


@fuzzed(cuts=st.lists(st.integers(0, len(CHAT)), max_size=4).map(sorted))
def test_reading_in_slices_tells_the_same_as_reading_at_once(cuts: list[int]) -> None:
    assert told(GeminiReader, CHAT, PATH, cuts) == told(GeminiReader, CHAT, PATH)


@fuzzed(records=gone_bad(CHAT))
def test_a_bad_record_is_told_of_or_read_as_it_can_be(records: list[Record]) -> None:
    for event in told_of_bad(GeminiReader, records, PATH):
        assert event.session


def test_a_prompt_is_what_the_user_typed_not_what_hooks_and_files_add() -> None:
    expanded = [{"text": "see @a.py"}, {"text": "--- a.py ---\n1 = 1"}]
    shown = user("u1", expanded, displayContent=[{"text": "see @a.py"}])
    hooked = user("u2", [{"text": "go"}, {"text": "<hook_context>x</hook_context>"}])

    assert said("prompt", told(GeminiReader, [begun(), shown, hooked], PATH)) == ["see @a.py", "go"]


def test_tools_have_answers_failures_and_the_tokens_of_their_message_once() -> None:
    tools = of("tool", told(GeminiReader, CHAT, PATH))

    used = [event.tool for event in tools if event.tool]
    assert [(tool.response, tool.failed) for tool in used] == [
        ({"llmContent": "a.py"}, False),
        ({"llmContent": "a.py"}, True),
        (None, False),
    ]
    assert [event.tokens for event in tools] == [20, 0, 20]


def test_a_call_without_an_id_goes_by_its_place_in_its_message() -> None:
    chat = [begun(), answer("g1", "", toolCalls=[call(None), call(None)])]

    assert [event.key for event in of("tool", told(GeminiReader, chat, PATH))] == ["g1:0", "g1:1"]


def test_a_call_that_ends_is_told_with_its_answer_under_the_same_key() -> None:
    chat = [begun(), answer("g1", "", toolCalls=[call("c1", "executing")])]
    chat += [answer("g1", "", toolCalls=[call("c1")])]
    tools = of("tool", told(GeminiReader, chat, PATH))

    assert [(event.key, event.tool and event.tool.failed) for event in tools] == [("c1", False)]


def test_usage_counts_cached_input_apart() -> None:
    chat = [begun(), answer("g1", "done"), answer("g1", "done")]

    usages = of("usage", told(GeminiReader, chat, PATH))
    assert [event.usage for event in usages] == [Usage(40, 25, 60)]


def test_an_agent_at_work_has_not_replied() -> None:
    chat = [begun(), user("u1", "go"), answer("g1", "look", toolCalls=[call("c1")])]

    assert of("reply", told(GeminiReader, chat, PATH)) == []
    assert said("reply", told(GeminiReader, [*chat, user("u2", "stop")], PATH)) == ["look"]
    assert said("reply", told(GeminiReader, [*chat, answer("g2", "done")], PATH)) == ["done"]


def test_thoughts_are_no_reply() -> None:
    parts = [{"text": "hm", "thought": True}, {"text": "done"}]

    assert said("reply", told(GeminiReader, [begun(), answer("g1", parts)], PATH)) == ["done"]


def test_a_compressed_history_is_a_compaction_and_no_prompt() -> None:
    snapshot = user("u1", [{"text": "<state_snapshot>so far</state_snapshot>"}])
    events = told(GeminiReader, [begun(), {"$set": {"messages": [snapshot]}}], PATH)

    assert said("compaction", events) == ["<state_snapshot>so far</state_snapshot>"]
    assert of("prompt", events) == []


def test_a_sub_agents_chat_belongs_to_the_session_whose_folder_it_is_in(tmp_path: Path) -> None:
    path = tmp_path / "tmp/atlas/chats/s-1/s-2.jsonl"
    chat = [begun(sessionId="s-2", kind="subagent"), user("u1", "list")]

    events = told(GeminiReader, chat, path)

    assert {(event.session, event.subagent) for event in events} == {("s-1", "s-2")}


@pytest.mark.parametrize("way", ["root", "name", "hash"])
def test_the_directory_is_found_by_what_the_program_keeps_of_its_projects(tmp_path: Path, way: str) -> None:
    project = sha256(b"/home/dev/atlas").hexdigest()
    folder = tmp_path / "tmp" / ("atlas" if way != "hash" else project)
    (folder / "chats").mkdir(parents=True)
    if way == "root":
        (folder / ".project_root").write_text("/home/dev/atlas\n")
    else:
        projects = {"/home/dev": "dev", "/home/dev/atlas": "atlas" if way == "name" else "other"}
        (tmp_path / "projects.json").write_text(json.dumps({"projects": projects}))

    starts = told(GeminiReader, [begun(projectHash=project)], folder / "chats/session-1.jsonl")

    assert starts[0].cwd == "/home/dev/atlas"


def test_an_old_chats_directory_is_found_among_the_paths_it_speaks_of(tmp_path: Path) -> None:
    path = tmp_path / "session-1.json"
    project = sha256(b"/home/dev/atlas").hexdigest()
    chat = begun(projectHash=project, messages=[user("u1", "see '/home/dev/atlas/a/b.py'")])
    path.write_text(json.dumps(chat))

    events = list(GeminiFile(path).events())

    assert [(event.kind, event.cwd) for event in events] == [
        ("session_start", "/home/dev/atlas"),
        ("prompt", "/home/dev/atlas"),
    ]


@pytest.mark.parametrize("content", ["", "{", "5", '{"messages": 5}', "[" * 100_000])
def test_a_file_that_is_no_chat_says_so(tmp_path: Path, content: str) -> None:
    path = tmp_path / "session-1.json"
    path.write_text(content)

    with pytest.raises(ValueError, match="session-1"):
        list(GeminiFile(path).events())
