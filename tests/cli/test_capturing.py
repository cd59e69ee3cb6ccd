"""`mem hook`, `pause`, `resume`, `exclude`, `context` and `project`."""

from __future__ import annotations

import json
from pathlib import Path

from .commands import Mem

PROMPT = {"hook_event_name": "UserPromptSubmit", "session_id": "s-1", "prompt": "why does it fail"}


def test_the_hook_takes_an_event_and_says_nothing(mem: Mem) -> None:
    for arguments in (["hook", "codex"], ["--db", str(mem.db), "hook", "codex"]):
        done = mem.process(*arguments, input=json.dumps(PROMPT).encode())
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    mem.ok("add", "There is a memory")
    assert mem.json("stats")["prompts"] == 1
    assert "JSON" in mem.ok("hook", "--help")


def test_nothing_a_hook_is_given_makes_it_fail(mem: Mem) -> None:
    for arguments in (["hook"], ["hook", "nobody"], ["hook", "codex", "more", "--db"]):
        done = mem.process(*arguments, input=b"\xff{")
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_session_start_is_answered_with_what_is_remembered(mem: Mem) -> None:
    mem.ok("add", "Refresh token expired", "--type", "bugfix")
    start = {"hook_event_name": "SessionStart", "session_id": "s-1", "cwd": str(mem.folder)}
    event = json.dumps(start).encode()
    done = mem.process("hook", "claude-code", input=event, MEMTUI_HOOK_SECONDS="60")
    told = json.loads(done.stdout)["hookSpecificOutput"]
    assert told["hookEventName"] == "SessionStart"
    assert "Refresh token expired" in told["additionalContext"]
    assert "Refresh token expired" in mem.ok("context")
    assert mem.json("context")["project"] == "atlas"
    assert mem.ok("context", "--project", "nothing") == ""


def test_pausing_and_resuming_are_told(mem: Mem) -> None:
    assert "mem resume" in mem("pause").stderr
    assert "mem resume" in mem("pause", "--for", "2h").stderr
    assert mem.json("pause")["paused"] is True
    mem.process("hook", "codex", input=json.dumps(PROMPT).encode())
    mem.ok("resume")
    assert "Nothing was paused" in mem("resume").stderr
    mem.ok("add", "There is a memory")
    assert mem.json("stats")["prompts"] == 0
    mem.refused("pause", "--for", "soon", code=2)


def test_exclusions_are_listed_added_and_taken_away(mem: Mem) -> None:
    assert "Nothing" in mem("exclude").stderr
    assert mem.json("exclude", "*.pem", "~/private") == ["*.pem", "~/private"]
    assert mem.ok("exclude") == "*.pem\n~/private"
    assert mem.json("exclude", "--remove", "*.pem") == ["~/private"]
    assert "mem exclude" in mem.refused("exclude", "--remove", "*.pem")


def test_projects_are_listed_with_their_places_and_merged(mem: Mem, tmp_path: Path) -> None:
    mem.ok("add", "First")
    mem.ok("add", "Second", "--project", "old-atlas")
    listed = {one["project"]: one for one in mem.json("project", "list")}
    assert listed["atlas"]["places"] == [str(tmp_path / "atlas")]
    assert listed["old-atlas"]["memories"] == 1
    assert mem.json("project", "merge", "old-atlas", "atlas")["records"] == 2
    assert [one["project"] for one in mem.json("project", "list")] == ["atlas"]
    assert "mem project list" in mem.refused("project", "merge", "nobody", "atlas")


def test_a_memory_in_a_worktree_belongs_to_its_repository(mem: Mem, tmp_path: Path) -> None:
    git = tmp_path / "atlas" / ".git"
    own = git / "worktrees" / "fix"
    own.mkdir(parents=True)
    (own / "commondir").write_text("../..\n")
    tree = tmp_path / "fix"
    tree.mkdir()
    (tree / ".git").write_text(f"gitdir: {own}\n")
    there = Mem(mem.db, tree)
    mem.ok("add", "In the repository")
    for title in ("First there", "Second there"):
        assert there.process("add", title).returncode == 0
    held = {one["project"]: one["memories"] for one in mem.json("project", "list")}
    assert held == {"atlas": 3}
