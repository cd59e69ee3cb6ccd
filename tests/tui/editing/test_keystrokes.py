"""What a newcomer does first, each within so many keys from a selected memory."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import pytest
from textual.pilot import Pilot

from memtui.store import Store
from memtui.tui.history.screen import ChangesScreen
from memtui.tui.marks.changes import AskScreen
from tests.tui.browser import NOW, ask, opened, text, titles
from tests.tui.patience import press


@pytest.fixture
def drafts(empty: Path) -> Path:
    """Twenty drafts and one memory to keep."""
    with Store.open(empty) as store:
        store.observations.add("c-1", title="kept", type="decision", at=NOW)
        for number in range(20):
            store.observations.add("c-1", title=f"draft {number}", type="draft", at=NOW - number)
    return empty


class Keys:
    """Presses keys, and counts them; what is typed in words is not counted."""

    def __init__(self, pilot: Pilot[Any]) -> None:
        self.pilot = pilot
        self.count = 0

    async def press(self, *keys: str) -> None:
        self.count += len(keys)
        await press(self.pilot, *keys)

    async def type(self, words: str) -> None:
        await press(self.pilot, *words)


@asynccontextmanager
async def selected(path: Path, query: str) -> AsyncIterator[Keys]:
    """The browser with the first hit of a query selected."""
    async with opened(path) as pilot:
        await ask(pilot, query)
        await press(pilot, "down")
        yield Keys(pilot)


async def test_a_title_is_corrected_by_three(drafts: Path) -> None:
    async with selected(drafts, "type:decision") as keys:
        await keys.press("e")
        await keys.type(" for good")
        await keys.press("ctrl+s")
        assert titles(keys.pilot) == ["kept for good"]
        assert keys.count <= 3


async def test_a_memory_is_tagged_by_three(drafts: Path) -> None:
    async with selected(drafts, "type:decision") as keys:
        await keys.pilot.press("T")
        while not isinstance(keys.pilot.app.screen, AskScreen):
            await keys.pilot.pause()
        await keys.pilot.press(*"auth")
        await keys.press("enter")
        keys.count += 1
        with Store.open(drafts) as store:
            assert store.find("tag:auth").refs() == ["1"]
        assert keys.count <= 3


async def test_twenty_hits_of_a_query_are_deleted_by_four_and_back_by_one(drafts: Path) -> None:
    async with selected(drafts, "type:draft") as keys:
        await keys.press("asterisk", "d")
        assert titles(keys.pilot) == []
        assert keys.count <= 4
        keys.count = 0
        await keys.press("u")
        assert len(titles(keys.pilot)) > 10
        with Store.open(drafts) as store:
            assert len(store.find("type:draft").refs()) == 20
        assert keys.count == 1


async def test_what_changed_last_week_is_seen_by_two(drafts: Path) -> None:
    with Store.open(drafts) as store:
        store.edit("1", {"title": "kept for good"})
    async with selected(drafts, "type:decision") as keys:
        await keys.press("H", "w")
        screen = cast(ChangesScreen, keys.pilot.app.screen)
        assert "in the last 7 days" in text(screen.heading)
        assert "observation 1 edited" in text(screen.changes)
        assert keys.count <= 2


async def test_a_deleted_memory_is_brought_back_by_four(drafts: Path) -> None:
    with Store.open(drafts) as store:
        for number in (2, 9, 4):
            store.observations.delete(number)
    async with selected(drafts, "type:decision") as keys:
        await keys.press("D")
        assert [one for one in titles(keys.pilot) if one] == ["draft 0", "draft 2", "draft 7"]
        await keys.press("j", "r")
        with Store.open(drafts) as store:
            assert store.any_record("4").deleted_at is None
            assert store.trash_count() == 2
        assert keys.count <= 4
