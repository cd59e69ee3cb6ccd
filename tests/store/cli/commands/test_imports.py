"""`mem import`."""

import json
from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.cli.commands.imports import SHOWN_WARNINGS

from ...formats.claude_mem.claude_mem_files import ClaudeMemFile
from ...formats.foreign_files import CodexmemFile, OldClaudeMemFile, TraeMemFile
from ..runner import Mem


@pytest.fixture
def file(tmp_path: Path) -> ClaudeMemFile:
    """A claude-mem memory in which more rows than are told have lost their session."""
    file = ClaudeMemFile(tmp_path / "claude-mem.db")
    file.session()
    file.observation(title="Fixed the token refresh")
    for number in range(SHOWN_WARNINGS + 5):
        file.observation(title=f"Lost {number}", memory_session_id=f"m-lost-{number}")
    return file


def test_it_brings_memories_in_and_counts_them(mem: Mem, file: ClaudeMemFile) -> None:
    lines = mem.ok("import", "claude-mem", str(file.path)).splitlines()
    assert "sessions\t1\t1\t0\t0\t0\t" in lines
    assert "observations\t26\t26\t0\t0\t0\t" in lines
    assert [hit["title"] for hit in mem.json("search", "refresh", "--exact")] == ["Fixed the token refresh"]


def test_the_first_warnings_are_told_or_all(mem: Mem, file: ClaudeMemFile) -> None:
    command = ("import", "claude-mem", str(file.path))
    told = mem(*command).stderr.splitlines()
    warnings = [line for line in told if line.startswith("observations ")]
    assert len(warnings) == SHOWN_WARNINGS
    assert told[-1] == "5 more warnings; --all-warnings tells them."
    again = mem(*command, "--all-warnings").stderr.splitlines()
    assert len([line for line in again if line.startswith("observations ")]) == SHOWN_WARNINGS + 5


def test_rows_with_the_same_warning_are_told_together(mem: Mem, tmp_path: Path) -> None:
    file = ClaudeMemFile(tmp_path / "claude-mem.db")
    file.session()
    for number in range(8):
        file.observation(title=f"odd {number}", facts="no list", concepts="no list" if number else None)
    told = mem("import", str(file.path)).stderr.splitlines()
    assert "observations 1, 2, 3, 4, 5 and 3 more: facts is not valid JSON" in told
    assert "observations 2, 3, 4, 5, 6 and 2 more: concepts is not valid JSON" in told
    assert told[-1] == "--all-warnings tells of each row by itself."
    told = mem("import", str(file.path), "--all-warnings").stderr.splitlines()
    assert "observations 8: facts is not valid JSON" in told


def test_it_says_in_a_word_whether_anything_was_new(mem: Mem, file: ClaudeMemFile) -> None:
    assert ": 27 records new, 0 changed." in mem("import", str(file.path)).stderr
    assert "nothing new" in mem("import", str(file.path)).stderr


def test_doing_it_again_brings_nothing_twice(mem: Mem, file: ClaudeMemFile) -> None:
    mem.ok("import", "claude-mem", str(file.path))
    report = mem.json("import", "claude-mem", str(file.path))
    counts = report["counts"]["observations"]
    assert (counts["read"], counts["new"], counts["unchanged"]) == (26, 0, 26)
    assert len(report["warnings"]) == SHOWN_WARNINGS + 5


def test_what_is_no_claude_mem_memory_is_refused(mem: Mem, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("hello")
    for path in (tmp_path / "none.db", tmp_path / "text", tmp_path):
        assert mem.refused("import", "claude-mem", str(path)).count("\n") == 1
    assert "is not" in mem.refused("import", "nonsense", str(tmp_path), code=2)


def test_a_dry_run_tells_the_same_and_changes_nothing(mem: Mem, file: ClaudeMemFile) -> None:
    told = mem.json("import", str(file.path), "--dry-run")
    assert mem.json("import", str(file.path), "--dry-run") == told
    assert mem.json("import", str(file.path)) == told
    mem.ok("add", "Mine")
    file.observation(title="Newer")
    told = mem.json("import", "claude-mem", str(file.path), "--dry-run")
    assert told["counts"]["observations"]["new"] == 1
    assert mem.json("search", "Newer", "--exact") == []
    assert mem.json("import", str(file.path))["counts"] == told["counts"]


@pytest.mark.parametrize("kind", [CodexmemFile, TraeMemFile, OldClaudeMemFile])
def test_a_file_of_any_program_is_known_by_what_it_has(
    mem: Mem, tmp_path: Path, kind: type[CodexmemFile]
) -> None:
    source = {CodexmemFile: "codexmem", TraeMemFile: "trae-mem"}.get(kind, "claude-mem")
    path = str(kind(tmp_path / "some.db").path)
    assert mem.json("import", path)["source"].startswith(f"{source}:")
    assert mem.json("import", source, path)["counts"]["sessions"]["unchanged"] == 1
    other = "trae-mem" if source != "trae-mem" else "codexmem"
    assert f"not by {other}" in mem.refused("import", other, path)


def test_what_was_edited_here_and_what_is_gone_there_is_told(mem: Mem, file: ClaudeMemFile) -> None:
    mem.ok("import", str(file.path))
    with Store.open(mem.db) as store:
        store.observations.revise(1, title="Mine")
    file.run("UPDATE observations SET title = 'Theirs' WHERE id = 1")
    file.run("DELETE FROM observations WHERE id = 2")
    told = mem("import", str(file.path)).stderr
    assert "observations 1 was edited here, and stays; the source differs in: title" in told
    assert "Gone from the source, and kept here: 1 observation." in told


def test_of_a_damaged_file_the_rest_comes_in_and_the_exit_status_says_so(
    mem: Mem, file: ClaudeMemFile
) -> None:
    file.observations(500)
    data = bytearray(file.path.read_bytes())
    data[-40_000:-20_000] = bytes(20_000)
    file.path.write_bytes(data)
    done = mem("import", str(file.path))
    assert done.exit_code == 1
    assert "is damaged. What can be read of it came in" in done.stderr
    assert mem.json("search", "refresh", "--exact") != []


def test_what_comes_in_to_hold_everywhere_is_told(mem: Mem, tmp_path: Path) -> None:
    folder = tmp_path / "memory-data"
    folder.mkdir()
    lines = [
        {"id": f"f{number}", "kind": "O", "content": content, "confidence": 0.8, **more}
        for number, (content, more) in enumerate(
            [("Always use UTC", {}), ("Water is wet", {}), ("Staging is small", {"project": "atlas"})]
        )
    ]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (folder / "facts.jsonl").write_text(text, "utf-8")
    told = mem("import", "scheme-c", str(folder)).stderr
    everywhere = mem.json("fact", "list", "--everywhere")
    assert f"{len(everywhere)} facts of no project: they hold everywhere" in told
    assert "mem fact move" in told
    assert "of no project" not in mem("import", "scheme-c", str(folder)).stderr


def test_an_agents_own_memory_is_named_and_not_taken_for_another_format(
    mem: Mem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    folder = tmp_path / ".claude" / "projects" / "-work-shop" / "memory"
    folder.mkdir(parents=True)
    (folder / "MEMORY.md").write_text("- [Tests](tests.md): two at once\n")
    (folder / "tests.md").write_text("Run pytest with two workers.\n")
    assert "2 files" in mem("import").stderr
    for path in (folder, folder / "tests.md"):
        assert "own memory of claude-code" in mem.refused("import", str(path))
    mem.ok("import", "scheme-c", str(folder))
