"""How the merge room looks."""

from pathlib import Path

import pytest

from tests.tui.merge.alike import fill
from tests.tui.pictures import Compare, mode_looks_right, sizes


@pytest.fixture
def alike(empty: Path) -> Path:
    fill(empty)
    return empty


@sizes
def test_what_is_alike(snap_compare: Compare, alike: Path, size: tuple[int, int]) -> None:
    assert mode_looks_right(snap_compare, alike, "search", size, "m", "a", "j")


@sizes
def test_two_memories(snap_compare: Compare, alike: Path, size: tuple[int, int]) -> None:
    keys = ("m", "a", "j", "enter", "right", "j")
    assert mode_looks_right(snap_compare, alike, "search", size, *keys)


@pytest.mark.long
def test_two_memories_in_light(snap_compare: Compare, alike: Path) -> None:
    keys = ("m", "a", "j", "enter", "right", "j")
    theme = "memtui-light"
    assert mode_looks_right(snap_compare, alike, "search", (120, 40), *keys, theme=theme)
