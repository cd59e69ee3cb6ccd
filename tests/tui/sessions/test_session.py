"""One session: what came of it, what was asked and learned, what it touched."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.store import Store
from memtui.tui.memory.screen import MemoryScreen
from memtui.tui.parts.headings import TabLine
from memtui.tui.search.screen import SearchScreen
from memtui.tui.sessions.screen import SessionsScreen
from tests.tui.browser import NOW, app, opened, search, text
from tests.tui.patience import idle, press
from tests.tui.sessions.screens import session, tab


async def test_a_summary_shows_only_the_parts_that_say_something(one_session: Path) -> None:
    async with opened(one_session) as pilot:
        await press(pilot, "escape", "3", "enter")
        card = session(pilot).card
        assert card.border_title == "Summary 2 of 2 · detailed"
        shown = text(card)
        assert "Learned    Fonts held them up." in shown
        assert "Completed  Tiles first." in shown
        assert "Notes" not in shown and "Request" not in shown


async def test_older_summaries_are_one_key_away(one_session: Path) -> None:
    async with opened(one_session) as pilot:
        await press(pilot, "escape", "3", "enter", "less_than_sign")
        card = session(pilot).card
        assert card.border_title == "Summary 1 of 2 · brief"
        assert "Late tiles" in text(card)
        await press(pilot, "less_than_sign", "greater_than_sign", "greater_than_sign")
        assert card.border_title == "Summary 2 of 2 · detailed"


async def test_a_session_without_a_summary_names_what_makes_one(demo: Path) -> None:
    async with opened(demo) as pilot:
        await press(pilot, "escape", "3", "enter")
        assert "mem summary --session @30 " in text(session(pilot).card)


async def test_a_summary_that_is_written_meanwhile_shows(demo: Path) -> None:
    async with opened(demo) as pilot:
        await press(pilot, "escape", "3", "enter")
        with Store.open(demo) as other:
            one = other.sessions.get("e09b4d7c")
            other.summaries.add(one, learned="Cursors need no React.", at=NOW)
        app(pilot).look()
        await idle(pilot)
        assert "Cursors need no React." in text(session(pilot).card)


async def test_the_tabs_are_prompts_observations_all_in_time_and_files(one_session: Path) -> None:
    async with opened(one_session) as pilot:
        await press(pilot, "escape", "3", "enter")
        assert text(session(pilot).tabs) == "Prompts 1   Observations 3   Timeline 6   Files 3"
        assert [line[1:].split() for line in tab(pilot)[1:]] == [
            "18:31 ▸ why are the tiles late?".split()
        ]
        await press(pilot, "right")
        assert [line[10:] for line in tab(pilot)[1:]] == [
            "Tiles wait for fonts",
            "Fonts load beside the tiles",
            "A test for the order",
        ]
        await press(pilot, "right")
        assert len(tab(pilot)) == 7
        await press(pilot, "right", "right", "left")
        assert [" ".join(line[1:].split()) for line in tab(pilot)] == [
            "✎ fonts.ts 2 modified 1 read",
            "✎ order.test.ts 1 modified",
            "○ map.ts 2 read",
        ]


async def test_a_click_on_a_tab_brings_it_to_the_front(one_session: Path) -> None:
    async with opened(one_session) as pilot:
        await press(pilot, "escape", "3", "enter")
        await pilot.click(TabLine, offset=(text(session(pilot).tabs).index("Files") + 2, 0))
        await idle(pilot)
        assert tab(pilot)[0].split()[1:] == "fonts.ts 2 modified 1 read".split()


async def test_the_first_tab_that_has_something_is_in_front(empty: Path) -> None:
    with Store.open(empty) as store:
        store.observations.add(None, title="Noted by hand", at=NOW)
    async with opened(empty) as pilot:
        await press(pilot, "escape", "3", "enter")
        assert "Noted by hand" in tab(pilot)[1]


async def test_a_file_searches_for_all_that_touched_it(one_session: Path) -> None:
    async with opened(one_session) as pilot:
        await press(pilot, "escape", "3", "enter", "left", "j", "f")
        assert isinstance(pilot.app.screen, SearchScreen)
        await idle(pilot)
        assert search(pilot).bar.input.value == "file:order.test.ts"
        assert search(pilot).results.list.count == 1


async def test_a_memory_of_the_session_opens_and_escape_leads_back(one_session: Path) -> None:
    async with opened(one_session) as pilot:
        await press(pilot, "escape", "3", "enter", "right", "j", "enter")
        assert isinstance(pilot.app.screen, MemoryScreen)
        assert "Fonts load beside the tiles" in text(pilot.app.screen.detail)
        await press(pilot, "escape")
        assert tab(pilot)[2].startswith("▌18:32")
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, SessionsScreen)


async def test_keys_work_on_the_row_of_the_tab_in_front(one_session: Path) -> None:
    async with opened(one_session) as pilot:
        await press(pilot, "escape", "3", "enter", "right", "j", "p")
        assert "★" in tab(pilot)[2]
        await press(pilot, "right", "right")
        assert session(pilot).row is None


@pytest.mark.parametrize("size", [(160, 50), (120, 40), (80, 24), (60, 20)])
@pytest.mark.sampled
async def test_the_summary_has_the_whole_width_above_the_tabs(
    demo: Path, size: tuple[int, int]
) -> None:
    async with opened(demo, size=size) as pilot:
        await press(pilot, "escape", "3", "j", "enter")
        card, tabs, rows = (
            session(pilot).card,
            session(pilot).tabs,
            session(pilot).switcher,
        )
        assert card.region.width == size[0] - 2
        assert card.region.bottom == tabs.region.y < rows.region.y
        assert rows.region.height >= card.region.height - 1
        assert all(line.cell_length <= card.text_width for line in map(card.line_at, range(50)))


async def test_a_long_summary_scrolls_while_its_card_has_the_focus(demo: Path) -> None:
    async with opened(demo, size=(80, 24)) as pilot:
        await press(pilot, "escape", "3", "j", "enter")
        assert "client_time stays" not in text(session(pilot).card)
        await press(pilot, "shift+tab", "G")
        assert "client_time stays" in text(session(pilot).card)


async def test_the_file_under_the_cursor_is_known(one_session: Path) -> None:
    async with opened(one_session) as pilot:
        await press(pilot, "escape", "3", "enter")
        assert session(pilot).selected_file is None
        await press(pilot, "left", "j")
        chosen = session(pilot).selected_file
        assert chosen is not None and chosen.path == "order.test.ts"
