"""What `y` and `Y` give the clipboard."""

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from memtui.tui.lists.picker import PickScreen
from tests.programs import FakeProgram
from tests.tui.browser import app, ask, opened, text
from tests.tui.editing.editors import toasts
from tests.tui.links.conftest import ID
from tests.tui.links.test_opening import picks
from tests.tui.patience import press


async def copied(pilot: Pilot[Any], letters: str) -> str:
    """Pick by some letters, and return what the clipboard was given."""
    await press(pilot, "Y", *letters, "enter")
    return app(pilot).clipboard


@pytest.mark.long
async def test_each_part_of_a_memory_can_be_copied(work: Path, atlas: Path, codex: FakeProgram) -> None:
    async with opened(work) as pilot:
        await ask(pilot, "type:change")
        await press(pilot, "escape", "y")
        assert app(pilot).clipboard.startswith("Many files\n\nSee https")
        assert toasts(pilot)[-1].startswith("Copied. Y copies")
        assert (await copied(pilot, "mark")).startswith("## 2026-02-17 12:31:40 change: Many files")
        assert await copied(pilot, "id") == "2"
        assert len(await copied(pilot, "uid")) == 36
        assert await copied(pilot, "paths") == "auth.py\ngone.py\n/dev/null"
        assert await copied(pilot, "addr") == "https://docs.example/tokens"
        assert await copied(pilot, "session's") == ID
        assert await copied(pilot, "resumes") == f"cd {atlas} && codex resume {ID}"
        assert (await copied(pilot, "shows")).endswith(f" --db {work} show 2")
        assert toasts(pilot)[-1] == "Copied: Command that shows it."
        brief = await copied(pilot, "hand over")
        assert brief.startswith("# Hand over: Tokens\n")
        assert "[mem 2]" in brief
    assert codex.calls == []


async def test_of_marked_ones_each_is_copied(work: Path) -> None:
    async with opened(work) as pilot:
        await ask(pilot, "kind:observation")
        await press(pilot, "escape", "space", "space")
        assert await copied(pilot, "id") == "2\n1"
        assert "bugfix: Tokens live a day" in await copied(pilot, "mark")


@pytest.mark.parametrize(
    ("keys", "text", "id"),
    [
        ("3", "Tokens\n\nWhy do tokens expire?", "@1"),
        ("3 enter left", "Tokens\n\nWhy do tokens expire?", "@1"),
        ("4", "Times are UTC", "f1"),
        ("4 right", "# Rules\n\nBe brief.\n", "n1"),
    ],
)
@pytest.mark.sampled
async def test_sessions_facts_and_notes_are_copied_too(work: Path, keys: str, text: str, id: str) -> None:
    async with opened(work) as pilot:
        await press(pilot, "escape", *keys.split(), "y")
        assert app(pilot).clipboard == text
        assert await copied(pilot, "id") == id
        assert text.strip().splitlines()[0].strip("# ") in await copied(pilot, "mark")


async def test_only_what_there_is_is_offered(work: Path) -> None:
    async with opened(work) as pilot:
        await press(pilot, "escape", "4", "Y")
        assert [line.split()[0] for line in picks(pilot)] == "Text Markdown Id Uid Command".split()
        await press(pilot, *"zz")
        assert isinstance(pilot.app.screen, PickScreen)
        assert text(pilot.app.screen.nothing).strip() == "Nothing matches"


async def test_the_palette_hands_the_session_of_a_memory_over(work: Path) -> None:
    async with opened(work) as pilot:
        await ask(pilot, "type:change")
        await press(pilot, "escape", "ctrl+p", *"hand over", "enter")
        assert app(pilot).clipboard.startswith("# Hand over: Tokens\n")
        assert toasts(pilot)[-1] == "Copied: a brief that hands its session over."
        await press(pilot, "4", "ctrl+p", *"hand over", "enter")
        assert toasts(pilot)[-1] == "It belongs to no session that can be handed over."
