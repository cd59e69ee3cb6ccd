"""How the picker looks: at each size, narrowed by words with some hits marked, in few lines, in light."""

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tests.tui.patience import idle, press
from tests.tui.pictures import MIDDLE, Compare, sizes

from .pickers import picker_app


@sizes
def test_the_picker(snap_compare: Compare, demo: Path, size: tuple[int, int]) -> None:
    assert looks_right(snap_compare, demo, size, "down")


@pytest.mark.parametrize("size", [(120, 12), (80, 5)], ids=["120x12", "80x5"])
def test_in_few_lines(snap_compare: Compare, demo: Path, size: tuple[int, int]) -> None:
    assert looks_right(snap_compare, demo, size, query="token")


def test_some_hits_marked(snap_compare: Compare, demo: Path) -> None:
    assert looks_right(snap_compare, demo, MIDDLE, "down", "space", "space", query="令牌")


@pytest.mark.long
def test_the_picker_in_light_colours(snap_compare: Compare, demo: Path) -> None:
    assert looks_right(snap_compare, demo, MIDDLE, theme="memtui-light", query="token")


def looks_right(
    compare: Compare,
    path: Path,
    size: tuple[int, int],
    *keys: str,
    theme: str = "memtui-dark",
    query: str = "",
) -> bool:
    """Whether the picker, with these keys pressed in it, looks as it did."""

    async def before(pilot: Pilot[Any]) -> None:
        pilot.app.theme = theme
        await idle(pilot)
        await press(pilot, *keys)

    return compare(picker_app(path, query=query), terminal_size=size, run_before=before)
