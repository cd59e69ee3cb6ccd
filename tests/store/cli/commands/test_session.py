"""`mem session`, `mem prompt` and `mem summary`."""

import os
from dataclasses import asdict
from pathlib import Path

import pytest

from memtui.store import Store
from tests.programs import program
from tests.store.formats.transcripts.claude_records import (
    SESSION,
    answered,
    asked,
    text,
    write,
)

from ..runner import Mem, filling


def test_start_prints_a_number_and_starting_again_finds_it(mem: Mem) -> None:
    assert mem.ok("session", "start", "c-1", "--agent", "codex", "--project", "payments") == "@1"
    assert mem.ok("session", "start", "c-1", "--agent", "codex") == "@1"
    assert mem.ok("session", "start", "c-2") == "@2"


def test_start_without_an_id_is_the_manual_session_of_the_repository(mem: Mem) -> None:
    session = mem.json("session", "start")
    assert (session["content_session_id"], session["project"]) == ("manual-atlas", "atlas")


def test_start_takes_all_that_is_known(mem: Mem) -> None:
    session = mem.json(
        "session", "start", "c-1", "--title", "Login", "--project-path", "/src/x", "--at", "2026-02-18"
    )
    assert (session["title"], session["project_path"]) == ("Login", "/src/x")
    assert session["started_at"] == session["created_at"]
    assert session["status"] == "active"


def test_end_marks_it(mem: Mem) -> None:
    mem.ok("session", "start", "c-1")
    assert mem.ok("session", "end", "c-1", "--at", "2026-02-18") == "@1"
    assert mem.json("session", "show", "c-1")["session"]["status"] == "completed"
    assert mem.json("session", "end", "@1", "--status", "failed")["status"] == "failed"
    assert "'lost' is not one of" in mem.refused("session", "end", "c-1", "--status", "lost", code=2)


def test_link_gives_it_its_memory_id_once(mem: Mem) -> None:
    mem.ok("session", "start", "c-1")
    mem.ok("session", "start", "c-2")
    mem.ok("session", "link", "c-1", "m-1")
    assert mem.json("session", "show", "m-1")["session"]["content_session_id"] == "c-1"
    assert "belongs to session @1 already" in mem.refused("session", "link", "c-2", "m-1")


@pytest.mark.parametrize("command", [("show",), ("end",), ("link", "m-1")])
def test_an_unknown_session_is_refused(mem: Mem, command: tuple[str, ...]) -> None:
    mem.ok("add", "Title")
    name, *rest = command
    assert "There is no session c-9" in mem.refused("session", name, "c-9", *rest)


def test_list_gives_counts_and_narrows(mem: Mem) -> None:
    mem.ok("session", "start", "c-1", "--agent", "codex", "--project", "payments", "--at", "2h")
    mem.ok("session", "start", "c-2", "--project", "other", "--at", "1h")
    mem.ok("prompt", "why?", "--session", "c-1")
    mem.ok("add", "Title", "--session", "c-1")
    mem.ok("summary", "--session", "c-1", "--completed", "Added a leeway\nand more")
    both = mem.json("session", "list")
    assert [row["content_session_id"] for row in both] == ["c-2", "c-1"]
    counts = {"prompts": 1, "observations": 1, "summaries": 1, "summary_line": "Added a leeway"}
    assert both[1].items() >= counts.items()
    for flags in (("--project", "payments"), ("--agent", "codex"), ("-n", "1", "--offset", "1")):
        assert [row["ref"] for row in mem.json("session", "list", *flags)] == ["@1"]
    assert mem.json("session", "list", "--project", "none") == []


def test_show_holds_what_happened(mem: Mem) -> None:
    assert mem.ok("prompt", "why?", "--session", "c-1", "--agent", "codex") == "p1"
    mem.ok("add", "Title", "--session", "c-1")
    assert mem.ok("summary", "--session", "c-1", "--request", "Login fails") == "s1"
    shown = mem.json("session", "show", "c-1")
    assert shown["session"]["agent"] == "codex"
    assert [one["text"] for one in shown["prompts"]] == ["why?"]
    assert [one["title"] for one in shown["observations"]] == ["Title"]
    assert [one["request"] for one in shown["summaries"]] == ["Login fails"]
    told = mem.ok("session", "show", "@1")
    for part in ("session @1", "prompt p1", "text: why?", "summary s1", "1: note Title"):
        assert part in told


def test_prompts_are_numbered_and_may_come_from_standard_input(mem: Mem) -> None:
    first = mem.json("prompt", "-", "--session", "c-1", input="long\nquestion\n")
    second = mem.json("prompt", "and?", "--session", "c-1", "--private")
    third = mem.json("prompt", "then?", "--session", "c-1", "--prompt-number", "9")
    assert first["text"] == "long\nquestion"
    assert [one["prompt_number"] for one in (first, second, third)] == [1, 2, 9]
    assert second["private"] is True


