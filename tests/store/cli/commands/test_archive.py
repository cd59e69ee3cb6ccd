"""`mem archive`: off until a person says so, and everything told before it is done."""

import json
import os
from pathlib import Path

import pytest

from tests.store.cli.runner import Mem

ID = "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0"


@pytest.fixture
def transcript(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "home"
    path = home / f".claude/projects/-w-shop/{ID}.jsonl"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"type": "user", "sessionId": ID}) + "\n")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("MEMTUI_CONFIG", str(tmp_path / "config.toml"))
    return path


def test_it_is_captured_when_that_was_agreed_to(mem: Mem, transcript: Path, tmp_path: Path) -> None:
    assert "--yes archives" in mem.refused("archive", "capture")
    assert "Nothing is archived" in mem("archive", "list").stderr
    mem.ok("archive", "capture", "--yes")
    assert "on = true" in (tmp_path / "config.toml").read_text()
    [unit] = mem.json("archive", "list")
    assert (unit["id"], unit["only_here"], unit["expires_in_days"]) == (ID, False, 30)
    assert mem.ok("archive", "verify") == "1 entry, all as they were."


def test_doctor_says_what_expires(mem: Mem, transcript: Path) -> None:
    mem.ok("add", "one")
    assert "archive is" not in mem.ok("doctor")
    os.utime(transcript, (0, 0))
    assert "1 transcript expires within 7 days; archive is off" in mem.ok("doctor")
    mem.ok("archive", "capture", "--yes")
    assert "1 entry archived; 1 transcript expires within 7 days; archive is on" in mem.ok("doctor")


def test_a_session_comes_back_with_the_command_that_resumes_it(mem: Mem, transcript: Path) -> None:
    mem.ok("archive", "capture", "--yes")
    transcript.unlink()
    assert [unit["id"] for unit in mem.json("archive", "list", "--only-here")] == [ID]
    done = mem.json("archive", "restore", ID[:6])
    assert done == {"paths": [str(transcript)], "resume": ["claude", "--resume", ID]}
    assert transcript.exists()


def test_what_is_archived_is_let_go_of(mem: Mem, transcript: Path) -> None:
    mem.ok("archive", "capture", "--yes")
    assert "nothing" in mem("archive", "prune", "--older", "30").stderr
    assert "--yes" in mem.refused("archive", "purge", ID)
    assert mem.json("archive", "purge", ID, "--yes") == {"forgotten": [ID]}
    assert mem.json("archive", "list") == []


def test_how_long_an_agent_keeps_is_shown_and_changed_as_one_undo(mem: Mem, transcript: Path) -> None:
    settings = transcript.parents[2] / "settings.json"
    settings.write_text('{\n  // mine\n  "model": "opus"\n}\n')
    before = settings.read_bytes()
    assert mem.json("archive", "retention") == {"claude-code": 30, "gemini": 30}
    assert "--yes" in mem.refused("archive", "retention", "--keep", "3650")
    assert settings.read_bytes() == before
    mem.ok("archive", "retention", "--keep", "3650", "--yes")
    assert mem.json("archive", "retention")["claude-code"] == 3650
    assert "// mine" in settings.read_text()
    mem.ok("undo")
    assert settings.read_bytes() == before
    assert "never started" in mem.refused("archive", "retention", "--keep", "9", "--agent", "gemini")
    (transcript.parents[3] / ".gemini").mkdir()
    mem.ok("archive", "retention", "--keep", "90", "--agent", "gemini", "--yes")
    assert mem.json("archive", "retention")["gemini"] == 90


def test_a_purge_says_how_many_sessions_went_along(mem: Mem, transcript: Path) -> None:
    mem.ok("import", str(transcript))
    mem.ok("archive", "capture", "--yes")
    said = mem("trash", "purge", "@1", "--yes").stderr
    assert "1 session of the archive went along." in said


def test_a_session_is_named_by_its_number_and_what_expires_by_its_title(mem: Mem, transcript: Path) -> None:
    mem.ok("session", "start", ID, "--agent", "claude-code", "--title", "Fix the shop")
    assert "Fix the shop" not in mem.ok("archive", "retention")
    mem.ok("archive", "capture", "--yes")
    transcript.unlink()
    assert mem.json("archive", "restore", "@1")["paths"] == [str(transcript)]
    os.utime(transcript, (0, 0))
    assert "Fix the shop" in mem.ok("archive", "retention")
