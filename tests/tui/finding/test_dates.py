"""Going to a date with `g`: in the sessions, the results, the timeline, the history."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest
from textual.pilot import Pilot

from memtui.store import SessionRow, Store
from memtui.tui.history.changes import ChangesScreen
from memtui.tui.parts.prompt_line import PromptLine
from memtui.tui.sessions.screen import SessionsScreen
from memtui.tui.timeline.screen import TimelineScreen
from tests.tui.browser import NOW, ask, opened, search
from tests.tui.finding.test_narrowing import front, line
from tests.tui.patience import press

DAY = 86_400_000
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


async def go(pilot: Pilot[Any], text: str) -> None:
    await press(pilot, "g")
    for letter in text:
        await pilot.press("space" if letter == " " else letter)
    await press(pilot, "enter")


@pytest.mark.parametrize("size", [(120, 40), (80, 24), (30, 8)])
async def test_a_date_is_shown_as_it_is_typed_and_gone_to(
    days: Path, size: tuple[int, int]
) -> None:
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


async def test_what_is_no_date_is_said_and_goes_nowhere(days: Path) -> None:
    async with opened(days) as pilot:
        await press(pilot, "escape", "j", "g", *"when?")
        assert line(pilot) == "not a date"
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


async def test_where_nothing_has_a_time_g_is_the_first_row(days: Path) -> None:
    async with opened(days) as pilot:
        await press(pilot, "escape", "5", "end", "g")
        assert not front(pilot).query(PromptLine)
        rows = front(pilot).list_to_narrow
        assert rows is not None and rows.cursor == 0
