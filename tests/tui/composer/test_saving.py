"""What is chosen in the composer is kept when that is asked for, and lost without a word never."""

from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.context.scope import Profile, profile_of, save_profile
from memtui.tui.lists.picker import ChooseScreen
from memtui.tui.parts.frame import KeysFooter
from tests.tui.browser import app, opened, text
from tests.tui.composer.contexts import fill_context, heading, rows, to_composer, toasts, told
from tests.tui.patience import idle, press

LOW = (80, 24)


@pytest.fixture(autouse=True)
def elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """In a folder that no project lies in."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def atlas(empty: Path) -> Path:
    fill_context(empty)
    return empty


def kept(path: Path) -> Profile:
    with Store.open(path, read_only=True) as store:
        return profile_of(store.db, "atlas")


async def test_s_saves_the_profile_and_only_when_there_is_something_to_save(atlas: Path) -> None:
    async with opened(atlas) as pilot:
        screen = await to_composer(pilot)
        assert "s Save" not in text(screen.query_one(KeysFooter))
        await press(pilot, "b", "j", "j", "j", "j", "space", "k", "K", "minus")
        assert "s Save" in text(screen.query_one(KeysFooter))
        assert kept(atlas).left_out == frozenset()
        await press(pilot, "s")
        assert "Saved: the sessions of atlas start with this." in toasts(pilot)
        assert heading(screen).startswith("context of atlas profile saved")
        profile = kept(atlas)
        assert (profile.budget, profile.first) == (1_400, ("f1",))
        assert (profile.left_out, profile.brief) == (frozenset({"s1"}), frozenset({"3"}))


async def test_r_forgets_the_profile_when_pressed_twice_and_u_brings_it_back(atlas: Path) -> None:
    async with opened(atlas, size=LOW) as pilot:
        screen = await to_composer(pilot)
        await press(pilot, "r", "r")
        assert "Forget" not in text(screen.question)
        await press(pilot, "space", "s", "r")
        assert "Forget the profile of atlas?" in text(screen.question)
        await press(pilot, "escape")
        assert not screen.question.display and app(pilot).current_mode == "composer"
        await press(pilot, "r", "j", "r")
        assert kept(atlas).left_out == {"3"}
        await press(pilot, "r")
        assert kept(atlas).left_out == frozenset()
        assert heading(screen) == "context of atlas default"
        assert "get the default context again" in toasts(pilot)
        await press(pilot, "u")
        assert "Lesson 3" not in told(screen) and "not saved" in heading(screen)


async def test_what_is_not_saved_waits_while_another_project_is_looked_at(atlas: Path) -> None:
    async with opened(atlas) as pilot:
        screen = await to_composer(pilot)
        await press(pilot, "space", "n")
        assert isinstance(pilot.app.screen, ChooseScreen)
        await press(pilot, *"orb", "enter")
        assert heading(screen) == "context of orbit default"
        assert "Another tale" in told(screen) and "▌[✓]" in rows(pilot)[1]
        await press(pilot, "n", *"atl", "enter")
        assert heading(screen) == "context of atlas not saved · s saves"
        assert "Lesson 3" not in told(screen)


async def test_q_says_what_is_not_saved_before_it_leaves(atlas: Path) -> None:
    async with opened(atlas) as pilot:
        await to_composer(pilot)
        await press(pilot, "space", "1", "down", "q")
        assert "The context of atlas is not saved" in toasts(pilot)
        assert app(pilot).is_running
        await pilot.press("q")
    assert app(pilot).return_code == 0 and kept(atlas).left_out == frozenset()


async def test_q_leaves_at_once_where_all_is_saved(atlas: Path) -> None:
    async with opened(atlas) as pilot:
        await to_composer(pilot)
        await press(pilot, "space", "s", "q")
    assert app(pilot).return_code == 0 and kept(atlas).left_out == {"3"}


async def test_a_profile_that_another_saves_shows_but_not_over_what_is_not_saved(atlas: Path) -> None:
    async with opened(atlas) as pilot:
        screen = await to_composer(pilot)
        with Store.open(atlas) as store:
            save_profile(store, "atlas", Profile(700))
        app(pilot).look()
        await idle(pilot)
        assert "of 700 tokens" in text(screen.meter)
        await press(pilot, "minus")
        with Store.open(atlas) as store:
            save_profile(store, "atlas", Profile(900))
        app(pilot).look()
        await idle(pilot)
        assert "of 600 tokens" in text(screen.meter) and "not saved" in heading(screen)


async def test_a_saved_choice_is_undone_and_redone_where_it_shows(atlas: Path) -> None:
    async with opened(atlas) as pilot:
        await to_composer(pilot)
        await press(pilot, "space", "s")
        assert kept(atlas).left_out == {"3"}
        await press(pilot, "1", "u")
        assert kept(atlas).left_out == frozenset()
        await press(pilot, "ctrl+r")
        assert kept(atlas).left_out == {"3"}
        with Store.open(atlas) as store:
            assert store.changes()[0].what == "context of atlas chosen"


async def test_a_memory_to_be_read_only_is_looked_at_and_not_saved(atlas: Path) -> None:
    with Store.open(atlas) as store:
        save_profile(store, "atlas", Profile(900))
    async with opened(atlas, read_only=True) as pilot:
        screen = await to_composer(pilot)
        await press(pilot, "space")
        assert "Lesson 3" not in told(screen)
        assert heading(screen) == "context of atlas changed · u undoes"
        await press(pilot, "s", "r", "r")
        footer = text(screen.query_one(KeysFooter))
        assert "Save" not in footer and "Forget" not in footer
        await press(pilot, "q")
    assert app(pilot).return_code == 0
    assert (kept(atlas).budget, kept(atlas).left_out) == (900, frozenset())