def test_a_summary_has_all_its_parts(mem: Mem) -> None:
    parts = {
        "request": "a", "investigated": "b", "learned": "c", "completed": "d", "next_steps": "e",
        "notes": "f",
    }  # fmt: skip
    flags = [part for name, text in parts.items() for part in (f"--{name.replace('_', '-')}", text)]
    summary = mem.json(
        "summary", "--session", "c-1", *flags, "--read", "a.py", "--edited", "b.py",
        "--level", "brief", "--prompt-number", "2", "--tokens", "7", "--project", "payments",
    )  # fmt: skip
    assert summary.items() >= parts.items()
    others = {
        "level": "brief", "files_read": ["a.py"], "files_edited": ["b.py"], "prompt_number": 2,
        "discovery_tokens": 7, "project": "payments",
    }  # fmt: skip
    assert summary.items() >= others.items()


def test_a_summary_of_nothing_is_wrong_usage(mem: Mem) -> None:
    assert "at least one of" in mem.refused("summary", "--session", "c-1", code=2)
    assert "Missing option '--session'" in mem.refused("summary", "--request", "x", code=2)
    assert "Missing option '--session'" in mem.refused("prompt", "x", code=2)


@filling
def two_sessions(mem: Mem) -> None:
    """Two sessions with a record of each kind, a fact that rests on one of them, and one on both."""
    with Store.open(mem.db) as store:
        for name in ("gone", "kept"):
            store.sessions.start(name, agent="codex", project="atlas", at=1_000)
            prompt = store.prompts.add(name, f"why is {name} late?", at=1_000)
            store.observations.add(name, title=f"Found {name}", at=2_000)
            store.observations.add(name, title=f"Deleted before of {name}", at=2_000)
            store.summaries.add(name, completed=f"Mended {name}.", at=3_000)
            store.facts.add(f"{name} is mended", project="atlas", evidence=[prompt.uid])
            store.facts.add("both were late", project="atlas", evidence=[prompt.uid])
            store.pending.add(name, "summary", last_assistant_message="The zebra sang.")
        store.observations.delete(2)


def visible(mem: Mem) -> dict[str, int]:
    """How many records of each kind are visible."""
    with Store.open(mem.db) as store:
        told = asdict(store.stats())
        names = ("prompts", "observations", "summaries", "facts")
        return {name: told[name] for name in names} | {"sessions": store.sessions.count()}


def test_a_session_is_deleted_restored_and_undone_as_a_whole(two_sessions: Mem) -> None:
    before = visible(two_sessions)
    whole = {"sessions": 1, "prompts": 1, "observations": 1, "summaries": 1, "facts": 1}
    tried = two_sessions.json("session", "delete", "gone", "--dry-run")
    assert (tried["dry_run"], tried["records"]) == (True, whole)
    assert visible(two_sessions) == before
    assert two_sessions.json("session", "delete", "gone")["records"] == whole
    after = visible(two_sessions)
    assert sum(before.values()) - sum(after.values()) == 5
    assert "deleted already" in two_sessions("session", "delete", "gone").stderr
    told = two_sessions("session", "restore", "gone").stderr
    assert "Restored: 1 session, 1 prompt, 1 observation, 1 summary, 1 fact." in told
    assert visible(two_sessions) == before, "what was deleted before stays so"
    two_sessions.ok("session", "delete", "gone")
    two_sessions.ok("undo")
    assert visible(two_sessions) == before


def test_a_session_is_purged_with_all_that_belongs_to_it(two_sessions: Mem) -> None:
    assert "Not deleted: @1" in two_sessions.refused("session", "purge", "gone")
    two_sessions.ok("session", "delete", "gone")
    assert two_sessions.json("session", "purge", "gone", "--dry-run")["records"]["facts"] == 1
    two_sessions.ok("session", "purge", "gone")
    with Store.open(two_sessions.db) as store:
        assert [one.session_id for one in store.pending.list()] == [2]
        assert {one.content for one in store.facts.list()} == {"kept is mended", "both were late"}
    assert b"Mended gone" not in two_sessions.db.read_bytes()


def test_nothing_is_left_of_a_session_that_a_transcript_told(mem: Mem, tmp_path: Path) -> None:
    path = write(
        tmp_path / f"{SESSION}.jsonl",
        [
            asked(1, "why does the quokka gateway stop?", promptId="p-1"),
            answered(2, "m-1", text("The quokka gateway stops because its lease is never renewed.")),
        ],
    )
    mem.ok("import", str(path))
    mem.ok("queue", "process")
    mem.ok("session", "delete", SESSION)
    mem.ok("session", "purge", SESSION)
    assert b"quokka" not in mem.db.read_bytes()


def test_mem_shows_both_levels_of_a_summary(mem: Mem) -> None:
    brief = mem.ok("summary", "--session", "c-1", "--level", "brief", "--completed", "fixed")
    full = mem.ok("summary", "--session", "c-1", "--completed", "It is fixed.", "--learned", "why")
    assert f"brief ({brief}):\n    completed: fixed" in mem.ok("show", full)
    (shown,) = mem.json("show", full)
    assert (shown["completed"], shown["brief"]["completed"]) == ("It is fixed.", "fixed")
    (listed,) = mem.json("session", "show", "c-1")["summaries"]
    assert (listed["ref"], listed["brief"]["ref"]) == (full, brief)
    assert mem.json("show", brief)[0]["brief"] is None


