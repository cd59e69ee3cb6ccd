"""`mem import` of transcripts."""

import json
from pathlib import Path
from typing import Any

import pytest

from memtui.store import Store
from memtui.store.capture.ingest import transcripts
from memtui.store.capture.ingest.transcripts import read_transcript
from memtui.store.records.events import AgentName

from ...formats.claude_mem.claude_mem_files import ClaudeMemFile
from ...formats.transcripts import rollouts
from ...formats.transcripts.claude_records import SESSION, WORK, asked, write
from ..runner import Mem


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home directory of its own, in which no agent was at work."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    return home


@pytest.fixture
def transcript(home: Path) -> Path:
    """The transcript of a session, where Claude Code keeps it."""
    return write(home / ".claude" / "projects" / "-home-dev-atlas" / f"{SESSION}.jsonl", WORK)


COUNTS = [
    "kind\tread\tnew\tchanged\tunchanged\tskipped\twhy",
    "sessions\t1\t1\t0\t0\t0\t",
    "prompts\t3\t3\t0\t0\t0\t",
    "observations\t3\t3\t0\t0\t0\t",
    "summaries\t1\t1\t0\t0\t0\t",
]


def test_a_file_or_a_folder_tells_itself_what_it_is(mem: Mem, transcript: Path) -> None:
    assert sorted(mem.ok("import", str(transcript)).splitlines()) == sorted(COUNTS)


def test_where_nothing_is_new_it_is_said(mem: Mem, transcript: Path) -> None:
    assert "Nothing new" not in mem("import", str(transcript)).stderr
    write(transcript.with_name("later.jsonl"), [asked(60, "more", sessionId="later")])
    mem.ok("import", "claude-code")
    again = mem("import", "claude-code")
    assert (again.stdout, again.stderr) == ("", "Nothing new in 2 files.\n")
    report = mem.json("import", str(transcript))
    assert (report["counts"], report["notes"]) == ({}, ["Nothing new in 1 file."])
    assert mem.json("import", "--all")[0]["notes"] == ["Nothing new in 2 files."]
    assert "kind" not in mem.on_terminal("import", "claude-code")


def test_a_source_is_imported_from_where_it_lies(mem: Mem, transcript: Path) -> None:
    assert sorted(mem.ok("import", "claude-code").splitlines()) == sorted(COUNTS)
    assert [hit["title"] for hit in mem.json("search", "kind:prompt login")] != []


def test_source_and_path_go_together(mem: Mem, transcript: Path) -> None:
    report = mem.json("import", "claude-code", str(transcript))
    assert report["source"] == "claude-code"
    assert report["counts"]["prompts"]["new"] == 3
    said = mem.refused("import", "codex", str(transcript))
    assert "was written by claude-code" in said


def test_a_word_that_is_neither_file_nor_source_is_told_with_the_sources(mem: Mem) -> None:
    told = mem.refused("import", "nonesuch")
    assert "nonesuch" in told and "scheme-c, mcp-memory" in told


def test_without_either_what_is_found_is_listed_and_nothing_imported(
    mem: Mem, home: Path, transcript: Path
) -> None:
    (line,) = mem.ok("import").splitlines()
    source, files, *_, command = line.split("\t")
    assert (source, files) == ("claude-code", "1")
    assert command == f"mem import claude-code {transcript.parents[1]}"
    (offer,) = mem.json("import")
    assert (offer["source"], offer["bytes"]) == ("claude-code", transcript.stat().st_size)
    assert not mem.db.exists()


def test_what_is_in_is_told_apart_from_what_is_new(mem: Mem, home: Path, transcript: Path) -> None:
    other = transcript.with_name("11111111-2222-4333-8444-555555555555.jsonl")
    assert "imports all of it" in mem("import").stderr
    mem.ok("import", "--all")
    assert "All of it is in." in mem("import").stderr and mem.json("import")[0]["new"] == 0
    other.write_bytes(transcript.read_bytes())
    assert "imports what is new: 1 file." in mem("import").stderr
    assert mem.ok("import").split("\t")[:3] == ["claude-code", "2", "1"]


