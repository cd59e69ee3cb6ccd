"""Cursor's window keeps its chats in a database, beside what is nobody's to read."""

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import pytest

from memtui.store import Store
from memtui.store.capture.ingest.transcripts import import_transcripts
from memtui.store.formats.transcripts.agents.cursor_chats import CursorDatabase
from memtui.store.formats.transcripts.discovery import find_folders, recognize

AT = 1_770_000_000_000
CALL = {
    "toolCallId": "t-1", "name": "run_terminal_cmd", "rawArgs": '{"command": "make test"}',
    "result": '{"output": "3 failed"}', "status": "completed",
}  # fmt: skip
ASKED: dict[str, Any] = {"type": 1, "bubbleId": "b-1", "createdAt": AT, "text": "why is it red?"}
RAN = {"type": 2, "bubbleId": "b-2", "createdAt": AT + 1_000, "text": "I look.", "toolFormerData": CALL}
SAID = {
    "type": 2, "bubbleId": "b-3", "createdAt": "2026-02-02T02:40:02Z", "text": "The clock drifts.",
    "tokenCount": {"inputTokens": 100, "outputTokens": 7},
}  # fmt: skip
CHAT = {
    "name": "Red tests", "createdAt": AT, "modelConfig": {"modelName": "m-1"},
    "workspaceIdentifier": {"uri": {"fsPath": "/work/atlas"}},
}  # fmt: skip

HEADERS = [{"bubbleId": f"b-{place}"} for place in range(1, 6)]


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The database of the only program in a home."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.setattr("memtui.store.platform.paths.is_mac", lambda: False)
    path = tmp_path / ".config/Cursor/User/globalStorage/state.vscdb"
    path.parent.mkdir(parents=True)
    with closing(apsw.Connection(str(path))) as db:
        db.execute("CREATE TABLE ItemTable (key TEXT UNIQUE, value BLOB)")
        db.execute("CREATE TABLE cursorDiskKV (key TEXT UNIQUE, value BLOB)")
        db.execute("INSERT INTO ItemTable VALUES ('cursorAuth/accessToken', 'hush')")
    return path


def put(path: Path, session: str, bubbles: list[Any], chat: Any = CHAT, *, inline: bool = False) -> None:
    """Write a chat as newer versions do, or with its messages inside, as older ones did."""
    kept = {"conversation": bubbles} if inline else {"fullConversationHeadersOnly": HEADERS[: len(bubbles)]}
    values = {f"composerData:{session}": chat if chat is not CHAT else CHAT | kept}
    if not inline:
        values |= {f"bubbleId:{session}:b-{place}": bubble for place, bubble in enumerate(bubbles, 1)}
    with closing(apsw.Connection(str(path))) as db:
        for key, value in values.items():
            raw = value if isinstance(value, bytes) else json.dumps(value).encode()
            db.execute("INSERT OR REPLACE INTO cursorDiskKV VALUES (?, ?)", (key, raw))


@pytest.mark.parametrize("inline", [False, True])
def test_a_chat_is_a_session(store: Store, database: Path, inline: bool) -> None:
    put(database, "c-1", [ASKED, RAN, SAID], inline=inline)
    assert recognize(database) == "cursor"
    assert [(place.agent, place.path) for place in find_folders()] == [("cursor", database)]
    import_transcripts(store, "cursor")
    session = store.sessions.get("c-1")
    assert (session.agent, session.project, session.title) == ("cursor", "atlas", "Red tests")
    assert [one.text for one in store.prompts.of_session(session)] == ["why is it red?"]
    [found] = [one for one in store.observations.of_session(session) if one.tool_name]
    assert "make test" in f"{found.title}{found.narrative}"
    assert store.db.execute("SELECT output FROM token_usage").get == 7
    assert not import_transcripts(store, "cursor").changes
    put(database, "c-1", [ASKED, RAN, SAID, ASKED | {"bubbleId": "b-4", "text": "and now?"}], inline=inline)
    assert import_transcripts(store, "cursor").of("prompts").new == 1


@pytest.mark.parametrize("told_by", ["message", "window", "torn window"])
def test_a_chat_is_of_the_folder_of_its_window(store: Store, database: Path, told_by: str) -> None:
    window = database.parent.parent / "workspaceStorage/w-1"
    window.mkdir(parents=True)
    (window / "workspace.json").write_text('{"folder": "file:///work/my%20atlas"}')
    with closing(apsw.Connection(str(window / "state.vscdb"))) as db:
        db.execute("CREATE TABLE ItemTable (key TEXT UNIQUE, value BLOB)")
        listed = json.dumps({"allComposers": [{"composerId": "c-0"}, {"composerId": "c-1"}]})
        value = listed if told_by == "window" else "{torn"
        db.execute("INSERT INTO ItemTable VALUES ('composer.composerData', ?)", (value,))
    uris = {"workspaceUris": ["file:///work/my%20atlas"]} if told_by == "message" else {}
    put(database, "c-1", [ASKED, SAID | uris], {"fullConversationHeadersOnly": HEADERS[:2]})
    import_transcripts(store, "cursor")
    assert store.sessions.get("c-1").project == ("" if told_by == "torn window" else "my atlas")


def test_a_chat_with_a_transcript_is_left_to_that(database: Path, tmp_path: Path) -> None:
    put(database, "c-1", [ASKED])
    transcript = tmp_path / ".cursor/projects/work-atlas/agent-transcripts/c-1/c-1.jsonl"
    transcript.parent.mkdir(parents=True)
    transcript.touch()
    assert list(CursorDatabase(database).events()) == []


def test_broken_values_stop_none_of_the_others(store: Store, database: Path) -> None:
    put(database, "c-0", [ASKED], b"{torn")
    put(database, "c-2", [ASKED], [1, 2])
    put(database, "c-3", [ASKED], {"fullConversationHeadersOnly": "x", "conversation": {"a": 1}})
    put(
        database,
        "c-4",
        [ASKED],
        {"fullConversationHeadersOnly": [None, {"bubbleId": 7}, {"bubbleId": "b-9"}]},
    )
    odd = {"type": "1", "text": ["x"], "createdAt": {}, "toolFormerData": [], "tokenCount": "many"}
    put(database, "c-5", [None, b"\xff\xfe", odd, ASKED | {"bubbleId": 5}])
    report = import_transcripts(store, "cursor")
    assert not report.warnings
    assert store.db.execute("SELECT text FROM prompts").fetchall() == [("why is it red?",)]
