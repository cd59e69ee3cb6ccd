"""How facts and notes look, in each of their states and at each size."""

from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.formats.scheme_c.directory_import import import_directory
from tests.store.formats.scheme_c.directories import directory, fact
from tests.tui.pictures import LOW, MIDDLE, NARROW, Compare, mode_looks_right


@pytest.mark.parametrize("size", [NARROW, LOW, MIDDLE], ids=["60x20", "80x24", "120x40"])
def test_the_facts(snap_compare: Compare, demo: Path, size: tuple[int, int]) -> None:
    assert mode_looks_right(snap_compare, demo, "facts", size, "j")


def test_the_notes(snap_compare: Compare, demo: Path) -> None:
    assert mode_looks_right(snap_compare, demo, "facts", MIDDLE, "right", theme="memtui-light")


def test_a_fact(snap_compare: Compare, demo: Path) -> None:
    assert mode_looks_right(snap_compare, demo, "facts", LOW, "enter")


def test_a_note(snap_compare: Compare, demo: Path) -> None:
    assert mode_looks_right(snap_compare, demo, "facts", LOW, "right", "enter")


def test_the_facts_that_name_one_thing(snap_compare: Compare, demo: Path) -> None:
    assert mode_looks_right(snap_compare, demo, "facts", MIDDLE, "w", "down", "enter")


def test_what_facts_name_is_chosen(snap_compare: Compare, demo: Path) -> None:
    assert mode_looks_right(snap_compare, demo, "facts", LOW, "w", *"re")


def test_a_fact_that_lines_of_a_directory_told(snap_compare: Compare, empty: Path, tmp_path: Path) -> None:
    lines = [fact(1, "Times are UTC"), fact(2, "times are UTC.", session_id="conv-2")]
    with Store.open(empty) as store:
        import_directory(store, directory(tmp_path / "c", d16=lines))
    assert mode_looks_right(snap_compare, empty, "facts", MIDDLE)


def test_no_facts(snap_compare: Compare, empty: Path) -> None:
    assert mode_looks_right(snap_compare, empty, "facts", LOW)
