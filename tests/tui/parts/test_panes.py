"""Panes: their sizes by keys and mouse, kept for the next screen, and one of them zoomed."""

from pathlib import Path
from typing import Any

import pytest
from textual.events import MouseDown, MouseMove, MouseUp
from textual.pilot import Pilot

from memtui.tui.parts.frame import Header, KeysFooter
from memtui.tui.parts.split import Split
from tests.tui.browser import app, opened, search, text
from tests.tui.patience import idle, press

MODES = ("timeline", "sessions", "facts", "capture", "composer")


def widths(pilot: Pilot[Any]) -> list[int]:
    """The widths of the panes of the first split."""
    panes = pilot.app.screen.query(Split).first().panes
    return [pane.region.width for pane in panes or ()]


def heights(pilot: Pilot[Any], selector: str) -> list[int]:
    panes = pilot.app.screen.query_one(selector, Split).panes
    return [pane.region.height for pane in panes or ()]


async def drag(pilot: Pilot[Any], start: tuple[int, int], end: tuple[int, int]) -> None:
    """Press the mouse at a cell of the screen, move to another and let go."""
    await pilot._post_mouse_events([MouseDown], offset=start, button=1)
    await pilot._post_mouse_events([MouseMove], offset=end, button=1)
    await pilot._post_mouse_events([MouseUp], offset=end, button=1)
    await idle(pilot)


async def test_keys_move_the_border_and_alt_home_puts_it_back(demo: Path) -> None:
    async with opened(demo, size=(120, 40)) as pilot:
        await press(pilot, "escape")
        left, right = widths(pilot)
        await press(pilot, "alt+left", "alt+left")
        narrower, wider = widths(pilot)
        assert narrower < left and wider > right and narrower + wider == left + right
        await press(pilot, "alt+right")
        assert narrower < widths(pilot)[0] < left
        await press(pilot, "alt+home")
        assert widths(pilot) == [left, right]


async def test_alt_up_makes_the_lower_pane_higher(demo: Path) -> None:
    async with opened(demo, size=(120, 40)) as pilot:
        await press(pilot, "escape")
        upper, lower = heights(pilot, "#right")
        await press(pilot, "alt+up")
        assert heights(pilot, "#right")[1] > lower
        await press(pilot, "alt+down", "alt+down")
        assert heights(pilot, "#right")[0] > upper


async def test_where_panes_lie_one_above_the_other_they_have_other_sizes(demo: Path) -> None:
    async with opened(demo, size=(120, 40)) as pilot:
        await press(pilot, "escape")
        await press(pilot, "alt+left")
        wide = widths(pilot)
        await pilot.resize_terminal(80, 24)
        await idle(pilot)
        _, lower = heights(pilot, "#panes")
        await press(pilot, "alt+left", "alt+up")
        assert heights(pilot, "#panes")[1] > lower
        await pilot.resize_terminal(120, 40)
        await idle(pilot)
        assert widths(pilot) == wide


@pytest.mark.long
async def test_no_pane_gets_lost(demo: Path) -> None:
    async with opened(demo, size=(120, 40)) as pilot:
        await press(pilot, "escape", *["alt+left"] * 40)
        assert widths(pilot)[0] == 20
        await press(pilot, *["alt+right"] * 40, *["alt+up"] * 40)
        assert widths(pilot)[1] == 20
        assert heights(pilot, "#right")[0] == 4
        await pilot.resize_terminal(80, 24)
        await pilot.resize_terminal(60, 20)
        await pilot.resize_terminal(30, 8)
        await idle(pilot)
        assert search(pilot).results.list.region.width == 30


async def test_the_border_is_dragged_and_the_focus_stays(demo: Path) -> None:
    async with opened(demo, size=(120, 40)) as pilot:
        await press(pilot, "escape")
        border = widths(pilot)[0]
        await drag(pilot, (border, 20), (50, 25))
        assert widths(pilot) == [50, 70]
        assert search(pilot).results.list.has_focus
        assert app(pilot).settings.panes == {"search": 42}
        timeline = search(pilot).reading.pane
        await drag(pilot, (80, timeline.region.y), (80, 30))
        assert timeline.region.y == 30
        assert search(pilot).results.list.has_focus


