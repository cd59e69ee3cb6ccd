"""How marks, the question before many, the line of tags, and the trash look."""

from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from memtui.store import Store
from memtui.tui.marks.changes import AskScreen, ConfirmScreen
from tests.tui.browser import browser
from tests.tui.marks.test_marks import wait_for
from tests.tui.patience import press
from tests.tui.pictures import Compare, low_and_middle, sizes


@sizes
def test_marked_results(snap_compare: Compare, demo: Path, size: tuple[int, int]) -> None:
    keys = ("escape", "down", "space", "j", "space", "space")

    async def before(pilot: Pilot[Any]) -> None:
        await press(pilot, *keys)

    assert snap_compare(browser(demo), terminal_size=size, run_before=before)


@low_and_middle
def test_a_marked_timeline(snap_compare: Compare, demo: Path, size: tuple[int, int]) -> None:
    async def before(pilot: Pilot[Any]) -> None:
        await press(pilot, "escape", "down", "2", "V", "j", "j", "V")

    assert snap_compare(browser(demo), terminal_size=size, run_before=before)


@low_and_middle
def test_many_are_asked_back(snap_compare: Compare, demo: Path, size: tuple[int, int]) -> None:
    async def before(pilot: Pilot[Any]) -> None:
        await press(pilot, "escape", "down")
        await pilot.press("asterisk")
        await wait_for(pilot, ConfirmScreen)
        await pilot.pause()

    assert snap_compare(browser(demo), terminal_size=size, run_before=before)


@low_and_middle
def test_tags_are_asked_for(snap_compare: Compare, demo: Path, size: tuple[int, int]) -> None:
    async def before(pilot: Pilot[Any]) -> None:
        await press(pilot, "escape", "down", "space", "space")
        await pilot.press("T")
        await wait_for(pilot, AskScreen)
        await pilot.press(*"auth")
        await pilot.pause()

    assert snap_compare(browser(demo), terminal_size=size, run_before=before)


@low_and_middle
def test_the_trash(snap_compare: Compare, demo: Path, size: tuple[int, int]) -> None:
    with Store.open(demo) as store:
        for row in store.find("").rows(0, 3):
            store.observations.delete(row.record_id)

    async def before(pilot: Pilot[Any]) -> None:
        await press(pilot, "escape", "D", "space")

    assert snap_compare(browser(demo), terminal_size=size, run_before=before)
