"""How versions and changes look."""

from pathlib import Path

import pytest

from tests.tui.history.edited import edit
from tests.tui.pictures import LOW, Compare, low_and_middle, mode_looks_right


@pytest.fixture
def edited(demo: Path) -> Path:
    edit(demo)
    return demo


@low_and_middle
def test_the_versions(snap_compare: Compare, edited: Path, size: tuple[int, int]) -> None:
    assert mode_looks_right(snap_compare, edited, "search", size, "home", "h")


def test_a_version(snap_compare: Compare, edited: Path) -> None:
    assert mode_looks_right(snap_compare, edited, "search", LOW, "home", "h", "enter")


def test_the_question_before_a_version_is_restored(snap_compare: Compare, edited: Path) -> None:
    assert mode_looks_right(snap_compare, edited, "search", LOW, "home", "h", "G", "r")


@low_and_middle
def test_the_changes(snap_compare: Compare, edited: Path, size: tuple[int, int]) -> None:
    assert mode_looks_right(snap_compare, edited, "search", size, "H", "j", "j")


def test_a_change(snap_compare: Compare, edited: Path) -> None:
    assert mode_looks_right(snap_compare, edited, "search", LOW, "H", "j", "j", "enter")
