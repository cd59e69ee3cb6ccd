"""`mem import`."""

from __future__ import annotations

from pathlib import Path

import pytest

from store.cli.imports import SHOWN_WARNINGS
from tests.sources.claude_mem_files import ClaudeMemFile

from .commands import Mem


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
    assert [hit["title"] for hit in mem.json("search", "refresh", "--exact")] == [
        "Fixed the token refresh"
    ]


def test_the_first_warnings_are_told_or_all(mem: Mem, file: ClaudeMemFile) -> None:
    command = ("import", "claude-mem", str(file.path))
    told = mem(*command).stderr.splitlines()
    warnings = [line for line in told if line.startswith("observations ")]
    assert len(warnings) == SHOWN_WARNINGS
    assert told[-1] == "5 more warnings; --all-warnings tells them."
    again = mem(*command, "--all-warnings").stderr.splitlines()
    assert len([line for line in again if line.startswith("observations ")]) == SHOWN_WARNINGS + 5


def test_doing_it_again_brings_nothing_twice(mem: Mem, file: ClaudeMemFile) -> None:
    mem.ok("import", "claude-mem", str(file.path))
    report = mem.json("import", "claude-mem", str(file.path))
    counts = report["counts"]["observations"]
    assert (counts["read"], counts["new"], counts["unchanged"]) == (26, 0, 26)
    assert len(report["warnings"]) == SHOWN_WARNINGS + 5


def test_progress_is_shown_on_a_terminal_only(mem: Mem, file: ClaudeMemFile) -> None:
    assert "Importing" in mem.on_terminal("import", "claude-mem", str(file.path))
    assert b"Importing" not in mem.process("import", "claude-mem", str(file.path)).stderr


def test_what_is_no_claude_mem_memory_is_refused(mem: Mem, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("hello")
    for path in (tmp_path / "none.db", tmp_path / "text", tmp_path):
        assert mem.refused("import", "claude-mem", str(path)).count("\n") == 1
    assert "is not" in mem.refused("import", "nonsense", str(tmp_path), code=2)
