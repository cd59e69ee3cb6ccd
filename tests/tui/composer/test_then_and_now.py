"""What a session was given at its start beside what it would be given now: c in the log."""

import json
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from memtui.store import Store
from memtui.store.context.block import compose
from memtui.tui.composer.log import ThenAndNowScreen
from memtui.tui.parts.frame import KeysFooter
from tests.tui.browser import NOW, browser, opened, press, text
from tests.tui.composer.contexts import HOUR, fill_context
from tests.tui.pictures import Compare, low_and_middle


@pytest.fixture(autouse=True)
def elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("memtui.store.context.wrapper.mem_command", lambda: "mem")


@pytest.fixture
def atlas(empty: Path) -> Path:
    """Two hours ago a session of atlas was given its context; since then some of it has changed."""
    fill_context(empty)
    with Store.open(empty) as store:
        given = compose(store.db, "atlas")
        rows = ((NOW - 2 * HOUR, "startup"), (NOW - HOUR, "prompt"))
        for at, occasion in rows:
            store.db.execute(
                "INSERT INTO given_contexts (at, agent, session, project, tokens, refs, occasion) "
                "VALUES (?, 'claude-code', 'c-atlas', 'atlas', ?, ?, ?)",
                (at, given.tokens, json.dumps(given.refs), occasion),
            )
        store.edit("8", {"title": "Lesson eight"})
        store.observations.delete(7)
        store.observations.add(
            None, title="Lesson 9", narrative="Learned since.", project="atlas", at=NOW - HOUR
        )
    return empty


async def to_comparison(pilot: Pilot[Any]) -> ThenAndNowScreen:
    await press(pilot, "down", "6", "l", "down", "c")
    assert isinstance(pilot.app.screen, ThenAndNowScreen)
    return pilot.app.screen


async def test_c_shows_what_went_what_came_and_what_says_something_else(atlas: Path) -> None:
    async with opened(atlas, size=(160, 60)) as pilot:
        screen = await to_comparison(pilot)
        shown = text(screen.view)
        assert "given to Mend the clock drift" in text(screen.heading)
        lines = [" ".join(line.split()) for line in shown.split("\n")]
        assert any(line.startswith("- - 7 ") for line in lines), shown
        assert any(line.startswith("+ - ") and "Lesson 9" in line for line in lines), shown
        assert any(line.startswith("~ - 8 ") and "eight" in line for line in lines), shown
        await press(pilot, "escape")
        assert not isinstance(pilot.app.screen, ThenAndNowScreen)


async def test_what_was_told_at_a_prompt_has_no_comparison(atlas: Path) -> None:
    async with opened(atlas, size=(160, 40)) as pilot:
        await press(pilot, "down", "6", "l")
        assert "Then and now" not in text(pilot.app.screen.query_one(KeysFooter))
        await press(pilot, "c")
        assert not isinstance(pilot.app.screen, ThenAndNowScreen)
        await press(pilot, "down")
        assert "Then and now" in text(pilot.app.screen.query_one(KeysFooter))


async def test_nothing_is_left_of_the_copy(atlas: Path, tmp_path: Path) -> None:
    async with opened(atlas) as pilot:
        await to_comparison(pilot)
        assert not list(tmp_path.glob("memtui-past-*"))


@low_and_middle
def test_how_it_looks(snap_compare: Compare, atlas: Path, size: tuple[int, int]) -> None:
    async def before(pilot: Any) -> None:
        await to_comparison(pilot)

    assert snap_compare(browser(atlas), terminal_size=size, run_before=before)
