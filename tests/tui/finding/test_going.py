"""Going anywhere: with `g` to a date in what is listed, and with `g`, the query line and the palette to
what an id, a file or a commit names."""

from pathlib import Path
from typing import Any, cast

import pytest
from textual.pilot import Pilot

from memtui.store import SessionRow, Store
from memtui.tui.history.screen import ChangesScreen
from memtui.tui.memory import MemoryScreen
from memtui.tui.parts.line_input import PromptLine
from memtui.tui.sessions.screen import SessionsScreen
from memtui.tui.timeline.screen import TimelineScreen
from tests.tui.browser import NOW, ask, opened, search
from tests.tui.finding.test_narrowing import front, line
from tests.tui.patience import press

DAY = 86_400_000
NAMES = {" ": "space", "[": "left_square_bracket", "]": "right_square_bracket", "@": "at", "/": "slash"}
START = NOW - NOW % DAY + DAY // 2
"""Noon of Tue 2026-02-17."""


@pytest.fixture
def days(empty: Path) -> Path:
    """A session and a memory at noon of each of 40 days, with none on the tenth."""
    with Store.open(empty) as store, store.transaction():
        for number in [one for one in range(40) if one != 9]:
            at = START - number * DAY
            session = store.sessions.start(f"session-{number}", title=f"Day {number}", at=at)
            title = f"{'token of ' if number % 2 else ''}day {number}"
            store.observations.add(session=session, type="note", title=title, at=at)
    return empty


def result(pilot: Pilot[Any]) -> str:
    item = search(pilot).results.list.item
    return item.hit.row.title if item else ""


def told(pilot: Pilot[Any]) -> str:
    return "\n".join(one.message for one in pilot.app._notifications)


async def write(pilot: Pilot[Any], text: str) -> None:
    for letter in text:
        await press(pilot, NAMES.get(letter, letter))


async def go(pilot: Pilot[Any], text: str) -> None:
    await press(pilot, "g")
    await write(pilot, text)
    await press(pilot, "enter")


@pytest.mark.parametrize("size", [(120, 40), (80, 24), (30, 8)])
async def test_a_date_is_shown_as_it_is_typed_and_gone_to(days: Path, size: tuple[int, int]) -> None:
    async with opened(days, size=size) as pilot:
        await press(pilot, "escape", "g", *"20d")
        assert line(pilot) == "Wed 28 Jan"
        await press(pilot, "enter")
        assert result(pilot) == "day 20"
        assert search(pilot).results.list.has_focus
        assert not front(pilot).query(PromptLine)


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("today", "day 0"), ("3d", "day 3"), ("2026-02-12", "day 5"), ("上周", "day 2"),
        ("昨天", "day 1"), ("2026-01", "day 17"), ("2026年2月10日", "day 7"),
    ],
)  # fmt: skip
@pytest.mark.sampled
async def test_dates_are_those_of_the_query_language(days: Path, typed: str, found: str) -> None:
    async with opened(days) as pilot:
        await press(pilot, "escape")
        await go(pilot, typed)
        assert result(pilot).removeprefix("token of ") == found
        assert told(pilot) == ""


@pytest.mark.parametrize(
    ("typed", "found", "said"),
    [
        ("9d", "day 10", "Nothing on Sun 8 Feb: this is the one before."),
        ("2020", "day 39", "Nothing is as old as"),
        ("2030-01-01", "day 0", "Nothing since Tue 1 Jan 2030: this is the newest."),
    ],
)
@pytest.mark.sampled
async def test_where_there_is_nothing_the_nearest_is_told(
    days: Path, typed: str, found: str, said: str
) -> None:
    async with opened(days) as pilot:
        await press(pilot, "escape")
        await go(pilot, typed)
        assert result(pilot).removeprefix("token of ") == found
        assert said in told(pilot)


async def test_what_names_nothing_is_said_and_goes_nowhere(days: Path) -> None:
    async with opened(days) as pilot:
        await press(pilot, "escape", "j", "g", *"when?")
        assert line(pilot) == "no id, file, commit or date of this store"
        await press(pilot, "enter")
        assert front(pilot).query(PromptLine)
        await press(pilot, "escape")
        assert result(pilot) == "token of day 1"


async def test_a_second_g_and_home_go_to_the_first_row(days: Path) -> None:
    async with opened(days) as pilot:
        await press(pilot, "escape", "end", "g", "g")
        assert result(pilot) == "day 0"
        assert search(pilot).results.list.has_focus
        await press(pilot, "end", "home")
        assert result(pilot) == "day 0"


async def test_hits_by_relevance_are_sorted_by_time_first_and_that_is_said(days: Path) -> None:
    async with opened(days) as pilot:
        await ask(pilot, "token")
        await press(pilot, "escape", "g", *"11d")
        assert line(pilot) == "Fri 6 Feb · not newest first: Enter sorts so"
        await press(pilot, "enter")
        assert search(pilot).bar.input.value == "token sort:recent "
        assert result(pilot) == "token of day 11"


