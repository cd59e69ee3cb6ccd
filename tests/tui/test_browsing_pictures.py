"""How the timeline, the sessions and the facts look, in each of their states and at each size."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from store import Store
from store.formats.scheme_c.directory_import import import_directory
from tests.store.formats.scheme_c.directories import directory, fact
from tests.tui.browser import app, browser
from tests.tui.patience import idle, press

Compare = Callable[..., bool]

NARROW, LOW, MIDDLE, LARGE = (60, 20), (80, 24), (120, 40), (160, 50)
sizes = pytest.mark.parametrize(
    "size", [NARROW, LOW, MIDDLE, LARGE], ids="60x20 80x24 120x40 160x50".split()
)


def looks_right(
    compare: Compare,
    path: Path,
    mode: str,
    size: tuple[int, int],
    *keys: str,
    theme: str = "memtui-dark",
) -> bool:
    """Whether a mode of the browser, with these keys pressed in it, looks as it did."""

    async def before(pilot: Pilot[Any]) -> None:
        app(pilot).theme = theme
        await press(pilot, "escape", "down", "down")
        app(pilot).action_go(mode)
        await idle(pilot)
        await press(pilot, *keys)

    return compare(browser(path), terminal_size=size, run_before=before)


@sizes
def test_a_timeline(snap_compare: Compare, demo: Path, size: tuple[int, int]) -> None:
    assert looks_right(snap_compare, demo, "timeline", size, "right_square_bracket", "s", "k")


def test_a_timeline_in_light_colours(snap_compare: Compare, demo: Path) -> None:
    assert looks_right(snap_compare, demo, "timeline", (100, 30), "K", theme="memtui-light")


def test_a_timeline_of_nothing(snap_compare: Compare, empty: Path) -> None:
    assert looks_right(snap_compare, empty, "timeline", LOW)


@sizes
def test_the_sessions(snap_compare: Compare, demo: Path, size: tuple[int, int]) -> None:
    assert looks_right(snap_compare, demo, "sessions", size, "j")


def test_the_sessions_of_a_project_are_chosen(snap_compare: Compare, demo: Path) -> None:
    assert looks_right(snap_compare, demo, "sessions", LOW, "f", *"in", theme="memtui-light")


def test_no_sessions(snap_compare: Compare, empty: Path) -> None:
    assert looks_right(snap_compare, empty, "sessions", LOW)


@pytest.mark.parametrize("size", [LOW, MIDDLE], ids=["80x24", "120x40"])
def test_a_session(snap_compare: Compare, demo: Path, size: tuple[int, int]) -> None:
    assert looks_right(snap_compare, demo, "sessions", size, "j", "enter", "right")


def test_a_session_in_light_colours(snap_compare: Compare, demo: Path) -> None:
    keys = ("j", "enter", "left", "shift+tab")
    assert looks_right(snap_compare, demo, "sessions", MIDDLE, *keys, theme="memtui-light")


def test_a_session_without_a_summary(snap_compare: Compare, demo: Path) -> None:
    assert looks_right(snap_compare, demo, "sessions", LOW, "enter")


@pytest.mark.parametrize("size", [NARROW, LOW, MIDDLE], ids=["60x20", "80x24", "120x40"])
def test_the_facts(snap_compare: Compare, demo: Path, size: tuple[int, int]) -> None:
    assert looks_right(snap_compare, demo, "facts", size, "j")


def test_the_notes(snap_compare: Compare, demo: Path) -> None:
    assert looks_right(snap_compare, demo, "facts", MIDDLE, "right", theme="memtui-light")


def test_a_fact(snap_compare: Compare, demo: Path) -> None:
    assert looks_right(snap_compare, demo, "facts", LOW, "enter")


def test_a_note(snap_compare: Compare, demo: Path) -> None:
    assert looks_right(snap_compare, demo, "facts", LOW, "right", "enter")


def test_the_facts_that_name_one_thing(snap_compare: Compare, demo: Path) -> None:
    assert looks_right(snap_compare, demo, "facts", MIDDLE, "n", "down", "enter")


def test_what_facts_name_is_chosen(snap_compare: Compare, demo: Path) -> None:
    assert looks_right(snap_compare, demo, "facts", LOW, "n", *"re")


def test_a_fact_that_lines_of_a_directory_told(
    snap_compare: Compare, empty: Path, tmp_path: Path
) -> None:
    lines = [fact(1, "Times are UTC"), fact(2, "times are UTC.", session_id="conv-2")]
    with Store.open(empty) as store:
        import_directory(store, directory(tmp_path / "c", d16=lines))
    assert looks_right(snap_compare, empty, "facts", MIDDLE)


def test_no_facts(snap_compare: Compare, empty: Path) -> None:
    assert looks_right(snap_compare, empty, "facts", LOW)
