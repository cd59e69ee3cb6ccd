"""The footer names no key that has nothing to act on."""

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from memtui.tui.parts.frame import KeysFooter
from tests.tui.browser import app, opened, text
from tests.tui.patience import idle, press

SIZE = (200, 40)


def footer(pilot: Pilot[Any]) -> str:
    return text(pilot.app.screen.query_one(KeysFooter))


@pytest.mark.parametrize(
    ("mode", "keys"),
    [
        ("timeline", ("[ ] Window", "s Scope", "J K Anchor")),
        ("sessions", ("f Filter",)),
        ("facts", ("f Kind", "w About")),
        ("capture", ("p Process now", "f State", "d Drop")),
    ],
)
@pytest.mark.sampled
async def test_an_empty_screen_names_no_key_of_its_rows(
    empty: Path, mode: str, keys: tuple[str, ...]
) -> None:
    async with opened(empty, size=SIZE) as pilot:
        app(pilot).action_go(mode)
        await idle(pilot)
        assert "Help" in footer(pilot)
        assert not [key for key in keys if key in footer(pilot)]


async def test_a_session_does_not_lead_to_itself(demo: Path) -> None:
    async with opened(demo, size=SIZE) as pilot:
        await press(pilot, "escape")
        assert "o Session" in footer(pilot)
        await press(pilot, "o")
        assert "Tabs" in footer(pilot)
        assert "o Session" not in footer(pilot)


async def test_keys_of_the_timeline_beside_a_memory_need_it_in_view(demo: Path) -> None:
    async with opened(demo, size=SIZE) as pilot:
        await press(pilot, "escape", "enter")
        assert "[ ] Window" in footer(pilot)
        await press(pilot, "z")
        assert "[ ] Window" not in footer(pilot)
        assert "s Scope" not in footer(pilot)
        await press(pilot, "z")
        assert "[ ] Window" in footer(pilot)
        await pilot.resize_terminal(60, 20)
        await press(pilot, "escape")
        assert "Window" not in footer(pilot)


async def test_no_key_leads_to_the_query_while_words_to_find_are_typed(demo: Path) -> None:
    async with opened(demo, size=SIZE) as pilot:
        await press(pilot, "escape", "enter", "slash", *"the")
        assert "esc Cancel" in footer(pilot)
        assert "Query" not in footer(pilot)


async def test_an_empty_trash_offers_nothing_to_do_with_what_is_in_it(empty: Path) -> None:
    async with opened(empty, size=SIZE) as pilot:
        await press(pilot, "escape", "D")
        assert "Help" in footer(pilot)
        assert not [key for key in ("Z Empty", "Take the first", "r Restore") if key in footer(pilot)]
