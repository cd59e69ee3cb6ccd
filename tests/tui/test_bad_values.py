"""The browser over a memory that other programs and a failing disk have written to."""

from pathlib import Path

import pytest

from tests.promises import Tally, promise
from tests.store import bad_values
from tests.tui.browser import app, ask, opened, press, titles


@promise("any-bytes-are-readable")
@pytest.mark.parametrize(
    "kinds", ["texts numbers shares lists", pytest.param("classes", marks=pytest.mark.long)]
)
async def test_every_screen_shows_what_is_good(tmp_path: Path, kinds: str, tally: Tally) -> None:
    path = tmp_path / "memory.db"
    bad_values.fill(path, kinds)
    async with opened(path) as pilot:
        await ask(pilot, "neighbour")
        assert sum(bad_values.GOOD in title for title in titles(pilot)) >= 4
        for query in ("", "good", "is:private", "type:note"):
            await ask(pilot, query)
            await press(pilot, "down", "down", "end", "home")
        for number in "23456781":
            await press(pilot, "escape", number)
            await press(pilot, "down", "enter", "down", "end", "home", "escape")
            tally(tried=1)
        assert app(pilot).is_running
