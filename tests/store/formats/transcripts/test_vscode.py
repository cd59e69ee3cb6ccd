"""VS Code's chats: what was asked, done and answered, whole or as a log of changes."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.store import Store
from memtui.store.agents.vscode import AGENT as VSCODE
from memtui.store.formats.transcripts.agents.vscode import VSCodeChat
from memtui.store.formats.transcripts.discovery import find_folders, recognize
from memtui.store.maintain.importing import run
from memtui.store.records.events import Event, SpoolRecord

from .readings import gone_bad, of, remarks, said


def tool(id: str, key: str, **more: Any) -> dict[str, Any]:
    return {
        "kind": "toolInvocationSerialized", "toolId": id, "toolCallId": key, "isComplete": True, **more,
    }  # fmt: skip


ROUNDS = [
    {
        "response": "I look.",
        "toolCalls": [{"id": "c1", "name": "read_file", "arguments": '{"filePath": "/srv/atlas/ttl.py"}'}],
    }
]
ANSWERS = {"c1": {"content": [{"value": {"node": {"children": [{"text": "TTL = 30"}]}}}]}}
TERMINAL = {
    "kind": "terminal", "commandLine": {"original": "make test"}, "terminalCommandState": {"exitCode": 2},
}  # fmt: skip
FIRST: dict[str, Any] = {
    "requestId": "r1", "timestamp": 1_770_650_031_000, "message": {"text": "Fix the TTL", "parts": []},
    "modelId": "copilot/gpt-4o",
    "response": [
        {"value": "I look at "},
        {"kind": "inlineReference", "inlineReference": {"fsPath": "/srv/atlas/ttl.py"}},
        {"kind": "thinking", "value": "hm"},
        tool("copilot_readFile", "c1", pastTenseMessage={"value": "Read ttl.py"}),
        tool("run_in_terminal", "c2", toolSpecificData=TERMINAL),
        {"kind": "textEditGroup", "uri": {"path": "/srv/atlas/ttl.py"}, "edits": []},
        {"value": "The TTL is 60 s now."},
    ],
    "result": {
        "timings": {"totalElapsed": 5_000},
        "metadata": {
            "toolCallRounds": ROUNDS, "toolCallResults": ANSWERS,
            "promptTokens": 100, "outputTokens": 7, "resolvedModel": "gpt-4o",
        },
    },
}  # fmt: skip
SECOND = {
    "requestId": "r2", "timestamp": 1_770_650_041_000, "message": {"parts": [{"text": "rename it"}]},
    "response": [{"kind": "textEditGroup", "uri": {"fsPath": "/srv/atlas/a.py"}}, {"value": "Done."}],
    "result": {},
    "isCanceled": True,
}  # fmt: skip
CHAT = {
    "version": 3, "sessionId": "v-1", "creationDate": 1_770_650_022_000, "customTitle": "TTL",
    "responderUsername": "GitHub Copilot", "requests": [FIRST, SECOND],
}  # fmt: skip
LOG: list[dict[str, Any]] = [
    {"kind": 0, "v": {**CHAT, "customTitle": "", "requests": [], "inputState": {"a": 1}}},
    {"kind": 1, "k": ["customTitle"], "v": "TTL"},
    {"kind": 2, "k": ["requests"], "v": [{**FIRST, "response": [], "result": None}, {"requestId": "gone"}]},
    {"kind": 2, "k": ["requests", 0, "response"], "v": [*FIRST["response"][:4], {"value": "partial"}]},
    {"kind": 2, "k": ["requests", 0, "response"], "v": FIRST["response"][4:], "i": 4},
    {"kind": 1, "k": ["requests", 0, "result"], "v": FIRST["result"]},
    {"kind": 3, "k": ["inputState"]},
    {"kind": 2, "k": ["requests"], "v": [SECOND], "i": 1},
    {"kind": 1, "k": ["no", "such", 9, "place"], "v": 1},
    {"kind": 9},
]


def place(folder: Path) -> Path:
    chats = folder / "workspaceStorage" / "ab12" / "chatSessions"
    chats.mkdir(parents=True, exist_ok=True)
    (chats.parent / "workspace.json").write_text('{"folder": "file:///srv/atlas%20two"}')
    return chats


def whole(folder: Path, chat: object = CHAT) -> list[Event]:
    path = place(folder) / "v-1.json"
    path.write_text(json.dumps(chat), encoding="utf-8")
    return list(VSCodeChat(path).events())


def logged(folder: Path, *records: object) -> list[Event]:
    path = place(folder) / "v-1.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return list(VSCodeChat(path).events())


def test_a_chat_tells_its_prompts_tools_replies_and_tokens(tmp_path: Path) -> None:
    events = whole(tmp_path)
    [start] = of("session_start", events)
    assert (start.session, start.cwd, start.title) == ("v-1", "/srv/atlas two", "TTL")
    assert said("prompt", events) == ["Fix the TTL", "rename it"]
    read, ran, edited = (event.tool for event in of("tool", events) if event.tool)
    assert (read.name, read.input) == ("readFile", {"filePath": "/srv/atlas/ttl.py"})
    assert (read.response, read.failed) == ({"output": "TTL = 30"}, False)
    assert (ran.name, ran.input, ran.failed) == ("run_in_terminal", {"command": "make test"}, True)
    assert (edited.name, edited.input) == ("edit_files", {"files": ["/srv/atlas/a.py"]})
    assert said("reply", events) == ["The TTL is 60 s now.", "Done."]
    assert remarks(events) == ["I look at `/srv/atlas/ttl.py`"]
    [usage] = of("usage", events)
    assert usage.usage is not None and (usage.usage.input, usage.usage.output) == (100, 7)


def test_a_log_of_changes_makes_the_same_chat(tmp_path: Path) -> None:
    def told(events: list[Event]) -> list[tuple[object, ...]]:
        return [(event.kind, event.key, event.text, event.tool, event.at) for event in events]

    assert told(logged(tmp_path, *LOG)) == told(whole(tmp_path))


def test_an_answer_that_is_being_written_is_not_told(tmp_path: Path) -> None:
    assert not of("reply", logged(tmp_path, *LOG[:4]))


def test_what_holds_no_chat_is_said_to_be_none(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="not a chat"):
        logged(tmp_path, {"kind": 1, "k": ["a"], "v": 1})


@given(data=st.data())
def test_a_damaged_chat_never_fails(data: st.DataObject, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.getbasetemp()
    whole(folder, CHAT | {"requests": data.draw(gone_bad([FIRST, SECOND]))})
    logged(folder, LOG[0], *data.draw(gone_bad(LOG[1:])))


def test_both_forms_are_recognized_and_come_in_once(store: Store, tmp_path: Path) -> None:
    logged(tmp_path, *LOG)
    assert recognize(tmp_path / "workspaceStorage/ab12/chatSessions/v-1.jsonl") == "vscode"
    run(store, "vscode", tmp_path / "workspaceStorage", None)
    (tmp_path / "workspaceStorage/ab12/chatSessions/v-1.jsonl").unlink()
    whole(tmp_path)
    assert recognize(tmp_path / "workspaceStorage/ab12/chatSessions/v-1.json") == "vscode"
    assert run(store, "vscode", tmp_path / "workspaceStorage", None).changes == 0
    prompts = store.prompts.of_session(store.sessions.get("v-1"))
    assert [prompt.text for prompt in prompts] == ["Fix the TTL", "rename it"]


@pytest.mark.parametrize(
    "place",
    [
        ".config/Code/User/workspaceStorage/def/GitHub.copilot-chat/transcripts",
        ".config/Code - Insiders/User/globalStorage/GitHub.copilot-chat/transcripts",
        ".vscode-server/data/User/workspaceStorage/def/GitHub.copilot-chat/transcripts",
        ".vscode-remote/data/User/workspaceStorage/def/github.copilot-chat/transcripts",
    ],
)
def test_chats_that_newer_versions_keep_as_lines_are_found_and_read(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    chat = tmp_path / place / "s-1.jsonl"
    chat.parent.mkdir(parents=True)
    records = [
        ("session.start", {"sessionId": "s-1", "context": {"cwd": "/srv/atlas"}}),
        ("user.message", {"content": "Where is the cookie named?"}),
        ("assistant.message", {"content": "It is named sid_v4.", "toolRequests": []}),
    ]
    chat.write_text("".join(json.dumps({"type": kind, "data": data}) + "\n" for kind, data in records))
    (chat.parent / "notes.txt").write_text("x")
    [there] = [there for there in find_folders() if there.agent == "vscode"]
    run(store, there.agent, there.path, None)
    session = store.sessions.get("s-1")
    assert (session.agent, session.project) == ("vscode", "atlas")
    assert [prompt.text for prompt in store.prompts.of_session(session)] == ["Where is the cookie named?"]
    event = {"hookEventName": "Stop", "sessionId": "s-1", "transcript_path": str(chat)}
    [stop] = VSCODE.events(SpoolRecord(1, 0, "vscode", frozenset(), "/srv/atlas", event))
    assert stop.transcript == str(chat)
