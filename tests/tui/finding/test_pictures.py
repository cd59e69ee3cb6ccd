"""How finding looks: the line to find something in and the line to go to a date."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tui.pictures import LOW, MIDDLE, Compare, mode_looks_right

two_sizes = pytest.mark.parametrize("size", [LOW, MIDDLE], ids=["80x24", "120x40"])


@two_sizes
def test_sessions_that_hold_a_word(
    snap_compare: Compare, demo: Path, size: tuple[int, int]
) -> None:
    assert mode_looks_right(snap_compare, demo, "sessions", size, "slash", *"token")


@two_sizes
def test_a_word_in_the_text_of_a_memory(
    snap_compare: Compare, demo: Path, size: tuple[int, int]
) -> None:
    keys = ("enter", "slash", *"the", "down")
    assert mode_looks_right(snap_compare, demo, "search", size, *keys)


@two_sizes
def test_a_date_to_go_to(snap_compare: Compare, demo: Path, size: tuple[int, int]) -> None:
    assert mode_looks_right(snap_compare, demo, "sessions", size, "g", *"3d")
