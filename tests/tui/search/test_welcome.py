"""An empty memory: what it teaches, and the keys that fill it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from store import Store
from tests.places import FOREIGN
from tests.tui.browser import NOW, app, opened, press, search, text
from tests.tui.patience import idle
from tui.parts.footer import KeysFooter
from tui.search.welcome import surroundings

CLAUDE_MEM = FOREIGN / "claude-mem-v9.db"


async def test_an_empty_memory_says_what_this_is_and_how_it_is_filled(empty: Path) -> None:
    async with opened(empty) as pilot:
        shown = text(search(pilot).welcome)
        assert "memtui shows what your coding agents remember." in shown
        assert 'mem add "What I learned"' in shown
        assert "import what claude-mem" not in shown
        assert "Import" not in text(search(pilot).query_one(KeysFooter))


async def test_transcripts_on_this_machine_are_counted(empty: Path, home: Path) -> None:
    folder = home / ".claude" / "projects" / "atlas"
    folder.mkdir(parents=True)
    for name in ("a.jsonl", "b.jsonl", "notes.md"):
        (folder / name).touch()
    async with opened(empty) as pilot:
        assert "2 of claude-code" in text(search(pilot).welcome)


@pytest.mark.skipif(not CLAUDE_MEM.exists(), reason="no foreign memory at hand")
async def test_i_imports_what_claude_mem_remembers(empty: Path, home: Path) -> None:
    database = home / ".claude-mem" / "claude-mem.db"
    database.parent.mkdir()
    shutil.copy(CLAUDE_MEM, database)
    async with opened(empty) as pilot:
        assert "~/.claude-mem/claude-mem.db" in text(search(pilot).welcome)
        await press(pilot, "i")
        await idle(pilot)
        assert not search(pilot).welcome.display
        assert search(pilot).results.list.count > 300
        assert search(pilot).bar.input.has_focus


async def test_capital_d_leaves_for_the_demo(empty: Path) -> None:
    async with opened(empty) as pilot:
        await press(pilot, "D")
    assert app(pilot).return_value == "demo"


async def test_the_first_memory_takes_its_place(empty: Path) -> None:
    async with opened(empty) as pilot:
        with Store.open(empty) as other:
            other.observations.add(None, title="The first", at=NOW)
        app(pilot).look()
        await idle(pilot)
        await idle(pilot)
        assert not search(pilot).welcome.display
        assert "The first" in text(search(pilot).results.list)


def test_claude_mem_is_looked_for_where_the_environment_says(tmp_path: Path) -> None:
    (tmp_path / "claude-mem.db").touch()
    found = surroundings(Path("nowhere"), {"CLAUDE_MEM_DATA_DIR": str(tmp_path)})
    assert found.claude_mem == tmp_path / "claude-mem.db"
    assert surroundings(Path("nowhere"), {}).claude_mem is None