def test_resume_runs_the_agent_where_the_session_ran(
    mem: Mem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    codex = program(tmp_path / "bin", "codex", status=3)
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:{os.environ['PATH']}")
    mem.ok("session", "start", "c-1", "--agent", "codex", "--project-path", str(tmp_path))
    line = f"cd {tmp_path} && codex resume c-1"
    assert mem.ok("session", "resume", "@1", "--print") == line
    assert mem.json("session", "resume", "@1")["command"] == ["codex", "resume", "c-1"]
    told = mem.refused("session", "resume", "@1")
    assert "codex keeps no transcript of it here" in told
    assert "--yes" in told
    assert codex.calls == []
    assert line in mem.refused("session", "resume", "@1", "--yes")
    assert (codex.words, codex.calls[0]["directory"]) == (["resume", "c-1"], str(tmp_path))


def test_resume_says_what_is_in_the_way(mem: Mem, tmp_path: Path) -> None:
    mem.ok("session", "start", "c-1", "--agent", "codex", "--project-path", str(tmp_path / "gone"))
    mem.ok("session", "start", "c-2", "--agent", "windsurf")
    assert "The command is: codex resume c-1" in mem.refused("session", "resume", "@1")
    assert "windsurf has no command" in mem.refused("session", "resume", "@2")


@pytest.mark.parametrize(("answer", "runs"), [("y", True), ("", True), ("n", False)])
def test_resume_asks_once_on_a_terminal(mem: Mem, tmp_path: Path, answer: str, runs: bool) -> None:
    codex = program(tmp_path / "bin", "codex")
    home = tmp_path / "home"
    transcript = home / ".codex/sessions/2026/02/17/rollout-2026-02-17T18-00-00-c-1.jsonl"
    transcript.parent.mkdir(parents=True)
    transcript.write_text("{}\n")
    mem.ok("session", "start", "c-1", "--agent", "codex", "--project-path", str(tmp_path))
    told = mem.typed(
        "session", "resume", "@1", keys=f"{answer}\n", HOME=str(home),
        PATH=f"{tmp_path}/bin:{os.environ['PATH']}",
    )  # fmt: skip
    assert told.count("Run it?") == 1
    assert "codex resume c-1" in told
    assert bool(codex.calls) == runs


def test_a_title_that_comes_later_is_listed_and_found(mem: Mem, tmp_path: Path) -> None:
    path = tmp_path / f"{SESSION}.jsonl"
    by_agent = {"type": "ai-title", "aiTitle": "Voucher rounding", "sessionId": SESSION}
    by_user = {"type": "custom-title", "customTitle": "Money in cents", "sessionId": SESSION}
    for records, title, word in (
        ([asked(1, "hmm"), by_agent], "Voucher rounding", "voucher"),
        ([asked(1, "hmm"), by_agent, by_user], "Money in cents", "cents"),
    ):
        write(path, records)
        mem.ok("import", str(path))
        assert title in mem.ok("session", "list")
        assert title in mem("search", word).stderr
    assert mem.json("session", "list")[0]["status"] == "ended"


def test_resume_in_another_agent_starts_it_and_the_list_tells_the_chain(
    mem: Mem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    codex = program(tmp_path / "bin", "codex")
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:{os.environ['PATH']}")
    mem.ok("session", "start", "c-1", "--agent", "claude-code", "--project-path", str(tmp_path))
    mem.ok("add", "The TTL is 24 h", "--session", "c-1")
    mem.ok("session", "resume", "@1", "--in", "codex", "--yes")
    assert codex.calls[0]["directory"] == str(tmp_path)
    assert "The TTL is 24 h" in codex.words[0]
    mem.ok("session", "start", "x-1", "--agent", "codex")
    with Store.open(mem.db) as store:
        store.sessions.continue_from(store.sessions.get("x-1"), "claude-code", "c-1")
    assert "goes on from @1" in mem.ok("session", "list")
    assert "goes on in @2" in mem.ok("session", "list")
    assert "@2: ↳ codex" in mem.ok("session", "show", "@1")
    assert [one["ref"] for one in mem.json("session", "show", "@1")["family"]["sessions"]] == ["@1", "@2"]
    assert "exclude each other" in mem.refused("session", "resume", "@1", "--in", "codex", "--fork", code=2)


def test_resume_with_fork_goes_on_with_a_copy(mem: Mem) -> None:
    mem.ok("session", "start", "c-1", "--agent", "codex")
    assert mem.ok("session", "resume", "@1", "--fork", "--print") == "codex fork c-1"
    mem.ok("session", "start", "g-1", "--agent", "gemini")
    assert "gemini has no command that forks" in mem.refused("session", "resume", "g-1", "--fork")
