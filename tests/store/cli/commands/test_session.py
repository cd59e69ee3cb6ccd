"""`mem session`, `mem prompt` and `mem summary`."""

import json
import os
import sys
from collections.abc import Callable
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


@filling
def tagged(mem: Mem) -> None:
    for key, project in (("c-1", "atlas"), ("c-2", "beta")):
        mem.ok(
            "session",
            "start",
            key,
            "--agent",
            "codex",
            "--project",
            project,
            "--title",
            f"Work on {project}",
        )
    mem.ok("add", "The TTL is 24 h", "--session", "c-1", "--modified", "src/auth.py")
    mem.ok("tag", "@1", "@2", "--add", "release")
    mem.ok("tag", "@1", "--add", "ops")


def listed(mem: Mem, *arguments: str) -> list[str]:
    return [line.split("\t")[0] for line in mem.ok("session", "list", *arguments).splitlines()]


def test_sessions_are_listed_by_words_and_filters(tagged: Mem) -> None:
    assert listed(tagged, "tag:release") == ["@2", "@1"]
    assert listed(tagged, "tag:release", "-tag:ops") == ["@2"]
    assert listed(tagged, "-tag:ops") == ["@2"]
    assert listed(tagged, "file:src/auth") == ["@1"]
    assert listed(tagged, "beta") == ["@2"]
    assert listed(tagged, "tag:release", "-n", "1", "--offset", "1") == ["@1"]
    assert listed(tagged, "tag:release", "--project", "atlas") == ["@1"]
    assert "#release, #ops" in tagged.ok("session", "list", "tag:ops")
    (only,) = tagged.json("session", "list", "tag:ops")
    assert (only["ref"], only["tags"], only["state"]) == ("@1", ["release", "ops"], None)
    assert tagged.json("search", "kind:session", "tag:ops")[0]["ref"] == "@1"
    for query in ("tag:ops", "tag:ops -kind:session"):
        assert [hit["title"] for hit in tagged.json("search", query)] == ["The TTL is 24 h"]


def test_a_saved_view_is_listed(tagged: Mem) -> None:
    with Store.open(tagged.db) as store:
        store.searches.save("release", "kind:session tag:release")
    assert listed(tagged, "--saved", "release", "atlas") == ["@1"]
    assert tagged.json("search", "--saved", "release")[1]["ref"] == "@1"
    assert "Saved: release" in tagged.refused("session", "list", "--saved", "nothing")


def test_what_a_list_of_sessions_cant_understand_is_said(tagged: Mem) -> None:
    result = tagged("session", "list", "tag:releases")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "No memory has the tag releases. Did you mean: mem session list tag:release?" in " ".join(
        result.stderr.split()
    )
    assert "foo is not a date" in tagged("session", "list", "since:foo").stderr
    assert "needs no --for-agent" in tagged.refused("session", "list", "x", "--for-agent", code=2)
    tagged.ok("fact", "add", "The TTL is 24 h")
    assert "Only observations and sessions have tags" in tagged.refused("tag", "f1", "--add", "x")


def test_tags_of_a_session_are_corrected_shown_and_undone(tagged: Mem) -> None:
    tagged.ok("edit", "@2", "--tag", "docs", "--add-tag", "later")
    assert tagged.json("session", "show", "@2")["session"]["tags"] == ["docs", "later"]
    assert "session @1 tagged ops" in tagged.ok("history")
    tagged.ok("undo")
    assert tagged.json("show", "@2")[0]["session"]["tags"] == ["release"]


IMPORTER = """
import json, pathlib, sys
home = pathlib.Path.home() / ".codex"
def tell(**message): print(json.dumps(message), flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["method"] == "initialize":
        tell(id=1, result={"codexHome": str(home)})
    elif asked["method"] == "externalAgentConfig/import":
        answer = json.loads(%r)
        if "error" in answer:
            tell(id=2, error=answer["error"])
            continue
        (session,) = asked["params"]["migrationItems"][0]["details"]["sessions"]
        (home / "asked.json").write_text(json.dumps(session))
        tell(id=2, result={"importId": "i"})
        tell(method="externalAgentConfig/import/completed",
             params={"importId": "i", "itemTypeResults": [{"itemType": "SESSIONS", **answer}]})
"""


