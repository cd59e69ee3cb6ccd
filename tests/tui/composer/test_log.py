"""The log of contexts: which session was given which memories."""

from pathlib import Path
from typing import Any, cast

import pytest
from textual.pilot import Pilot

from memtui.tui.composer.log import ContextLogScreen
from memtui.tui.composer.screen import ComposerScreen
from memtui.tui.parts.line_input import PromptLine
from tests.tui.browser import app, opened, text
from tests.tui.composer.contexts import fill_context, give
from tests.tui.patience import press


@pytest.fixture(autouse=True)
def elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def atlas(empty: Path) -> Path:
    fill_context(empty)
    return empty


async def to_log(pilot: Pilot[Any]) -> ContextLogScreen:
    await press(pilot, "down", "6", "l")
    return cast(ContextLogScreen, pilot.app.screen)


def rows(screen: ContextLogScreen) -> list[str]:
    """The rows of the list below its heads, their words one space apart."""
    shown = [" ".join(line.split()) for line in text(screen.sessions).split("\n") if line]
    return [line for line in shown if not line.startswith("Agent Session")]


async def test_each_session_of_the_project_is_a_row_the_newest_first(atlas: Path) -> None:
    give(atlas)
    async with opened(atlas, size=(160, 40)) as pilot:
        screen = await to_log(pilot)
        assert rows(screen) == [
            "▌claude-code Mend the clock drift 5 memories 640 tok 2h",
            "codex c-hidden 2 memories 212 tok 3h",
        ]
        assert "given to sessions of atlas" in text(screen.heading)
        assert "2 sessions" in text(screen.heading)


async def test_f_shows_the_sessions_of_all_projects_and_back(atlas: Path) -> None:
    give(atlas)
    async with opened(atlas, size=(160, 40)) as pilot:
        screen = await to_log(pilot)
        await press(pilot, "f")
        assert rows(screen)[0] == "▌gemini c-orbit orbit 1 memory 80 tok 1h"
        assert len(rows(screen)) == 3 and "all projects" in text(screen.heading)
        await press(pilot, "f")
        assert len(rows(screen)) == 2


async def test_beside_it_stand_the_memories_that_it_was_given(atlas: Path) -> None:
    give(atlas)
    async with opened(atlas, size=(160, 40)) as pilot:
        screen = await to_log(pilot)
        shown = [" ".join(line.split()) for line in text(screen.view).split("\n")]
        assert shown[0] == "Mend the clock drift"
        for line in (
            "3 ○ Lesson 3",
            "s1 ∑ Login fails → Added a leeway",
            "f1 ◇ Times are UTC",
            "n1 ▪ MEMORY.md",
        ):
            assert line in shown
        assert "In all 640 tokens, 5 memories" in shown


async def test_words_narrow_the_sessions_until_esc(atlas: Path) -> None:
    give(atlas)
    async with opened(atlas, size=(160, 40)) as pilot:
        screen = await to_log(pilot)
        await press(pilot, "slash", *("space" if one == " " else one for one in "CLOCK claude"))
        assert [row.strip("▌").split()[0] for row in rows(screen)] == ["claude-code"]
        assert screen.query_one(PromptLine).told == "1 of 2"
        await press(pilot, "escape")
        assert len(rows(screen)) == 2 and screen.sessions.has_focus


async def test_a_date_is_gone_to(atlas: Path) -> None:
    give(atlas)
    async with opened(atlas, size=(160, 40)) as pilot:
        screen = await to_log(pilot)
        for typed, agent in (("3h", "codex"), ("g", "claude-code"), ("1h", "claude-code")):
            await press(pilot, "g", *typed, *(["enter"] if typed != "g" else []))
            assert screen.sessions.item is not None
            assert screen.sessions.item.given.agent == agent


async def test_what_is_hidden_or_deleted_since_is_not_told(atlas: Path) -> None:
    give(atlas)
    async with opened(atlas, size=(160, 40)) as pilot:
        screen = await to_log(pilot)
        await press(pilot, "j")
        assert "hidden or deleted since" in text(screen.view)
        shown = text(screen.view) + text(screen.sessions)
        assert "canary" not in shown and "business" not in shown


@pytest.mark.parametrize("size", [(80, 24), (60, 20)], ids=["80x24", "60x20"])
async def test_enter_opens_one_where_there_is_no_room_beside(atlas: Path, size: tuple[int, int]) -> None:
    give(atlas)
    async with opened(atlas, size=size) as pilot:
        screen = await to_log(pilot)
        assert not screen.view.display and "Mend the clock" in rows(screen)[0]
        await press(pilot, "enter")
        assert screen.view.has_focus and "Times are UTC" in text(screen.view)
        await press(pilot, "escape")
        assert screen.sessions.has_focus and not screen.view.display
        await press(pilot, "escape")
        assert isinstance(app(pilot).screen, ComposerScreen)


async def test_where_nothing_was_given_it_says_when_something_will_be(atlas: Path) -> None:
    async with opened(atlas) as pilot:
        screen = await to_log(pilot)
        assert "No session of atlas was given anything yet." in text(screen.nothing)
        await press(pilot, "f")
        assert "No session was given anything yet." in text(screen.nothing)
        await press(pilot, "enter", "escape")
        assert isinstance(app(pilot).screen, ComposerScreen)
