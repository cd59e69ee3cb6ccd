"""How the statistics look at each size."""

from pathlib import Path

import pytest

from tests.tui.pictures import LOW, MIDDLE, Compare, mode_looks_right, sizes


@sizes
def test_statistics(snap_compare: Compare, demo: Path, size: tuple[int, int]) -> None:
    keys = "left_square_bracket", "up"
    assert mode_looks_right(snap_compare, demo, "statistics", size, *keys)


@pytest.mark.long
def test_statistics_in_light_colours(snap_compare: Compare, demo: Path) -> None:
    keys = "left_square_bracket", "tab", *["right"] * 13
    assert mode_looks_right(snap_compare, demo, "statistics", MIDDLE, *keys, theme="memtui-light")


def test_statistics_of_nothing(snap_compare: Compare, empty: Path) -> None:
    assert mode_looks_right(snap_compare, empty, "statistics", LOW)
