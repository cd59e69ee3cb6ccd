"""The picker in tests: opened at a frozen time, and what it leaves with."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any, cast

from textual.pilot import Pilot

from memtui.store.cli.picking import PickRequest
from memtui.store.config import BrowserSettings
from memtui.tui.leaves.picker.app import PickerApp
from memtui.tui.leaves.picker.screen import PickerScreen
from tests.tui.browser import NOW
from tests.tui.patience import idle


@asynccontextmanager
async def picker(
    path: Path, *, size: tuple[int, int] = (120, 30), settings: BrowserSettings | None = None,
    **asked: Any,
) -> AsyncIterator[Pilot[Any]]:  # fmt: skip
    """The picker running, all loaded and painted; `asked` are the fields of its request."""
    running = picker_app(path, settings, **asked).run_test(size=size, notifications=True)
    async with cast(AbstractAsyncContextManager[Pilot[Any]], running) as pilot:
        await idle(pilot)
        yield pilot


def picker_app(path: Path, settings: BrowserSettings | None = None, **asked: Any) -> PickerApp:
    """The picker, not running yet; `asked` are the fields of its request."""
    settled = settings or BrowserSettings()
    return PickerApp(path, PickRequest(**asked), now=lambda: NOW, settings=(settled, ()))


def screen(pilot: Pilot[Any]) -> PickerScreen:
    """The picker's screen, which is in front."""
    return cast(PickerScreen, pilot.app.screen)


def answer(pilot: Pilot[Any]) -> str | None:
    """What it leaves with."""
    return cast(PickerApp, pilot.app).answer
