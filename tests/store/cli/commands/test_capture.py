"""`mem hook`, `pause`, `resume`, `exclude`, `context` and `project`."""

import json
import time
from pathlib import Path

from ..runner import Mem

PROMPT = {"hook_event_name": "UserPromptSubmit", "session_id": "s-1", "prompt": "why does it fail"}


def test_the_hook_takes_an_event_and_says_nothing(mem: Mem) -> None:
    for arguments in (["hook", "codex"], ["--db", str(mem.db), "hook", "codex"]):
        done = mem.process(*arguments, input=json.dumps(PROMPT).encode())
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    mem.ok("add", "There is a memory")
    assert mem.json("stats")["prompts"] == 1
    assert "JSON" in mem.ok("hook", "--help")


def test_the_memory_may_be_named_before_the_hook(mem: Mem, tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    for number, words in enumerate((["--db", str(other)], [f"--db={other}"])):
        event = json.dumps(PROMPT | {"session_id": f"s-{number}"}).encode()
        done = mem.process(*words, "hook", "codex", input=event)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert mem.json("--db", str(other), "stats")["prompts"] == 2
    assert not mem.db.exists()


def test_the_word_hook_in_another_command_is_a_word(mem: Mem) -> None:
    done = mem.process("add", "hook", "--narrative", "It caught a fish.\nTwice.")
    assert (done.returncode, done.stdout) == (0, b"1\n")
    assert b"hook" in mem.process("search", "hook").stdout
    assert mem.process("add", "hook", "--at", "2026-02-18").stdout == b"2\n"
    assert [hit["title"] for hit in mem.json("search", "hook")] == ["hook", "hook"]


def test_events_that_wait_for_a_memory_make_it(mem: Mem) -> None:
    assert "There is no store" in mem.refused("stats")
    mem.process("hook", "codex", input=json.dumps(PROMPT).encode())
    assert not mem.db.exists()
    found = {one["agent"]: one["events_today"] for one in mem.json("agents")}
    assert found["codex"] == 1
    assert mem.json("stats")["prompts"] == 1


def test_the_doctor_stores_what_waits_for_a_memory(mem: Mem) -> None:
    mem.process("hook", "codex", input=json.dumps(PROMPT).encode())
    checks = {check["name"]: check for check in mem.json("doctor")["checks"]}
    assert checks["spool"]["found"].startswith("0 events")
    assert checks["last event stored"]["found"] != "never"


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
    nothing = mem("context", "--project", "nothing")
    assert (nothing.stdout, nothing.exit_code) == ("", 0)
    assert "Nothing is remembered of nothing" in nothing.stderr


def test_what_a_prompt_is_about_comes_first_and_what_was_given_is_listed(mem: Mem) -> None:
    mem.ok("add", "Refresh token expired", "--type", "bugfix")
    for number in range(35):
        mem.ok("add", f"Styled button {number}")
    assert "Refresh token" not in mem.ok("context")
    told = mem.json("context", "--prompt", "why did the refresh token expire?")
    assert told["refs"][0] == "1"
    assert mem.json("context", "--log") == []
    start = {"hook_event_name": "SessionStart", "session_id": "s-1", "cwd": str(mem.folder)}
    event = json.dumps(start).encode()
    mem.process("hook", "claude-code", input=event, MEMTUI_HOOK_SECONDS="60")
    (one,) = mem.json("context", "--log")
    assert (one["agent"], one["session"], one["project"]) == ("claude-code", "s-1", "atlas")
    assert "claude-code\ts-1\tatlas" in mem.ok("context", "--log")


def test_pausing_and_resuming_are_told(mem: Mem) -> None:
    assert "mem resume" in mem("pause").stderr
    assert "mem resume" in mem("pause", "--for", "2h").stderr
    assert mem.json("pause") == {"paused": True, "until": None}
    in_two_hours = (time.time() + 7_200) * 1_000
    until = mem.json("pause", "--for", "2h")["until"]
    # It is kept to the second.
    assert in_two_hours - 1_000 < until < (time.time() + 7_201) * 1_000
    mem.process("hook", "codex", input=json.dumps(PROMPT).encode())
    mem.ok("resume")
    assert "Nothing was paused" in mem("resume").stderr
    mem.ok("add", "There is a memory")
    assert mem.json("stats")["prompts"] == 0
    for span in ("soon", "0m", "2", "1.5"):
        mem.refused("pause", "--for", span, code=2)


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
