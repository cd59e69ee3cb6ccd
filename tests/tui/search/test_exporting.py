"""All that a query matches, written into a file."""

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from memtui.store import Store
from memtui.tui.marks.changes import ExportScreen
from tests.tui.browser import NOW, ask, opened, text
from tests.tui.editing.editors import toasts
from tests.tui.patience import idle


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """Three memories about a queue, of which one is private, and one about something else."""
    path = tmp_path / "notes.db"
    with Store.open(path) as store, store.transaction():
        for number in range(3):
            store.observations.add(None, title=f"Queue {number}", at=NOW - number)
        store.observations.set_private(2, True)
        store.observations.add(None, title="Clock", at=NOW)
    return path


async def export(pilot: Pilot[Any], *keys: str) -> None:
    """Export the query, pressing keys in the dialog."""
    await pilot.press("alt+x")
    while not isinstance(pilot.app.screen, ExportScreen):
        await pilot.pause()
    await pilot.press(*keys)
    await idle(pilot)


async def test_a_query_is_exported_without_what_is_private(notes: Path, tmp_path: Path) -> None:
    async with opened(notes) as pilot:
        await ask(pilot, "queue")
        place = tmp_path / "queue.jsonl"
        await export(pilot, "ctrl+u", *str(place), "enter")
        assert toasts(pilot)[-1] == f"2 memories written to {place}."
        assert place.read_text("utf-8").count('"title":"Queue') == 2
        await ask(pilot, "is:private queue")
        place = tmp_path / "private.md"
        await export(pilot, "ctrl+u", *str(place), "enter")
        assert toasts(pilot)[-1].startswith(
            "All that was chosen is private, deleted or pending (1 observation); nothing was written."
        )
        assert not place.exists()


async def test_the_format_and_the_end_of_the_name_go_together(notes: Path, tmp_path: Path) -> None:
    async with opened(notes) as pilot:
        await pilot.press("alt+x")
        while not isinstance(screen := pilot.app.screen, ExportScreen):
            await pilot.pause()
        seen = []
        for _ in range(6):
            await pilot.press("down")
            seen.append((screen.query_one("Input").value, screen.choice.format))  # type: ignore[attr-defined]
        assert seen == [
            ("memories", "markdown"),
            ("memories", "html"),
            ("memories.jsonl", "jsonl"),
            ("memories.db", "claude-mem"),
            ("memories", "scheme-c"),
            ("memories.md", "markdown"),
        ]
        await pilot.press("ctrl+u", *"out.db")
        assert "▸ a database of claude-mem" in text(screen.query_one("#formats"))
        await pilot.press("ctrl+u", *str(tmp_path / "all.jsonl"), "enter")
        await idle(pilot)
        assert toasts(pilot)[-1].startswith("3 memories written")
