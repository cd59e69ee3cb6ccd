"""Pasting into the query line: whatever it is, as much as fits, in one line."""

from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual.pilot import Pilot

from memtui.tui.search.query_bar import LONGEST_QUERY
from tests.tui.browser import opened, press, search, text
from tests.tui.patience import idle


async def paste(pilot: Pilot[Any], pasted: str) -> None:
    """Have the terminal paste, and wait until all that it sets off is done."""
    pilot.app.post_message(events.Paste(pasted))
    await pilot.pause()
    await idle(pilot)


def typed(pilot: Pilot[Any]) -> str:
    return search(pilot).bar.input.value


@pytest.mark.parametrize(
    ("pasted", "line"),
    [
        ("clock drifted", "clock drifted"),
        ("clock\ndrifted\r\nleeway\n", "clock drifted leeway"),
        ("clock\n\n\ndrifted", "clock drifted"),
        ("缓存\u202e", "缓存⟨U+202E⟩"),
        ("\n", ""),
    ],
)
@pytest.mark.sampled
async def test_lines_become_one(demo: Path, pasted: str, line: str) -> None:
    async with opened(demo) as pilot:
        await paste(pilot, pasted)
        assert typed(pilot) == line


async def test_what_is_too_long_is_cut_and_that_is_told(demo: Path) -> None:
    async with opened(demo) as pilot:
        await press(pilot, "a", "b", "left")
        await paste(pilot, "缓存" * LONGEST_QUERY)
        assert typed(pilot) == "a" + ("缓存" * LONGEST_QUERY)[: LONGEST_QUERY - 2] + "b"
        assert any("room for 2,000 characters" in text(one) for one in pilot.app.screen.query("Toast"))
        await paste(pilot, "more")
        assert len(typed(pilot)) == LONGEST_QUERY


async def test_the_ways_on_from_it_stay_in_view(demo: Path) -> None:
    async with opened(demo, size=(80, 24)) as pilot:
        await paste(pilot, "x" * LONGEST_QUERY)
        assert "everything, newest first" in text(search(pilot).results.no_hits)


async def test_it_replaces_what_is_selected(demo: Path) -> None:
    async with opened(demo) as pilot:
        await press(pilot, *"redis token", *["shift+left"] * 5)
        await paste(pilot, "clock\ndrifted")
        assert typed(pilot) == "redis clock drifted"
        await press(pilot, "s")
        assert typed(pilot) == "redis clock drifteds"


async def test_what_fits_exactly_is_not_told(demo: Path) -> None:
    async with opened(demo) as pilot:
        await paste(pilot, "x" * LONGEST_QUERY)
        assert len(typed(pilot)) == LONGEST_QUERY
        assert not pilot.app.screen.query("Toast")
