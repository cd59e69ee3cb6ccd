"""How finding looks: the line to find something in and the line to go to a date."""

from pathlib import Path

from tests.tui.pictures import Compare, low_and_middle, mode_looks_right


@low_and_middle
def test_sessions_that_hold_a_word(snap_compare: Compare, demo: Path, size: tuple[int, int]) -> None:
    assert mode_looks_right(snap_compare, demo, "sessions", size, "slash", *"token")


@low_and_middle
def test_a_word_in_the_text_of_a_memory(snap_compare: Compare, demo: Path, size: tuple[int, int]) -> None:
    keys = ("enter", "slash", *"the", "down")
    assert mode_looks_right(snap_compare, demo, "search", size, *keys)


@low_and_middle
def test_a_date_to_go_to(snap_compare: Compare, demo: Path, size: tuple[int, int]) -> None:
    assert mode_looks_right(snap_compare, demo, "sessions", size, "g", *"3d")
