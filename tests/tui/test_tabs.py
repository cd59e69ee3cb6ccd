"""The tabs of the top line, what shows the focus, and the keys that work anywhere."""

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widget import Widget

from memtui.tui.lists.rows import RowView
from memtui.tui.parts.frame import Header, KeysFooter
from memtui.tui.sessions.conversation import ConversationView
from memtui.tui.tabs import TABS, tab_labels
from tests.tui.browser import app, ask, opened, press, search, text
from tests.tui.patience import idle

SMALLEST = (30, 8)
EIGHT = TABS[:8]


def header(pilot: Pilot[Any]) -> Header:
    return pilot.app.screen.query_one(Header)


async def click(pilot: Pilot[Any], widget: Widget, words: str) -> None:
    """Click on what a line says; 1 for the blank at its left."""
    await pilot.click(widget, offset=(text(widget).index(words) + 1, 0))
    await idle(pilot)


def line_above(widget: Widget) -> str:
    return str(widget.styles.border_top[0])


async def test_every_screen_is_named_and_one_click_away(demo: Path) -> None:
    async with opened(demo) as pilot:
        for tab in (*TABS[1:], TABS[0]):
            await click(pilot, header(pilot), f"{tab.key} {tab.name}")
            assert app(pilot).current_mode == tab.mode


async def test_where_it_is_narrow_the_other_screens_are_numbers_to_click_on(demo: Path) -> None:
    async with opened(demo, size=SMALLEST) as pilot:
        assert "1 Search" in text(header(pilot))
        assert "Sessions" not in text(header(pilot))
        await click(pilot, header(pilot), " 3")
        assert app(pilot).current_mode == "sessions"
        assert "3 Sessions" in text(header(pilot))
        assert text(header(pilot)).rstrip().endswith(TABS[-1].key)


def test_no_number_touches_the_current_tab_where_it_is_narrowest() -> None:
    _, labels = tab_labels(EIGHT, "capture", "", 80, 54)
    assert "".join(labels) == " 1 2 3 4  5 Capture  6 7 8"


@pytest.mark.parametrize("place", ["", "Timeline"])
@pytest.mark.parametrize("width", range(50, 130, 4))
def test_tabs_have_their_names_or_but_their_numbers(width: int, place: str) -> None:
    _, labels = tab_labels(EIGHT, "search", place, width)
    names = [label.strip().removeprefix(tab.key).strip() for tab, label in zip(EIGHT, labels, strict=True)]
    assert names[0] == (f"Search › {place}" if place else "Search")
    assert names[1:] in ([tab.name for tab in EIGHT[1:]], [""] * (len(EIGHT) - 1))
    assert width < 120 or all(names)


def test_a_badge_stands_in_the_tab_at_every_width() -> None:
    for width in range(20, 160, 10):
        for current in ("search", "capture"):
            _, labels = tab_labels(TABS, current, "", width, badged="capture")
            assert ["⚠" in label for label in labels] == [tab.mode == "capture" for tab in TABS]


async def test_the_tab_says_what_is_open_within_its_screen(demo: Path) -> None:
    async with opened(demo) as pilot:
        await press(pilot, "escape", "t")
        assert "1 Search › Timeline" in text(header(pilot))


async def test_a_digit_leads_to_the_screen_itself_whatever_was_open_over_it(demo: Path) -> None:
    async with opened(demo) as pilot:
        screen = search(pilot)
        await press(pilot, "escape", "t", "5", "1")
        assert pilot.app.screen is screen


async def test_alt_and_a_digit_switch_screens_while_typing_and_alt_never_types(demo: Path) -> None:
    async with opened(demo) as pilot:
        await press(pilot, "t", "o", "alt+q", "alt+w", "k")
        assert search(pilot).bar.input.value == "tok"
        await press(pilot, "alt+3")
        assert app(pilot).current_mode == "sessions"


async def test_in_the_query_the_footer_says_how_to_get_out_and_to_the_screens(demo: Path) -> None:
    async with opened(demo, size=(80, 24)) as pilot:
        footer = pilot.app.screen.query_one(KeysFooter)
        assert text(footer).startswith(f"esc Results  alt+1…{TABS[-1].key} Screens")
        await click(pilot, footer, "esc")
        assert search(pilot).results.list.has_focus
        assert "Screens" not in text(footer)


async def test_the_footer_offers_a_way_back_only_where_there_is_one(demo: Path) -> None:
    async with opened(demo) as pilot:
        await press(pilot, "escape")
        assert "Back" not in text(pilot.app.screen.query_one(KeysFooter))
        await press(pilot, "3")
        assert "Back" not in text(pilot.app.screen.query_one(KeysFooter))
        await press(pilot, "enter")
        assert "esc Back" in text(pilot.app.screen.query_one(KeysFooter))


async def test_the_pane_with_the_focus_has_a_heavy_line(demo: Path) -> None:
    async with opened(demo) as pilot:
        await press(pilot, "escape")
        results, detail = search(pilot).results.list, search(pilot).reading.detail
        assert results.title == "Memories 420"
        assert line_above(results) == "heavy"
        assert line_above(detail) == "solid"
        await press(pilot, "tab", "tab")
        assert line_above(results) == "solid"


async def test_the_title_of_the_results_counts_them(demo: Path) -> None:
    async with opened(demo) as pilot:
        await ask(pilot, "token type:bugfix")
        count = search(pilot).results.list.count
        assert search(pilot).results.list.title == f"Results {count}"


@pytest.mark.parametrize("keys", [("f1",), ("w",), ("ctrl+p",), ("T",)])
@pytest.mark.sampled
async def test_ctrl_q_leaves_from_help_why_palette_and_dialogs(demo: Path, keys: tuple[str, ...]) -> None:
    async with opened(demo) as pilot:
        await ask(pilot, "token")
        # Not waiting for workers: one waits for the answer of the dialog.
        await pilot.press("escape", *keys)
        await pilot.pause()
        assert len(pilot.app.screen_stack) > 1
        await pilot.press("ctrl+q")
        assert pilot.app.return_code == 0


async def test_ctrl_q_asks_where_a_form_would_lose_something(demo: Path) -> None:
    async with opened(demo) as pilot:
        await press(pilot, "escape", "e")
        await press(pilot, "x", "ctrl+q")
        assert pilot.app.return_code is None
        assert "is not saved" in "".join(map(text, pilot.app.screen.query("Toast")))


@pytest.mark.parametrize("keys", [(), ("3",), ("3", "enter"), ("4",), ("4", "enter"), ("ctrl+p",)])
@pytest.mark.sampled
async def test_the_smallest_terminal_shows_a_row_of_each_list(demo: Path, keys: tuple[str, ...]) -> None:
    async with opened(demo, size=SMALLEST) as pilot:
        await press(pilot, "escape", *keys)
        lists: list[Widget] = [*pilot.app.screen.query(RowView)]
        lists += pilot.app.screen.query(ConversationView)
        in_view = [one.region.intersection(pilot.app.screen.region) for one in lists if one.is_on_screen]
        assert in_view and all(one.height >= 1 for one in in_view)


async def test_a_search_over_the_search_is_named_by_what_it_is_of(demo: Path) -> None:
    async with opened(demo) as pilot:
        await press(pilot, "escape", "L")
        assert "1 Search › Similar" in text(header(pilot))


async def test_no_key_stands_twice_in_the_footer(demo: Path) -> None:
    async with opened(demo) as pilot:
        await press(pilot, *"type:")
        assert text(pilot.app.screen.query_one(KeysFooter)).count("esc ") == 1
