"""Picking: which keys give what, and that none changes a memory."""

from pathlib import Path
from typing import cast

import pytest

from memtui.store import Store
from memtui.store.config import BrowserSettings
from memtui.tui.help.screen import HelpScreen
from memtui.tui.leaves.picker.app import PickerApp
from tests.tui.browser import NOW, text
from tests.tui.patience import hurry, press

from .pickers import answer, picker, screen

DRIFT = "Refresh token expired because the clock drifted"


@pytest.fixture
def few(tmp_path: Path) -> Path:
    """Three memories, the newest first: gamma, beta, alpha; and one that is private."""
    path = tmp_path / "memory.db"
    with Store.open(path) as store:
        for number, title in enumerate(("alpha", "beta", "gamma")):
            store.observations.add("c-1", title=title, at=NOW - 60_000 * (9 - number))
        store.observations.add("c-1", title="delta", private=True, at=NOW - 1_000)
    return path


async def test_enter_gives_a_reference_to_the_best_hit_of_what_was_typed(demo: Path) -> None:
    async with picker(demo) as pilot:
        await hurry(pilot, *"clock drifted", "enter")
    assert answer(pilot) == f"[mem 276: {DRIFT}]\n"


async def test_a_time_that_nothing_fits_hides_no_hit(demo: Path) -> None:
    async with picker(demo) as pilot:
        await hurry(pilot, *"refresh token expired because the clock drifted in 1999", "enter")
    assert answer(pilot) == f"[mem 276: {DRIFT}]\n"


async def test_a_query_is_searched_for_at_once(demo: Path) -> None:
    async with picker(demo, query="clock drifted", format="id") as pilot:
        assert screen(pilot).bar.input.value == "clock drifted"
        await press(pilot, "enter")
    assert answer(pilot) == "276\n"


async def test_what_is_nearest_in_meaning_comes_first(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with Store.open(path) as store:
        for done in ("Removing", "Painting"):
            store.observations.add(None, title=f"{done} the stale lock", narrative="Done at night.")
    async with picker(path, format="id") as pilot:
        await hurry(pilot, *"erase stale things", "enter")
    assert answer(pilot) == "1\n"


async def test_space_marks_several_which_are_given_in_the_order_of_marking(few: Path) -> None:
    async with picker(few, format="id") as pilot:
        await press(pilot, "down", "space", "k", "k", "k", "space", "enter")
    assert answer(pilot) == "2\n3\n"


async def test_marks_outlast_another_query(few: Path) -> None:
    async with picker(few, format="id", query="alpha") as pilot:
        await press(pilot, "down", "space", "slash", "ctrl+u", *"gamma", "down", "space", "enter")
    assert answer(pilot) == "1\n3\n"


@pytest.mark.parametrize("keys", [("escape",), ("ctrl+c",), ("down", "q"), ("down", "escape")], ids=str)
async def test_leaving_gives_nothing(few: Path, keys: tuple[str, ...]) -> None:
    async with picker(few) as pilot:
        await press(pilot, *keys)
        assert not pilot.app.is_running
    assert answer(pilot) is None and not cast(PickerApp, pilot.app).is_without_match


async def test_enter_without_a_hit_leaves_without_a_match(few: Path) -> None:
    async with picker(few, query="zzqq") as pilot:
        await press(pilot, "enter")
    assert answer(pilot) is None and cast(PickerApp, pilot.app).is_without_match


async def test_ctrl_c_leaves_from_the_help_too(few: Path) -> None:
    async with picker(few) as pilot:
        await press(pilot, "f1")
        assert isinstance(pilot.app.screen, HelpScreen)
        await press(pilot, "ctrl+c")
        assert not pilot.app.is_running


async def test_no_key_of_the_browser_changes_a_memory(few: Path) -> None:
    with Store.open(few) as store:
        before = [store.record(str(number)) for number in (1, 2, 3)]
    async with picker(few) as pilot:
        await press(pilot, "down", *"dxpeuTMnmFZDX", "delete", "shift+delete", "ctrl+r", "ctrl+s")
        assert pilot.app.screen is screen(pilot) and len(pilot.app.screen_stack) == 1
    with Store.open(few) as store:
        assert [store.record(str(number)) for number in (1, 2, 3)] == before
        assert store.undo() is None


async def test_what_is_private_is_there_only_when_asked_for(few: Path) -> None:
    async with picker(few) as pilot:
        assert screen(pilot).results.list.count == 3
        await hurry(pilot, *"delta", "enter")
    assert answer(pilot) is None
    async with picker(few, query="is:private") as pilot:
        await press(pilot, "enter")
    assert answer(pilot) == "[mem 4: delta]\n"


async def test_the_language_of_the_browser_is_understood_chinese_too(demo: Path) -> None:
    async with picker(demo, query="缓存 类型:修复", template="{type} {title}") as pilot:
        assert screen(pilot).bar.chips.chips
        await press(pilot, "enter")
    assert answer(pilot) == "bugfix 删除缓存放在事务提交之后\n"


async def test_what_was_meant_is_one_key_away(demo: Path) -> None:
    async with picker(demo, query="refrseh", format="id") as pilot:
        assert screen(pilot).results.did_you_mean.meant == "refresh"
        await press(pilot, "ctrl+y", "enter")
    assert answer(pilot)


async def test_a_click_on_the_selected_memory_picks_it(few: Path) -> None:
    async with picker(few, format="id") as pilot:
        await pilot.click(screen(pilot).results.list, offset=(5, 1), times=2)
        await pilot.pause()
    assert answer(pilot) == "3\n"


@pytest.mark.parametrize(
    ("size", "has_preview"),
    [((120, 15), True), ((120, 5), True), ((80, 24), False), ((80, 40), True), ((40, 8), False)],
    ids=str,
)
async def test_the_selected_memory_is_shown_where_there_is_room(
    demo: Path, size: tuple[int, int], has_preview: bool
) -> None:
    async with picker(demo, size=size, query="clock drifted") as pilot:
        assert DRIFT[:12] in text(screen(pilot).results.list)
        assert bool(screen(pilot).reading.detail.region) is has_preview
        assert not screen(pilot).reading.pane.region


async def test_three_lines_are_enough(demo: Path) -> None:
    async with picker(demo, size=(60, 3), query="clock drifted", format="id") as pilot:
        assert screen(pilot).results.list.region.height == 1
        await press(pilot, "enter")
    assert answer(pilot) == "276\n"


async def test_the_query_is_among_those_used_before(few: Path) -> None:
    async with picker(few) as pilot:
        await press(pilot, *"beta", "enter")
    with Store.open(few) as store:
        assert store.searches.recent() == ["beta"]


async def test_the_clipboard_is_given_it_without_a_line_break(few: Path) -> None:
    async with picker(few, query="beta", clipboard=True) as pilot:
        await press(pilot, "enter")
    assert pilot.app.clipboard == "[mem 2: beta]"


async def test_it_starts_with_its_search_whatever_the_browser_starts_with(few: Path) -> None:
    settings = BrowserSettings(start_screen="facts", start_focus="results")
    async with picker(few, settings=settings) as pilot:
        assert screen(pilot).bar.input.has_focus
