"""claude.ai's export, a list of conversations."""

import json
from pathlib import Path
from typing import Any

import pytest

from memtui.store import Store
from memtui.store.capture.ingest.transcripts import import_transcripts
from memtui.store.formats.transcripts.discovery import recognize

AT = "2026-02-02T02:40:00.123456Z"


def said(sender: str, uuid: str, text: str, *blocks: Any) -> dict[str, Any]:
    content = [{"type": "text", "text": text}, *blocks]
    return {"uuid": uuid, "sender": sender, "text": text, "content": content, "created_at": AT}


def chat(uuid: str, *messages: Any) -> dict[str, Any]:
    return {"uuid": uuid, "name": "Tides", "created_at": AT, "account": {}, "chat_messages": list(messages)}


CALL = {"type": "tool_use", "name": "web_search", "input": {"query": "tides"}}
RESULT = {"type": "tool_result", "content": [{"type": "text", "text": "twice a day"}]}
WHOLE = chat(
    "c-1", said("human", "m-1", "when is high tide?"), said("assistant", "m-2", "At nine.", CALL, RESULT)
)


@pytest.mark.parametrize("folder", [False, True])
def test_each_conversation_is_a_session(store: Store, tmp_path: Path, folder: bool) -> None:
    export = tmp_path / "conversations.json"
    export.write_text(json.dumps([chat("c-0"), WHOLE]), "utf-8-sig")
    assert recognize(export) == "claude-ai"
    place = tmp_path if folder else export
    import_transcripts(store, "claude-ai", place)
    assert store.db.execute("SELECT content_session_id FROM sessions").fetchall() == [("c-1",)]
    session = store.sessions.get("c-1")
    assert (session.agent, session.title, session.project) == ("claude-ai", "Tides", "")
    assert [one.text for one in store.prompts.of_session(session)] == ["when is high tide?"]
    assert [one.tool_name for one in store.observations.of_session(session)] == ["web_search"]
    assert not import_transcripts(store, "claude-ai", place).changes


@pytest.mark.parametrize(
    "broken",
    [
        None, 7, [], {}, chat("c-2", None, 7, []), chat("c-2", {"sender": ["human"], "content": {"a": 1}}),
        {"uuid": 5, "chat_messages": [said("human", "m", "x")]}, {"uuid": "c-2", "chat_messages": "x"},
        chat("c-2", said("assistant", "m-9", "", {"type": "tool_use", "id": 4}, {"type": "tool_result"})),
    ],
)  # fmt: skip
def test_a_broken_conversation_stops_none_of_the_others(store: Store, tmp_path: Path, broken: Any) -> None:
    export = tmp_path / "conversations.json"
    export.write_text(json.dumps([broken, WHOLE]))
    import_transcripts(store, "claude-ai", export)
    assert [one.text for one in store.prompts.of_session(store.sessions.get("c-1"))] == [
        "when is high tide?"
    ]


def test_what_is_no_export_is_named(store: Store, tmp_path: Path) -> None:
    for name, content in {"a.json": "[]", "b.json": "", "c.json": "{"}.items():
        (tmp_path / name).write_text(content)
        assert import_transcripts(store, "claude-ai", tmp_path / name).warnings