async def test_it_goes_through_the_sessions(days: Path) -> None:
    async with opened(days) as pilot:
        await press(pilot, "escape", "3")
        await go(pilot, "2026-02-01")
        session = cast(SessionsScreen, front(pilot)).sessions.session
        assert cast(SessionRow, session).session.title == "Day 16"


async def test_it_moves_the_anchor_of_the_timeline(days: Path) -> None:
    async with opened(days) as pilot:
        await press(pilot, "escape", "2", "s")
        await go(pilot, "2026-02-01")
        row = cast(TimelineScreen, front(pilot)).row
        assert row is not None and row.title == "day 16"
        await go(pilot, "2010")
        row = cast(TimelineScreen, front(pilot)).row
        assert row is not None and row.title == "token of day 39"
        assert "the nearest is of Fri 9 Jan." in told(pilot)


async def test_it_goes_through_the_history(days: Path) -> None:
    with Store.open(days) as store:
        for number in range(3):
            store.observations.pin(number + 1)
    async with opened(days) as pilot:
        await press(pilot, "escape", "H")
        screen = cast(ChangesScreen, front(pilot))
        assert screen.changes.count == 3
        await go(pilot, "2020")
        assert screen.changes.cursor == 2


@pytest.fixture
def named(empty: Path) -> Path:
    """Memories of a file, one of a commit, in a session with a fact and a note."""
    with Store.open(empty) as store:
        session = store.sessions.start("abcd1234-session", project="atlas", at=START)
        for number in range(3):
            store.observations.add(
                session,
                title=f"Token {number}",
                at=START + number,
                facts=["commit ab12cd3 on main"] * (not number),
                files_modified=["src/token.py"],
            )
        store.facts.add("The token is kept", kind="W")
        store.notes.upsert("MEMORY.md", "The text", project="atlas")
    return empty


@pytest.mark.parametrize(
    ("typed", "screen"),
    [
        ("2", "MemoryScreen"),
        ("[mem 2]", "MemoryScreen"),
        ("@1", "SessionScreen"),
        ("abcd1234", "SessionScreen"),
        ("f1", "FactScreen"),
        ("n1", "NoteScreen"),
        ("ab12cd3", "MemoryScreen"),
    ],
)
@pytest.mark.parametrize("way", ["g", "query", "palette"])
@pytest.mark.sampled
async def test_each_way_leads_to_what_is_named(named: Path, typed: str, screen: str, way: str) -> None:
    keys = {"g": ("escape", "g"), "query": (), "palette": ("ctrl+p",)}
    async with opened(named) as pilot:
        await press(pilot, *keys[way])
        await write(pilot, typed)
        await press(pilot, "enter")
        assert type(pilot.app.screen).__name__ == screen
        await press(pilot, "escape")
        assert type(pilot.app.screen).__name__ == "SearchScreen"


async def test_a_number_can_be_searched_for_too(named: Path) -> None:
    async with opened(named) as pilot:
        await write(pilot, "2")
        assert search(pilot).bar.offers.is_taken_by_enter
        await press(pilot, "down")
        assert search(pilot).results.list.has_focus
        assert result(pilot) == "Token 2"


async def test_a_file_lists_its_memories(named: Path) -> None:
    async with opened(named) as pilot:
        await write(pilot, "token.py")
        await press(pilot, "enter")
        assert search(pilot).bar.input.value == "file:src/token.py "
        assert search(pilot).results.list.count == 3
        assert search(pilot).results.list.has_focus


async def test_where_several_are_meant_one_is_chosen(named: Path) -> None:
    with Store.open(named) as store:
        uid = store.record("1").uid
    async with opened(named) as pilot:
        await press(pilot, "escape", "g")
        await write(pilot, uid[:8])
        assert line(pilot).startswith("one of ")
        await press(pilot, "enter")
        assert type(pilot.app.screen).__name__ == "PickScreen"
        await write(pilot, "token 1")
        await press(pilot, "enter")
        screen = pilot.app.screen
        assert isinstance(screen, MemoryScreen)
        assert screen.row is not None and screen.row.title == "Token 1"


async def test_from_other_screens_a_file_is_listed_in_a_search_of_its_own(named: Path) -> None:
    async with opened(named) as pilot:
        await press(pilot, "escape", "7")
        await go(pilot, "src/token.py")
        assert search(pilot).bar.input.value == "file:src/token.py "
        await press(pilot, "escape")
        assert type(pilot.app.screen).__name__ == "StatisticsScreen"


async def test_a_second_g_goes_to_the_beginning_of_a_text(named: Path) -> None:
    async with opened(named, size=(120, 10)) as pilot:
        await press(pilot, "escape", "enter", "end", "g", "g")
        assert search(pilot).reading.detail.scroll_offset.y == 0
        assert search(pilot).reading.detail.has_focus
