"""`mem files`: the list."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.store.cli.runner import Mem


def test_without_a_command_the_files_are_listed(
    mem: Mem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "CLAUDE.md").write_text("Use pnpm\n")
    monkeypatch.chdir(tmp_path)
    paths = [file["path"] for file in mem.json("files")]
    assert str(tmp_path / "CLAUDE.md") in paths
    assert mem.json("files", "list") == mem.json("files")
