"""How the form and its questions look."""

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from memtui.store import Store
from tests.tui.browser import app, ask, browser
from tests.tui.patience import press
from tests.tui.pictures import MIDDLE, Compare, low_and_middle


def looks_right(
    compare: Compare, path: Path, size: tuple[int, int], *keys: str, theme: str = "memtui-dark"
) -> bool:
    async def before(pilot: Pilot[Any]) -> None:
        app(pilot).theme = theme
        await ask(pilot, "type:bugfix")
        await press(pilot, "escape", *keys)

    return bool(compare(browser(path), terminal_size=size, run_before=before))


@low_and_middle
def test_the_form(snap_compare: Compare, demo: Path, size: tuple[int, int]) -> None:
    assert looks_right(snap_compare, demo, size, "e")


@pytest.mark.long
def test_the_form_in_light_colours(snap_compare: Compare, demo: Path) -> None:
    assert looks_right(snap_compare, demo, MIDDLE, "e", "down", theme="memtui-light")


@low_and_middle
def test_a_new_memory(snap_compare: Compare, demo: Path, size: tuple[int, int]) -> None:
    assert looks_right(snap_compare, demo, size, "n", "ctrl+s")


@low_and_middle
def test_leaving_with_a_change(snap_compare: Compare, demo: Path, size: tuple[int, int]) -> None:
    assert looks_right(snap_compare, demo, size, "e", "!", "escape")


@low_and_middle
def test_a_conflict(snap_compare: Compare, memory: Path, size: tuple[int, int]) -> None:
    async def before(pilot: Pilot[Any]) -> None:
        await ask(pilot, "type:bugfix")
        await press(pilot, "escape", "e", *" of the laptop")
        with Store.open(memory) as other:
            other.edit("3", {"title": "Clocks drift", "subtitle": "By five minutes"})
        await press(pilot, "ctrl+s")

    assert snap_compare(browser(memory), terminal_size=size, run_before=before)
