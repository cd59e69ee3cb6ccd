"""How the timeline looks, in each of its states and at each size."""

from pathlib import Path

import pytest

from tests.tui.pictures import LOW, Compare, mode_looks_right, sizes


@sizes
def test_a_timeline(snap_compare: Compare, demo: Path, size: tuple[int, int]) -> None:
    assert mode_looks_right(snap_compare, demo, "timeline", size, "right_square_bracket", "s", "k")


@pytest.mark.long
def test_a_timeline_in_light_colours(snap_compare: Compare, demo: Path) -> None:
    assert mode_looks_right(snap_compare, demo, "timeline", (100, 30), "K", theme="memtui-light")


def test_a_timeline_of_nothing(snap_compare: Compare, empty: Path) -> None:
    assert mode_looks_right(snap_compare, empty, "timeline", LOW)
