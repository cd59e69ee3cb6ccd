"""What agents keep of what was typed: the prompts of sessions whose transcripts are gone, none twice."""

import json
from pathlib import Path
from typing import Any

import pytest

from memtui.store import Store
from memtui.store.capture.ingest.pipeline import ingest_event
from memtui.store.capture.ingest.transcripts import import_transcripts
from memtui.store.formats.transcripts.discovery import find_folders, recognize
from memtui.store.records.events import AgentName, Event

AT = 1_770_000_000_000
GONE = "11111111-2222-4333-8444-555555555555"
THERE = "99999999-2222-4333-8444-555555555555"


def line(agent: AgentName, session: str | None, said: str, at: int = AT, **more: Any) -> str:
    if agent == "codex":
        return json.dumps({"session_id": session, "ts": at // 1_000, "text": said}) + "\n"
    values = {"display": said, "pastedContents": {}, "timestamp": at, "project": "/work/atlas"}
    return json.dumps(values | ({"sessionId": session} if session else {}) | more) + "\n"


@pytest.fixture(params=["claude-code", "codex"])
def agent(request: pytest.FixtureRequest) -> AgentName:
    name: AgentName = request.param
    return name


@pytest.fixture
def folder(agent: AgentName, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The agent's folder in a home that has nothing else."""
    home = tmp_path / "home"
    monkeypatch.setenv("HOME", str(home))
    for variable in ("CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(variable, raising=False)
    result = home / {"claude-code": ".claude", "codex": ".codex"}[agent]
    result.mkdir(parents=True)
    return result


def prompts(store: Store) -> list[tuple[str, str]]:
    sql = "SELECT s.content_session_id, p.text FROM prompts p JOIN sessions s ON s.id = p.session_id"
    return sorted((str(session), str(text)) for session, text in store.db.execute(sql))


def told(agent: AgentName, session: str, said: str, at: int = AT) -> Event:
    return Event(kind="prompt", agent=agent, session=session, at=at, text=said, key="u-1")


def test_prompts_without_a_transcript_come_in_and_again_change_nothing(
    store: Store, agent: AgentName, folder: Path
) -> None:
    history = folder / "history.jsonl"
    history.write_text(
        "\ufeff" + line(agent, GONE, "why does it drift?") + "{torn\n" + '["a list"]\n'
        + line(agent, GONE, "/clear", AT + 1_000) + line(agent, GONE, "pin the clock", AT + 2_000)
        + line(agent, "x", "", AT) + json.dumps({"display": 7, "timestamp": "x", "ts": {}}) + "\n"
    )  # fmt: skip
    assert recognize(history) == agent
    assert [(place.agent, place.path) for place in find_folders()] == [(agent, history)]
    assert import_transcripts(store, agent).of("prompts").new == 2
    expected = [(GONE, "pin the clock"), (GONE, "why does it drift?")]
    assert prompts(store) == expected
    with history.open("a") as file:
        file.write(line(agent, GONE, "and now?", AT + 9_000))
    assert import_transcripts(store, agent).of("prompts").new == 1
    assert not import_transcripts(store, agent).changes
    assert len(prompts(store)) == 3


def test_a_session_with_a_transcript_is_left_to_it(store: Store, agent: AgentName, folder: Path) -> None:
    (folder / "history.jsonl").write_text(line(agent, THERE, "hello"))
    place = folder / {"claude-code": "projects/-work", "codex": "sessions/2026"}[agent]
    place.mkdir(parents=True)
    (place / f"rollout-2026-{THERE}.jsonl").touch()
    import_transcripts(store, agent)
    assert prompts(store) == []


@pytest.mark.parametrize(
    ("channel", "history_first"), [("hook", False), ("transcript", False), ("transcript", True)]
)
def test_what_something_else_tells_too_is_one_prompt(
    store: Store, agent: AgentName, folder: Path, channel: Any, history_first: bool
) -> None:
    (folder / "history.jsonl").write_text(line(agent, GONE, "why does it drift?"))
    if history_first:
        import_transcripts(store, agent)
    ingest_event(store, told(agent, GONE, "why does it drift?", AT + 300), channel)
    import_transcripts(store, agent)
    assert prompts(store) == [(GONE, "why does it drift?")]


def test_what_was_typed_before_anything_listened_comes_in(
    store: Store, agent: AgentName, folder: Path
) -> None:
    ingest_event(store, told(agent, GONE, "the second", AT + 3_600_000), "hook")
    earlier, later = line(agent, GONE, "the first"), line(agent, GONE, "the [Pasted]", AT + 3_600_000)
    (folder / "history.jsonl").write_text(earlier + later)
    import_transcripts(store, agent)
    assert prompts(store) == [(GONE, "the first"), (GONE, "the second")]


@pytest.mark.parametrize("agent", ["claude-code"], indirect=True)
def test_lines_of_no_session_are_of_a_day_s_and_none_is_told_twice(
    store: Store, agent: AgentName, folder: Path
) -> None:
    ingest_event(store, told(agent, "other", "known already"), "transcript")
    pasted = {"1": {"content": "AKIA: text", "type": "text"}, "2": {"contentHash": "ab"}, "3": None}
    (folder / "history.jsonl").write_text(
        line(agent, None, "known already", AT + 500)
        + line(agent, None, "look: [Pasted text #1 +3 lines] [Pasted text #2]", pastedContents=pasted)
    )
    import_transcripts(store, agent)
    [(session, said)] = [row for row in prompts(store) if row[0] != "other"]
    assert session.startswith("history-")
    assert said == "look: AKIA: text [Pasted text #2]"
    assert store.sessions.get(session).project == "atlas"


def test_private_and_excluded_is_not_kept(store: Store, agent: AgentName, folder: Path) -> None:
    secret = "gh" + "p_" + "0123456789abcdefghijABCDEFGHIJ012345"
    (folder / "history.jsonl").write_text(line(agent, GONE, f"use {secret} <private>hush</private> here"))
    import_transcripts(store, agent)
    [(_session, said)] = prompts(store)
    assert secret not in said
    assert "hush" not in said
