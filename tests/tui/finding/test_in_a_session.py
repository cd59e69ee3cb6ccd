"""Finding words in all that a session holds."""

from pathlib import Path
from typing import Any, cast

import pytest
from textual.pilot import Pilot

from memtui.store import Store
from memtui.tui.sessions.session import SessionScreen
from tests.tui.browser import NOW, opened
from tests.tui.finding.test_narrowing import front, line
from tests.tui.patience import press


@pytest.fixture
def session(empty: Path) -> Path:
    with Store.open(empty) as store, store.transaction():
        one = store.sessions.start("one", title="Cache", at=NOW)
        other = store.sessions.start("other", title="Other", at=NOW - 1_000_000)
        store.observations.add(session=other, type="note", title="needle elsewhere", at=NOW - 9)
        store.prompts.add(one, "why is the 缓存 cold?", at=NOW)
        store.prompts.add(one, "and the needle?", at=NOW + 1)
        for number in range(30):
            place = " with a Needle" if number in (5, 25) else ""
            store.observations.add(
                session=one, type="note", title=f"step {number}{place}", at=NOW + 2 + number
            )
    return empty


def selected(pilot: Pilot[Any]) -> str:
    row = cast(SessionScreen, front(pilot)).row
    return row.title if row is not None else ""


async def test_matches_are_gone_to_in_the_conversation(session: Path) -> None:
    async with opened(session) as pilot:
        await press(pilot, "escape", "3", "enter", "slash", *"needle")
        assert line(pilot) == "1 of 3 places"
        assert selected(pilot) == "and the needle?"
        await press(pilot, "enter", "n")
        assert selected(pilot) == "step 5 with a Needle"
        await press(pilot, "n")
        assert (selected(pilot), line(pilot)) == ("step 25 with a Needle", "3 of 3 places")
        await press(pilot, "n")
        assert selected(pilot) == "and the needle?"
        assert line(pilot) == "1 of 3 places · on from the top"
        await press(pilot, "N")
        assert selected(pilot) == "step 25 with a Needle"
        await press(pilot, "escape", "N")
        assert selected(pilot) == "and the needle?"  # It goes to the prompt before again.


async def test_escape_while_typing_selects_what_was_selected(session: Path) -> None:
    async with opened(session) as pilot:
        await press(pilot, "escape", "3", "enter", "slash", *"needle", "escape")
        assert selected(pilot) == "why is the 缓存 cold?"
        assert cast(SessionScreen, front(pilot)).tabs.current == 0


async def test_chinese_is_found_and_what_is_missing_is_said(session: Path) -> None:
    async with opened(session) as pilot:
        await press(pilot, "escape", "3", "enter", "slash", *"缓存")
        assert line(pilot) == "1 of 1 place"
        await press(pilot, *"不在")
        assert line(pilot) == "nothing found"
