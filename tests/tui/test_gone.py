"""What is still being read for a screen that was left ends nothing."""

import asyncio
from contextlib import suppress
from pathlib import Path

import pytest
from textual import work
from textual.app import ComposeResult
from textual.screen import Screen
from textual.widgets import Label
from textual.worker import WorkerFailed

from tests.promises import promise
from tests.tui.browser import opened
from tests.tui.patience import idle


class Slow(Screen[None]):
    """Reads until it is told that it is through, and then writes to its label."""

    def __init__(self) -> None:
        super().__init__()
        self.read = asyncio.Event()

    def compose(self) -> ComposeResult:
        yield Label("reading", id="state")

    @work
    async def show(self) -> None:
        # Cancelled or not: it may be past its last `await`.
        with suppress(asyncio.CancelledError):
            await self.read.wait()
        self.query_one("#state", Label).update("read")
        self.query_one("#missing")


@promise("any-text-is-safe")
async def test_a_screen_that_was_left_may_not_find_its_widgets(empty: Path) -> None:
    async with opened(empty) as pilot:
        screen = Slow()
        await pilot.app.push_screen(screen)
        screen.show()
        await pilot.pause()
        await pilot.app.pop_screen()
        screen.read.set()
        await idle(pilot)
        assert pilot.app.is_running


async def test_a_screen_in_front_has_to_find_them(empty: Path) -> None:
    with pytest.raises(WorkerFailed):
        async with opened(empty) as pilot:
            screen = Slow()
            await pilot.app.push_screen(screen)
            screen.show()
            screen.read.set()
            await idle(pilot)