async def test_a_click_on_a_title_still_gives_the_pane_the_focus(demo: Path) -> None:
    async with opened(demo, size=(120, 40)) as pilot:
        await press(pilot, "escape")
        timeline = search(pilot).reading.pane
        await pilot.click(offset=(80, timeline.region.y))
        assert timeline.has_focus
        assert app(pilot).settings.panes == {}


@pytest.mark.parametrize("mode", [mode for mode in MODES if mode != "capture"])
@pytest.mark.sampled
async def test_every_screen_with_two_panes_has_a_border_to_move(demo: Path, mode: str) -> None:
    async with opened(demo, size=(160, 50)) as pilot:
        app(pilot).action_go(mode)
        await idle(pilot)
        before = widths(pilot)
        await press(pilot, "alt+left")
        assert widths(pilot)[0] < before[0]
        assert list(app(pilot).settings.panes) == [mode]


async def test_the_sizes_hold_on_every_screen_of_the_kind(demo: Path) -> None:
    async with opened(demo, size=(120, 40)) as pilot:
        await press(pilot, "escape", "p", "H", "alt+right")
        chosen = widths(pilot)
        await press(pilot, "escape", "H")
        assert widths(pilot) == chosen
        assert chosen[0] > chosen[1]


@pytest.mark.parametrize("size", [(160, 50), (120, 40), (80, 24), (60, 20), (30, 8)])
@pytest.mark.sampled
async def test_z_gives_a_pane_the_whole_screen_and_back(demo: Path, size: tuple[int, int]) -> None:
    async with opened(demo, size=size) as pilot:
        await press(pilot, "escape", *["j"] * 12)
        rows = search(pilot).results.list
        before = rows.region, rows.scroll_offset, rows.cursor
        await press(pilot, "z")
        assert rows.region == (0, 1, size[0], size[1] - 2)
        assert rows.has_focus and rows.cursor == 12
        await press(pilot, "z")
        assert (rows.region, rows.scroll_offset, rows.cursor) == before


async def test_zoomed_the_title_and_the_footer_say_so_and_escape_ends_it(demo: Path) -> None:
    async with opened(demo, size=(80, 24)) as pilot:
        await press(pilot, "escape", "enter", "z")
        detail = search(pilot).reading.detail
        screen = "\n".join(text(each) for each in (detail, search(pilot).query_one(KeysFooter)))
        assert "esc z Unzoom" in screen
        assert "zoomed" in str(detail.border_title)
        assert text(search(pilot).query_one(Header))
        await press(pilot, "escape")
        assert "zoomed" not in str(detail.border_title)
        assert detail.has_focus and search(pilot).results.list.region


@pytest.mark.long
async def test_the_zoom_ends_when_the_focus_leaves_the_pane(demo: Path) -> None:
    async with opened(demo, size=(120, 40)) as pilot:
        for key in ("tab", "slash", "f"):
            await press(pilot, "escape", "z")
            assert search(pilot).maximized is search(pilot).results.list
            await press(pilot, key)
            assert search(pilot).maximized is None
            await press(pilot, "escape")
        await press(pilot, "z", "enter")
        assert search(pilot).maximized is None
        assert search(pilot).reading.detail.has_focus


async def test_escape_unmarks_before_it_unzooms(demo: Path) -> None:
    async with opened(demo, size=(120, 40)) as pilot:
        await press(pilot, "escape", "z", "space", "escape")
        assert not search(pilot).marks
        assert search(pilot).maximized is not None


@pytest.mark.parametrize("mode", [*MODES, "statistics"])
@pytest.mark.parametrize("size", [(120, 40), (60, 20)])
@pytest.mark.sampled
async def test_each_screen_zooms(demo: Path, mode: str, size: tuple[int, int]) -> None:
    async with opened(demo, size=size) as pilot:
        app(pilot).action_go(mode)
        await idle(pilot)
        focused = pilot.app.screen.focused
        assert focused is not None
        before = focused.region
        await press(pilot, "z")
        if pilot.app.screen.maximized is not None:
            assert focused.region.width == size[0]
            assert focused.region.bottom == size[1] - 1
        await press(pilot, "z")
        assert focused.region == before
        assert focused.has_focus
