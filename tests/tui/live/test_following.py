"""Follow mode: the newest stays in view and selected as it arrives."""

from pathlib import Path
from typing import Any, cast

import pytest
from textual.pilot import Pilot

from memtui.store import Store
from memtui.tui.marks.changes import ConfirmScreen
from memtui.tui.sessions.screen import SessionsScreen
from memtui.tui.timeline.screen import TimelineScreen
from tests.tui.browser import NOW, app, ask, opened, search
from tests.tui.finding.test_narrowing import front
from tests.tui.marks.test_marks import wait_for
from tests.tui.patience import idle, press


def add(path: Path, number: int) -> None:
    """Have another process store a memory in a session of its own."""
    with Store.open(path) as store, store.transaction():
        fill(store, number)


def fill(store: Store, number: int) -> None:
    at = NOW + number
    session = store.sessions.start(f"s{number}", title=f"session {number}", project="p", at=at)
    store.observations.add(session=session, type="note", title=f"token {number}", project="p", at=at)


@pytest.fixture
def twenty(empty: Path) -> Path:
    with Store.open(empty) as store, store.transaction():
        for number in range(20):
            fill(store, number)
    return empty


async def arrive(pilot: Pilot[Any], path: Path, number: int) -> None:
    add(path, number)
    app(pilot).look()
    await idle(pilot)


def result(pilot: Pilot[Any]) -> str:
    item = search(pilot).results.list.item
    return item.hit.row.title if item else ""


@pytest.mark.parametrize("size", [(120, 40), (80, 24), (30, 8)])
async def test_the_newest_result_is_selected_as_it_arrives(twenty: Path, size: tuple[int, int]) -> None:
    async with opened(twenty, size=size) as pilot:
        await press(pilot, "escape")
        await arrive(pilot, twenty, 20)
        assert result(pilot) == "token 19"  # Nothing moves the selection unasked.
        await press(pilot, "F")
        assert result(pilot) == "token 20"
        assert "following" in search(pilot).results.list.title
        await arrive(pilot, twenty, 21)
        assert result(pilot) == "token 21"
        assert search(pilot).results.list.first_row == 0


async def test_moving_away_pauses_and_home_or_the_key_go_on(twenty: Path) -> None:
    async with opened(twenty) as pilot:
        await press(pilot, "escape", "F", "j", "j")
        rows = search(pilot).results.list
        assert "paused, F goes on" in rows.title
        await arrive(pilot, twenty, 20)
        assert result(pilot) == "token 17"
        await press(pilot, "home")
        assert "following" in rows.title
        await arrive(pilot, twenty, 21)
        assert result(pilot) == "token 21"
        await press(pilot, "j", "F")
        assert result(pilot) == "token 21"
        await press(pilot, "F")
        assert "follow" not in rows.title
        await arrive(pilot, twenty, 22)
        assert result(pilot) == "token 21"


async def test_hits_by_relevance_are_not_followed(twenty: Path) -> None:
    async with opened(twenty) as pilot:
        await press(pilot, "escape", "F")
        await ask(pilot, "token")
        assert "following" not in search(pilot).results.list.title
        await press(pilot, "escape", "F")
        assert "following" not in search(pilot).results.list.title


async def test_in_the_trash_the_key_still_forgets(twenty: Path) -> None:
    async with opened(twenty) as pilot:
        await press(pilot, "escape", "d", "D")
        await pilot.press("F")
        await wait_for(pilot, ConfirmScreen)
        await press(pilot, "escape")


async def test_the_newest_session_is_followed(twenty: Path) -> None:
    async with opened(twenty) as pilot:
        await press(pilot, "escape", "3", "F")
        await arrive(pilot, twenty, 20)
        sessions = cast(SessionsScreen, front(pilot)).sessions
        assert sessions.session is not None
        assert sessions.session.session.title == "session 20"
        await press(pilot, "j")
        assert "paused" in sessions.title
        await arrive(pilot, twenty, 21)
        assert sessions.session.session.title == "session 19"


async def test_the_timeline_is_followed_to_its_end(twenty: Path) -> None:
    async with opened(twenty) as pilot:
        await press(pilot, "escape", "j", "j", "2", "F")
        screen = cast(TimelineScreen, front(pilot))
        assert screen.row is not None and screen.row.title == "token 19"
        await arrive(pilot, twenty, 20)
        assert screen.row.title == "token 20"
        await press(pilot, "k")
        assert "paused" in screen.pane.title
        await arrive(pilot, twenty, 21)
        assert screen.row.title == "token 19"
        await press(pilot, "F")
        assert screen.row.title == "token 21"
