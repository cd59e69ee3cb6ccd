"""How the composer and its log look at each size."""

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tests.tui.browser import app, browser
from tests.tui.composer.contexts import fill_context, give
from tests.tui.patience import idle, press
from tests.tui.pictures import LOW, MIDDLE, Compare, sizes

CHOSEN = ("space", "j", "j", "K", "K", "j", "j", "b", *["minus"] * 9)
"""One left out, one chosen, one in brief, and not room for all."""


@pytest.fixture(autouse=True)
def same_each_time(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """In a folder that no project lies in."""
    (tmp_path / "somewhere").mkdir()
    monkeypatch.chdir(tmp_path / "somewhere")


def looks_right(
    compare: Compare,
    path: Path,
    size: tuple[int, int],
    *keys: str,
    theme: str = "memtui-dark",
    **options: Any,
) -> bool:
    """Whether the composer, with these keys pressed in it, looks as it did."""

    async def before(pilot: Pilot[Any]) -> None:
        app(pilot).theme = theme
        await press(pilot, "down")
        app(pilot).action_go("composer")
        await idle(pilot)
        await press(pilot, *keys)

    return compare(browser(path, **options), terminal_size=size, run_before=before)


@sizes
def test_the_composer(snap_compare: Compare, demo: Path, size: tuple[int, int]) -> None:
    assert looks_right(snap_compare, demo, size, *CHOSEN)


@pytest.mark.long
def test_the_composer_in_light_colours(snap_compare: Compare, demo: Path) -> None:
    assert looks_right(snap_compare, demo, MIDDLE, *CHOSEN, theme="memtui-light")


def test_a_context_as_usual(snap_compare: Compare, demo: Path) -> None:
    assert looks_right(snap_compare, demo, MIDDLE)


def test_the_text_alone(snap_compare: Compare, demo: Path) -> None:
    assert looks_right(snap_compare, demo, LOW, "j", "enter")


@pytest.mark.long
@pytest.mark.usefixtures("painted")
def test_a_profile_to_be_forgotten(snap_compare: Compare, demo: Path) -> None:
    assert looks_right(snap_compare, demo, MIDDLE, "space", "s", "r")


def test_a_project_of_which_nothing_is_known(snap_compare: Compare, empty: Path) -> None:
    assert looks_right(snap_compare, empty, LOW)


def test_a_context_to_be_looked_at_only(snap_compare: Compare, demo: Path) -> None:
    notice = "Read-only, as asked for: searching and reading work, nothing is changed."
    assert looks_right(snap_compare, demo, LOW, "space", read_only=True, notice=notice)


@sizes
def test_what_was_given(snap_compare: Compare, empty: Path, size: tuple[int, int]) -> None:
    fill_context(empty)
    give(empty)
    assert looks_right(snap_compare, empty, size, "l", "f", "j")


def test_nothing_was_given(snap_compare: Compare, demo: Path) -> None:
    assert looks_right(snap_compare, demo, LOW, "l")
