"""The sessions, and one session: what came of it, what was asked and learned, what it touched."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest
from textual.pilot import Pilot

from store import Store
from store.records import Session, SessionRow
from tests.tui.browser import NOW, app, opened, search, text
from tests.tui.patience import idle, press
from tui.memory.screen import MemoryScreen
from tui.parts.headings import TabLine
from tui.search.screen import SearchScreen
from tui.sessions.lists import columns, started
from tui.sessions.screen import SessionsScreen
from tui.sessions.session import SessionScreen
from tui.text.status import lasted, status

MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000
LOW = (100, 24)


def sessions(pilot: Pilot[Any]) -> SessionsScreen:
    """The list of sessions, which is in front."""
    return cast(SessionsScreen, pilot.app.screen)


def session(pilot: Pilot[Any]) -> SessionScreen:
    """The one session, which is in front."""
    return cast(SessionScreen, pilot.app.screen)


def tab(pilot: Pilot[Any]) -> list[str]:
    """The lines of the tab in front."""
    shown = session(pilot).switcher.visible_content
    assert shown is not None
    return text(shown).rstrip().split("\n")


@pytest.fixture
def one_session(empty: Path) -> Path:
    """A session with three summaries, prompts, observations and files."""
    with Store.open(empty) as store, store.transaction():
        at = NOW - HOUR
        one = store.sessions.start(
            "0123456789", agent="codex", project="atlas", title="Tiles", at=at
        )
        store.prompts.add(one, "why are the tiles late?", at=at)
        for minute, (title, read, modified) in enumerate(
            [
                ("Tiles wait for fonts", ["map.ts", "fonts.ts"], []),
                ("Fonts load beside the tiles", ["map.ts"], ["fonts.ts"]),
                ("A test for the order", [], ["fonts.ts", "order.test.ts"]),
            ]
        ):
            store.observations.add(
                one, title=title, files_read=read, files_modified=modified, at=at + minute * MINUTE
            )
        store.summaries.add(one, level="brief", request="Late tiles", at=at + 5 * MINUTE)
        store.summaries.add(
            one,
            learned="Fonts held them up.",
            completed="Tiles first.",
            notes=" ",
            at=at + 6 * MINUTE,
        )
        store.sessions.end(one, at=at + 10 * MINUTE)
    return empty


async def test_the_newest_session_comes_first_with_what_came_of_it(one_session: Path) -> None:
    async with opened(one_session) as pilot:
        await press(pilot, "escape", "3")
        row = " ".join(text(sessions(pilot).sessions).splitlines()[0].split())
        assert row == ("▌✓ 01234567 Tiles atlas Tue 18:31 10m codex 1 prompts 3 obs Tiles first.")
        assert "1 of 1" in text(sessions(pilot).heading)


async def test_typed_letters_narrow_the_sessions_to_a_project(demo: Path) -> None:
    async with opened(demo, size=LOW) as pilot:
        await press(pilot, "escape", "3", "f", *"atlas", "enter")
        assert "sessions · atlas-web" in text(sessions(pilot).heading)
        assert "7 of 30" in text(sessions(pilot).heading)
        assert sessions(pilot).sessions.count == 7
        await press(pilot, "f", "up", "up", "enter")
        assert "30 of 30" in text(sessions(pilot).heading)


async def test_an_agent_narrows_them_too_and_escape_leaves_them_as_they_were(demo: Path) -> None:
    async with opened(demo, size=LOW) as pilot:
        await press(pilot, "escape", "3", "slash", *"TRAE", "enter")
        chosen = text(sessions(pilot).heading)
        assert "sessions · trae" in chosen and "30 of 30" not in chosen
        await press(pilot, "f", *"codex", "escape")
        assert text(sessions(pilot).heading) == chosen


async def test_a_new_session_appears_above_and_the_selection_stays(demo: Path) -> None:
    async with opened(demo, size=LOW) as pilot:
        await press(pilot, "escape", "3", "j", "j")
        before = sessions(pilot).sessions.item
        with Store.open(demo) as other:
            other.sessions.start("new", project="atlas-web", at=NOW)
        app(pilot).look()
        await idle(pilot)
        assert "31 of 31" in text(sessions(pilot).heading)
        after = sessions(pilot).sessions.item
        assert before and after and before.session == after.session


async def test_any_number_of_sessions_can_be_walked_through(empty: Path) -> None:
    with Store.open(empty) as store, store.transaction():
        for number in range(1_000):
            store.sessions.start(f"session-{number}", title=f"task {number}", at=NOW - number * DAY)
    async with opened(empty, size=LOW) as pilot:
        app(pilot).action_go("sessions")
        await idle(pilot)
        await press(pilot, "G")
        assert "task 999" in text(sessions(pilot).sessions)
        assert "1,000 of 1,000" in text(sessions(pilot).heading)


async def test_no_session_yet_tells_how_they_come_about(empty: Path) -> None:
    async with opened(empty, size=LOW) as pilot:
        app(pilot).action_go("sessions")
        await idle(pilot)
        assert "mem install claude-code" in text(pilot.app.screen.query_one("#empty"))


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
        await press(pilot, "escape", "3", "enter", "left", "j", "enter")
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


@pytest.mark.parametrize(
    ("width", "present", "absent"),
    [
        (50, "started lasted", "observations id"),
        (77, "id observations", "project"),
        (98, "project", "summary"),
        (118, "summary", "prompts"),
        (158, "prompts agent", ""),
    ],
)
def test_columns_leave_the_least_telling_first(width: int, present: str, absent: str) -> None:
    found = columns(width, without=set())
    assert {"title", *present.split()} <= found.keys()
    assert not found.keys() & set(absent.split())
    assert sum(found.values()) + 2 * (len(found) - 1) == width
    assert found["title"] >= 26


def test_a_session_says_how_it_stands_in_words_and_symbols(empty: Path) -> None:
    with Store.open(empty) as store:
        one = store.sessions.start("one", at=NOW - 3 * HOUR)

        def stands(session: Session) -> str:
            found = status(store.sessions.row(session), NOW)
            return f"{found.symbol} {found.word}"

        assert stands(one) == "○ open"
        store.prompts.add(one, "go on", at=NOW - HOUR)
        assert stands(one) == "● live"
        assert stands(store.sessions.end(one, at=NOW)) == "✓ completed"
        assert stands(store.sessions.end(one, "failed", at=NOW)) == "✗ failed"


@pytest.mark.parametrize(
    ("ms", "shown"),
    [(40_000, "40s"), (56 * MINUTE, "56m"), (130 * MINUTE, "2h10"), (50 * HOUR, "2d")],
)
def test_how_long_a_session_lasted_is_short(empty: Path, ms: int, shown: str) -> None:
    with Store.open(empty) as store:
        one = store.sessions.start("one", at=NOW - ms)
        row: SessionRow = store.sessions.row(store.sessions.end(one, at=NOW))
        assert lasted(row) == shown


@pytest.mark.parametrize(
    ("ms", "shown"),
    [
        (NOW, "Tue 19:31"),
        (NOW - 5 * DAY, "Thu 19:31"),
        (NOW - 7 * DAY, "10 Feb 19:31"),
        (NOW - 365 * DAY, "17 Feb 2025"),
        (0, "—"),
    ],
)
def test_a_start_is_told_as_near_as_it_is(ms: int, shown: str) -> None:
    assert started(ms, NOW) == shown
