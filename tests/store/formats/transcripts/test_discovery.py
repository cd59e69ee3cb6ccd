"""Where transcripts lie on a machine, and which files are any."""

import json
import os
from pathlib import Path

import pytest

from memtui.store.formats.transcripts.discovery import find_folders, recognize, transcripts_in
from memtui.store.records.events import AgentName

from .claude_records import WORK, asked, write

NAMES: dict[AgentName, list[str]] = {
    "claude-code": [
        ".claude/projects/-atlas/s.jsonl",
        ".claude/projects/-atlas/s/subagents/agent-1.jsonl",
        ".config/Claude/local-agent-mode-sessions/a/b/local_c/.claude/projects/-atlas/t.jsonl",
    ],
    "codex": [
        ".codex/sessions/2026/02/02/rollout-1.jsonl",
        ".codex/sessions/rollout-2.json",
        ".codex/history.jsonl",
    ],
    "gemini": [".gemini/tmp/atlas/chats/session-1.jsonl", ".gemini/tmp/atlas/chats/session-2.json"],
    "cursor": [
        ".cursor/projects/atlas/agent-transcripts/a.jsonl",
        ".cursor/projects/atlas/agent-transcripts/b/b.jsonl",
        ".cursor/projects/atlas/agent-transcripts/c.txt",
    ],
    "copilot": [".copilot/session-state/a/events.jsonl", ".copilot/session-state/b.jsonl"],
    "opencode": [".local/share/opencode/opencode.db"],
}
OTHERS = [
    ".config/Claude/local-agent-mode-sessions/a/b/local_c/audit.jsonl",
    ".claude/projects/-atlas/s/subagents/workflows/1/journal.jsonl",
    ".claude/settings.json",
    ".gemini/tmp/atlas/logs.json",
    ".copilot/session-state/a/workspace.yaml",
    ".local/share/opencode/auth.json",
]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home directory in which every agent was at work."""
    for name in (*OTHERS, *(name for names in NAMES.values() for name in names)):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x" * 10)
        os.utime(tmp_path / name, (1_770_000_000, 1_770_000_000))
    return tmp_path


def test_every_agents_transcripts_are_found_and_nothing_else(home: Path) -> None:
    places = find_folders(home, {})
    assert list(dict.fromkeys(place.agent for place in places)) == list(NAMES)
    assert {place.newest for place in places} == {1_770_000_000_000}
    for agent, names in NAMES.items():
        own = [place for place in places if place.agent == agent]
        files = [file for place in own for file in transcripts_in(agent, place.path)]
        assert sorted(files) == sorted(home / name for name in names)
        assert sum(place.files for place in own) == len(names)
        assert sum(place.bytes for place in own) == 10 * len(names)


def test_an_empty_home_has_none(tmp_path: Path) -> None:
    assert find_folders(tmp_path, {}) == []


@pytest.mark.parametrize(
    ("variable", "usual", "agent"),
    [
        ("CLAUDE_CONFIG_DIR", ".claude", "claude-code"),
        ("CODEX_HOME", ".codex", "codex"),
        ("COPILOT_HOME", ".copilot", "copilot"),
        ("XDG_DATA_HOME", ".local/share", "opencode"),
    ],
)
def test_they_are_looked_for_where_the_environment_says(
    home: Path, tmp_path: Path, variable: str, usual: str, agent: str
) -> None:
    moved = tmp_path / "moved"
    (home / usual).rename(moved)
    found, told = find_folders(home, {}), find_folders(home, {variable: str(moved)})
    assert not [place for place in found if place.path.is_relative_to(home / usual)]
    assert agent in {place.agent for place in told if place.path.is_relative_to(moved)}


def test_a_sessions_folder_is_preferred_to_its_older_file(tmp_path: Path) -> None:
    root = tmp_path / "session-state"
    (root / "a").mkdir(parents=True)
    for name in ("a/events.jsonl", "a.jsonl", "b.jsonl"):
        (root / name).touch()
    assert {path.name for path in transcripts_in("copilot", root)} == {"events.jsonl", "b.jsonl"}


def test_the_oldest_session_comes_first_whenever_it_was_written_last(tmp_path: Path) -> None:
    late = write(tmp_path / "a.jsonl", [asked(9, "late")])
    early = write(tmp_path / "b.jsonl", [asked(1, "early")])
    os.utime(late, (1, 1))
    assert list(transcripts_in("claude-code", tmp_path)) == [early, late]


def test_any_folder_is_looked_through_for_what_an_agent_wrote(tmp_path: Path) -> None:
    wanted = write(tmp_path / "backup" / "old" / "x.jsonl", WORK)
    (tmp_path / "backup" / "notes.txt").write_text("hello")
    (tmp_path / "backup" / "other.jsonl").write_text('{"role": "user", "message": {"content": ""}}')
    assert list(transcripts_in("claude-code", tmp_path)) == [wanted]


@pytest.mark.parametrize(
    ("agent", "record"),
    [
        ("claude-code", {"type": "queue-operation", "sessionId": "s"}),
        ("claude-code", {"type": "user", "message": {"role": "user", "content": "x"}}),
        ("codex", {"timestamp": "x", "type": "session_meta", "payload": {}}),
        ("copilot", {"type": "session.start", "data": {}}),
        ("cursor", {"role": "user", "message": {"content": "x"}}),
        ("gemini", {"sessionId": "s", "projectHash": "h", "startTime": "t", "kind": "main"}),
        ("opencode", {"info": {"id": "ses_1"}, "messages": []}),
        (None, {"resourceSpans": []}),
        (None, {"id": 1}),
    ],
)
def test_a_record_tells_who_wrote_it(
    tmp_path: Path, agent: AgentName | None, record: dict[str, object]
) -> None:
    for name, indent in (("x.jsonl", None), ("x.json", 2)):
        path = tmp_path / name
        path.write_text(json.dumps(record, indent=indent))
        assert recognize(path) == agent
    assert recognize(tmp_path) == agent


def test_nothing_else_was_written_by_an_agent(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(b"\x00\xff" * 100)
    (tmp_path / "b.txt").write_text("user notes")
    (tmp_path / "c.db").write_bytes(b"SQLite format 3\0" + b"x" * 100)
    (tmp_path / "d.json").touch()
    for path in tmp_path.iterdir():
        assert recognize(path) is None
    assert recognize(tmp_path / "none") is None