@pytest.fixture
def native(mem: Mem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Mem]:
    """A session of Claude Code with its transcript, and a Codex that answers to an import as is said."""

    def made(**answer: object) -> Mem:
        home = tmp_path / "home"
        (home / ".codex").mkdir(parents=True, exist_ok=True)
        path = home / ".claude/projects/-atlas" / f"{SESSION}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        write(path, [asked(1, "why?", cwd=str(tmp_path))])
        codex = tmp_path / "bin/codex"
        codex.parent.mkdir(exist_ok=True)
        codex.write_text(f"#!{sys.executable}\n{IMPORTER % json.dumps(answer)}")
        codex.chmod(0o755)
        monkeypatch.setenv("HOME", str(home))
        monkeypatch.setenv("PATH", f"{codex.parent}:{os.environ['PATH']}")
        mem.ok("session", "start", SESSION, "--agent", "claude-code", "--project-path", str(tmp_path))
        return mem

    return made


def test_codex_takes_a_session_over_whole(native: Callable[..., Mem], tmp_path: Path) -> None:
    mem = native(successes=[{"target": "t-1"}], failures=[])
    resumed = mem.json("session", "resume", "@1", "--in", "codex", "--native")
    assert resumed == {
        "command": ["codex", "resume", "t-1"], "directory": str(tmp_path), "can_run": True, "sentences": [],
    }  # fmt: skip
    path = tmp_path / "home/.claude/projects/-atlas" / f"{SESSION}.jsonl"
    given = json.loads((tmp_path / "home/.codex/asked.json").read_text())
    assert given == {"path": str(path), "cwd": str(tmp_path), "title": None}
    assert "goes on in @2" in mem.ok("session", "list")


def test_what_codex_imported_before_is_gone_on_with(native: Callable[..., Mem], tmp_path: Path) -> None:
    mem = native(successes=[], failures=[])
    assert "it made nothing of it" in mem.refused("session", "resume", "@1", "--in", "codex", "--native")
    home = tmp_path / "home"
    path = home / ".claude/projects/-atlas" / f"{SESSION}.jsonl"
    record = {"source_path": str(path), "imported_thread_id": "t-0"}
    (home / ".codex/external_agent_session_imports.json").write_text(json.dumps({"records": [record]}))
    assert "was deleted there" in mem.refused("session", "resume", "@1", "--in", "codex", "--native")
    rollout = home / ".codex/sessions/2026/02/17/rollout-2026-02-17T18-00-00-t-0.jsonl"
    rollout.parent.mkdir(parents=True)
    rollout.write_text("{}\n")
    line = mem.ok("session", "resume", "@1", "--in", "codex", "--native", "--print")
    assert line == f"cd {tmp_path} && codex resume t-0"


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ({"error": {"code": -32601, "message": "unknown method"}}, "unknown method"),
        ({"successes": [], "failures": [{"message": "it was not detected"}]}, "it was not detected"),
    ],
)
def test_a_codex_that_refuses_says_why(
    native: Callable[..., Mem], answer: dict[str, object], why: str
) -> None:
    mem = native(**answer)
    told = mem.refused("session", "resume", "@1", "--in", "codex", "--native")
    assert f"Codex could not import the session: {why}. Without --native it is given a brief." in told
    assert len(mem.json("session", "list")) == 1


def test_who_cant_import_a_session_says_so(native: Callable[..., Mem], tmp_path: Path) -> None:
    mem = native(successes=[])
    assert "--native needs --in" in mem.refused("session", "resume", "@1", "--native", code=2)
    told = mem.refused("session", "resume", "@1", "--in", "gemini", "--native")
    assert "gemini has no importer for a session of claude-code" in told
    (tmp_path / "home/.claude/projects/-atlas" / f"{SESSION}.jsonl").unlink()
    told = mem.refused("session", "resume", "@1", "--in", "codex", "--native")
    assert "claude-code keeps no transcript of it here" in told


def test_an_agent_that_ends_without_an_answer_is_told(native: Callable[..., Mem], tmp_path: Path) -> None:
    mem = native(successes=[])
    program(tmp_path / "bin", "codex")
    told = mem.refused("session", "resume", "@1", "--in", "codex", "--native")
    assert "Codex could not import the session" in told
