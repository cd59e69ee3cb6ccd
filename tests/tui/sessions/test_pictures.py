"""How the sessions look, all and one, in each of their states and at each size."""

from pathlib import Path

import pytest

from tests.tui.pictures import LOW, MIDDLE, Compare, low_and_middle, mode_looks_right, sizes


@sizes
def test_the_sessions(snap_compare: Compare, demo: Path, size: tuple[int, int]) -> None:
    assert mode_looks_right(snap_compare, demo, "sessions", size, "j")


def test_the_sessions_of_a_project_are_chosen(snap_compare: Compare, demo: Path) -> None:
    assert mode_looks_right(snap_compare, demo, "sessions", LOW, "f", *"in", theme="memtui-light")


def test_no_sessions(snap_compare: Compare, empty: Path) -> None:
    assert mode_looks_right(snap_compare, empty, "sessions", LOW)


@low_and_middle
def test_a_session(snap_compare: Compare, demo: Path, size: tuple[int, int]) -> None:
    assert mode_looks_right(snap_compare, demo, "sessions", size, "j", "enter", "right")


@pytest.mark.long
def test_a_session_in_light_colours(snap_compare: Compare, demo: Path) -> None:
    keys = ("j", "enter", "left", "shift+tab")
    assert mode_looks_right(snap_compare, demo, "sessions", MIDDLE, *keys, theme="memtui-light")


def test_a_session_without_a_summary(snap_compare: Compare, demo: Path) -> None:
    assert mode_looks_right(snap_compare, demo, "sessions", LOW, "enter")
