"""Pictures of the browser: the sizes to take them at, and one of a mode with keys pressed in it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tests.tui.browser import app, browser
from tests.tui.patience import idle, press

Compare = Callable[..., bool]

NARROW, LOW, MIDDLE, LARGE = (60, 20), (80, 24), (120, 40), (160, 50)
sizes = pytest.mark.parametrize(
    "size",
    [
        pytest.param(NARROW, id="60x20", marks=pytest.mark.long),
        pytest.param(LOW, id="80x24", marks=pytest.mark.long),
        pytest.param(MIDDLE, id="120x40"),
        pytest.param(LARGE, id="160x50", marks=pytest.mark.long),
    ],
)

low_and_middle = pytest.mark.parametrize(
    "size", [pytest.param(LOW, id="80x24", marks=pytest.mark.long), pytest.param(MIDDLE, id="120x40")]
)


def mode_looks_right(
    compare: Compare, path: Path, mode: str, size: tuple[int, int], *keys: str, theme: str = "memtui-dark"
) -> bool:
    """Whether a mode of the browser, with these keys pressed in it, looks as it did."""

    async def before(pilot: Pilot[Any]) -> None:
        app(pilot).theme = theme
        await press(pilot, "escape", "down", "down")
        app(pilot).action_go(mode)
        await idle(pilot)
        await press(pilot, *keys)

    return compare(browser(path), terminal_size=size, run_before=before)
