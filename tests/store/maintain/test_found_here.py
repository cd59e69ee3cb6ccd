"""Where other programs' memories are looked for."""

from pathlib import Path

from memtui.store.maintain.importing import databases_here


def test_claude_mem_is_looked_for_where_the_environment_says(tmp_path: Path) -> None:
    (tmp_path / "claude-mem.db").touch()
    found = databases_here(Path("nowhere"), {"CLAUDE_MEM_DATA_DIR": str(tmp_path)})
    assert found == {"claude-mem": tmp_path / "claude-mem.db"}
    assert databases_here(Path("nowhere"), {}) == {}
