"""What the help looks like."""

from pathlib import Path

import pytest

from tests.tui.pictures import MIDDLE, Compare, mode_looks_right, sizes

SMALLEST = (30, 8)


@sizes
def test_what_is_typed_in_the_help(snap_compare: Compare, demo: Path, size: tuple[int, int]) -> None:
    assert mode_looks_right(snap_compare, demo, "timeline", size, "f1", *"window")


@pytest.mark.long
@sizes
def test_the_whole_help(snap_compare: Compare, demo: Path, size: tuple[int, int]) -> None:
    assert mode_looks_right(snap_compare, demo, "search", size, "f1")


@pytest.mark.long
def test_the_help_in_light_colours(snap_compare: Compare, demo: Path) -> None:
    assert mode_looks_right(snap_compare, demo, "search", MIDDLE, "f1", theme="memtui-light")


@pytest.mark.long
def test_the_help_in_the_smallest_terminal(snap_compare: Compare, demo: Path) -> None:
    assert mode_looks_right(snap_compare, demo, "search", SMALLEST, "f1")
