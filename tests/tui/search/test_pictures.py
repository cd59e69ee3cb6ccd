"""How the search looks, in each of its states and at each size."""

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tests.tui.browser import app, ask, browser, press
from tests.tui.patience import idle
from tests.tui.pictures import Compare


def looks_right(
    compare: Compare,
    path: Path,
    size: tuple[int, int],
    *keys: str,
    query: str = "",
    theme: str = "memtui-dark",
    **options: Any,
) -> bool:
    """Whether the browser, asked `query` and with these keys pressed, looks as it did."""

    async def before(pilot: Pilot[Any]) -> None:
        app(pilot).theme = theme
        await idle(pilot)
        if query:
            await ask(pilot, query)
        await press(pilot, *keys)

    return compare(browser(path, **options), terminal_size=size, run_before=before)


@pytest.mark.parametrize(
    "size",
    [
        pytest.param((60, 20), id="60x20", marks=pytest.mark.long),
        pytest.param((80, 24), id="80x24"),
        pytest.param((120, 40), id="120x40"),
        pytest.param((140, 40), id="140x40", marks=pytest.mark.long),
        pytest.param((160, 50), id="160x50", marks=pytest.mark.long),
    ],
)
def test_a_search(snap_compare: Compare, demo: Path, size: tuple[int, int]) -> None:
    assert looks_right(snap_compare, demo, size, "down", "j", query="refresh token")


@pytest.mark.long
def test_a_search_in_light_colours(snap_compare: Compare, demo: Path) -> None:
    assert looks_right(
        snap_compare, demo, (140, 40), "down", query="缓存 type:bugfix", theme="memtui-light"
    )


def test_the_first_paint(snap_compare: Compare, demo: Path) -> None:
    assert looks_right(snap_compare, demo, (120, 40))


def test_the_memory_with_the_focus(snap_compare: Compare, demo: Path) -> None:
    assert looks_right(snap_compare, demo, (120, 40), "down", "enter", query="clock drifted leeway")


def test_one_pane_with_the_memory(snap_compare: Compare, demo: Path) -> None:
    assert looks_right(snap_compare, demo, (60, 24), "down", "enter", query="clock drifted leeway")


def test_no_hits(snap_compare: Compare, demo: Path) -> None:
    query = "token type:feature project:infra-live"
    assert looks_right(snap_compare, demo, (100, 30), "down", query=query)


def test_did_you_mean(snap_compare: Compare, demo: Path) -> None:
    assert looks_right(snap_compare, demo, (100, 30), "down", query="reids since:2020-01-01")


def test_the_facets_with_the_focus(snap_compare: Compare, demo: Path) -> None:
    keys = ("down", "f", "down", "enter", "down", "right")
    assert looks_right(snap_compare, demo, (140, 40), *keys, query="token")


def test_the_facets_where_there_is_little_room(snap_compare: Compare, demo: Path) -> None:
    assert looks_right(snap_compare, demo, (80, 24), "down", "f", "down", query="token type:bugfix")


def test_why_a_hit_was_found(snap_compare: Compare, demo: Path) -> None:
    assert looks_right(snap_compare, demo, (120, 40), "down", "j", "w", query='token "clock drift" -redis')


def test_an_empty_memory(snap_compare: Compare, empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(empty.parent)
    assert looks_right(snap_compare, Path(empty.name), (100, 30))


def test_a_read_only_memory(snap_compare: Compare, demo: Path) -> None:
    notice = "Read-only: searching and reading work. It was written by a newer memtui."
    assert looks_right(snap_compare, demo, (100, 30), "down", read_only=True, notice=notice)


def test_the_help(snap_compare: Compare, demo: Path) -> None:
    assert looks_right(snap_compare, demo, (100, 40), "down", "question_mark")


@pytest.mark.parametrize(
    "size",
    [
        pytest.param((30, 8), id="30x8", marks=pytest.mark.long),
        pytest.param((80, 24), id="80x24", marks=pytest.mark.long),
        pytest.param((120, 40), id="120x40"),
        pytest.param((160, 50), id="160x50", marks=pytest.mark.long),
    ],
)
def test_the_welcome(
    snap_compare: Compare, empty: Path, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    monkeypatch.chdir(empty.parent)
    monkeypatch.setattr("memtui.tui.search.welcome.mem_command", lambda: "mem")
    assert looks_right(snap_compare, Path(empty.name), size)


@pytest.mark.parametrize("theme", ["memtui-dark", "memtui-light"])
@pytest.mark.long
def test_the_days_above_the_facets_with_the_focus(snap_compare: Compare, demo: Path, theme: str) -> None:
    assert looks_right(
        snap_compare, demo, (160, 50), "down", "f", "left", "left", query="token", theme=theme
    )


@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=["80x24", "120x40"])
def test_a_zoomed_memory(snap_compare: Compare, demo: Path, size: tuple[int, int]) -> None:
    query = "clock drifted leeway"
    assert looks_right(snap_compare, demo, size, "down", "enter", "z", query=query)


def test_panes_with_chosen_sizes(snap_compare: Compare, demo: Path) -> None:
    keys = ("down", "alt+left", "alt+left", "alt+up", "alt+up")
    assert looks_right(snap_compare, demo, (120, 40), *keys, query="token")