def test_all_imports_everything_that_is_found(mem: Mem, home: Path, transcript: Path) -> None:
    database = home / ".claude-mem" / "claude-mem.db"
    database.parent.mkdir()
    memory = ClaudeMemFile(database)
    memory.session()
    memory.observation(title="Fixed the token refresh")
    first, second = mem.json("import", "--all")
    assert first["source"].startswith("claude-mem")
    assert second["counts"]["prompts"]["new"] == 3
    assert mem.json("import", "claude-mem")["counts"]["observations"]["unchanged"] == 1


def test_a_memory_is_told_by_what_it_has_too(mem: Mem, tmp_path: Path) -> None:
    memory = ClaudeMemFile(tmp_path / "some.db")
    memory.session()
    assert mem.json("import", str(memory.path))["source"].startswith("claude-mem")


def test_bad_lines_are_told_by_file_and_number(mem: Mem, transcript: Path) -> None:
    with transcript.open("a") as file:
        file.write("nonsense\n")
    told = mem("import", str(transcript)).stderr.splitlines()
    assert told[1:] == [f"{transcript} line {len(WORK) + 1}: is not JSON"]


def test_what_is_nothing_is_refused(mem: Mem, home: Path, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("hello")
    assert "neither a store nor a transcript" in mem.refused("import", str(tmp_path / "text"))
    assert "no file or folder" in mem.refused("import", str(tmp_path / "none"))
    assert "No transcripts of codex" in mem.refused("import", "codex")
    assert "holds no transcripts" in mem.refused("import", "gemini", str(home))
    assert "--all" in mem.refused("import", "--all", "codex", code=2)
    assert mem.ok("import") == ""


def test_work_in_the_memorys_own_directory_is_not_remembered(mem: Mem, tmp_path: Path) -> None:
    own = tmp_path / "memtui"
    records = [one | {"cwd": str(own / "logs")} for one in WORK if "cwd" in one]
    path = write(tmp_path / "own.jsonl", records)
    text = mem.ok("--db", str(own / "memory.db"), "import", str(path), "--json")
    counts = json.loads(text)["counts"]
    assert counts["sessions"]["skipped"] == {"memtui's own": 1}
    assert not any(one["new"] for one in counts.values())


def test_what_is_stopped_goes_on_with_the_same_command(
    mem: Mem, transcript: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prompt = asked(60, "more", sessionId="later")
    later = write(transcript.with_name("later.jsonl"), [prompt])

    def stop(store: Store, path: Path, agent: AgentName, **more: Any) -> bool:
        if path == later:
            raise KeyboardInterrupt
        return read_transcript(store, path, agent, **more)

    with monkeypatch.context() as patch:
        patch.setattr(transcripts, "read_transcript", stop)
        patch.setattr(transcripts, "transcripts_in", lambda agent, root: iter([transcript, later]))
        assert "goes on from there" in mem.refused("import", "claude-code")
    assert mem.json("import", "claude-code")["counts"]["prompts"] == {
        "read": 1, "new": 1, "changed": 0, "unchanged": 0, "vanished": 0, "returned": 0, "skipped": {}
    }  # fmt: skip


@pytest.fixture
def of_two_agents(tmp_path: Path, home: Path) -> Path:
    """A folder in which transcripts of two agents lie."""
    folder = tmp_path / "collected"
    write(folder / f"{SESSION}.jsonl", WORK)
    rollout = [rollouts.meta(), rollouts.begun(), rollouts.asked("make it so"), rollouts.ended("Done")]
    (folder / "a").mkdir()
    (folder / "a" / "rollout-1.jsonl").write_text("".join(json.dumps(one) + "\n" for one in rollout))
    return folder


def test_of_a_folder_of_several_agents_all_are_imported(mem: Mem, of_two_agents: Path) -> None:
    reports = mem.json("import", str(of_two_agents))
    assert sorted(one["source"] for one in reports) == ["claude-code", "codex"]
    agents = {one["agent"] for one in mem.json("session", "list")}
    assert agents == {"claude-code", "codex"}
