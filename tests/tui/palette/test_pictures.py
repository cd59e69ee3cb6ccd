"""What the palette looks like."""

from pathlib import Path

import pytest

from tests.tui.pictures import MIDDLE, Compare, mode_looks_right, sizes

SMALLEST = (30, 8)


@sizes
def test_a_word_in_the_palette(snap_compare: Compare, demo: Path, size: tuple[int, int]) -> None:
    keys = ("ctrl+p", *"clock")
    assert mode_looks_right(snap_compare, demo, "sessions", size, *keys)


@pytest.mark.long
def test_a_word_in_the_palette_in_light_colours(snap_compare: Compare, demo: Path) -> None:
    keys = ("ctrl+p", *"clock")
    assert mode_looks_right(snap_compare, demo, "sessions", MIDDLE, *keys, theme="memtui-light")


@pytest.mark.long
@sizes
def test_the_whole_palette(snap_compare: Compare, demo: Path, size: tuple[int, int]) -> None:
    assert mode_looks_right(snap_compare, demo, "search", size, "ctrl+p")


@pytest.mark.long
def test_the_palette_in_the_smallest_terminal(snap_compare: Compare, demo: Path) -> None:
    assert mode_looks_right(snap_compare, demo, "search", SMALLEST, "ctrl+p", *"copy")
