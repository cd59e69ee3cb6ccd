"""Queries come back with the arrows, and are saved under names that the palette lists."""

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, Static

from memtui.store import Store
from memtui.tui.palette.screen import Command, CommandList
from memtui.tui.parts.frame import KeysFooter
from memtui.tui.parts.save_search import SaveSearchScreen, suggested
from tests.tui.browser import app, ask, opened, press, search, text, titles
from tests.tui.patience import idle


def typed(pilot: Pilot[Any]) -> str:
    """What is in the query line."""
    return search(pilot).bar.input.value


def shown_keys(pilot: Pilot[Any]) -> str:
    """What the footer says."""
    return text(search(pilot).query_one(KeysFooter))


def dialog(pilot: Pilot[Any]) -> SaveSearchScreen:
    """The dialog that asks for a name, which is in front."""
    screen = pilot.app.screen
    assert isinstance(screen, SaveSearchScreen)
    return screen


async def used(pilot: Pilot[Any], *queries: str) -> None:
    """Ask each query and go to its results; in the end the query line is empty."""
    for query in queries:
        await press(pilot, "slash")
        await ask(pilot, query)
        await press(pilot, "enter")
    await press(pilot, "slash", "ctrl+u")


def commands(pilot: Pilot[Any]) -> list[str]:
    """What the palette lists, each with what it says of itself."""
    rows = pilot.app.screen.query_one(CommandList).rows
    listed = [row for row in rows if isinstance(row, Command) and row.line is None]
    return [f"{row.name}\n{row.sentence}" for row in listed]


async def test_up_walks_back_through_the_queries_and_down_to_what_was_typed(demo: Path) -> None:
    async with opened(demo) as pilot:
        await used(pilot, "redis", "token refresh", "缓存")
        await press(pilot, *"lee")
        walked = []
        for key in ("up", "up", "up", "up", "down", "down", "down"):
            await press(pilot, key)
            walked.append(typed(pilot))
        assert walked == ["缓存", "token refresh", "redis", "redis", "token refresh", "缓存", "lee"]
        assert search(pilot).bar.input.has_focus
        await press(pilot, "down")
        assert search(pilot).results.list.has_focus


async def test_each_step_of_the_walk_shows_its_results(demo: Path) -> None:
    async with opened(demo) as pilot:
        await used(pilot, "clock drifted leeway")
        await press(pilot, "up")
        assert titles(pilot)[0] == "Refresh token expired because the clock drifted"


async def test_a_query_that_was_brought_back_and_changed_is_what_was_typed(demo: Path) -> None:
    async with opened(demo) as pilot:
        await used(pilot, "redis", "token")
        await press(pilot, "up", *"s", "up")
        assert typed(pilot) == "token"
        await press(pilot, "down")
        assert typed(pilot) == "tokens"


async def test_enter_leaves_the_walk_for_the_results(demo: Path) -> None:
    async with opened(demo) as pilot:
        await used(pilot, "redis", "token")
        await press(pilot, "up", "up", "enter")
        assert search(pilot).results.list.has_focus
        await press(pilot, "slash", "ctrl+u", "up")
        assert typed(pilot) == "redis"


async def test_the_query_in_the_line_is_not_offered_again(demo: Path) -> None:
    async with opened(demo) as pilot:
        await used(pilot, "redis", "token")
        await ask(pilot, "token ")
        await press(pilot, "up")
        assert typed(pilot) == "redis"


async def test_a_query_is_remembered_when_it_is_left_not_as_it_is_typed(demo: Path) -> None:
    async with opened(demo) as pilot:
        await press(pilot, *"token", "escape", "slash", *" nosuchword", "down")
        await press(pilot, "escape", "ctrl+u", "down")
    with Store.open(demo) as store:
        assert store.searches.recent() == ["token nosuchword", "token"]


async def test_the_history_is_there_the_next_time(demo: Path) -> None:
    async with opened(demo) as pilot:
        assert "Earlier" not in shown_keys(pilot)
        await used(pilot, "redis", "token")
    async with opened(demo) as pilot:
        assert "↑ Earlier" in shown_keys(pilot)
        await press(pilot, "up", "up")
        assert typed(pilot) == "redis"
        assert "↓ Later" in shown_keys(pilot)
        assert "Earlier" not in shown_keys(pilot)


async def test_a_memory_that_can_only_be_read_has_a_history_while_it_is_open(demo: Path) -> None:
    async with opened(demo, read_only=True) as pilot:
        await used(pilot, "redis", "token")
        await press(pilot, "up", "up")
        assert typed(pilot) == "redis"
        assert "Save" not in shown_keys(pilot)
        await press(pilot, "ctrl+s")
        assert typed(pilot) == "redis"
    with Store.open(demo) as store:
        assert store.searches.recent() == []


async def test_what_was_remembered_is_fit_for_the_screen(demo: Path) -> None:
    with Store.open(demo) as store:
        store.searches.remember("to\u202eken [red]x[/]")
    async with opened(demo) as pilot:
        await press(pilot, "up")
        assert typed(pilot) == "to⟨U+202E⟩ken [red]x[/]"


async def test_ctrl_s_saves_the_query_under_a_name(demo: Path) -> None:
    async with opened(demo) as pilot:
        await ask(pilot, "token refresh type:bugfix")
        await press(pilot, "ctrl+s")
        assert dialog(pilot).query_one(Input).value == "token refresh"
        await press(pilot, *"Bugs", "enter")
        assert typed(pilot) == "token refresh type:bugfix"
        assert search(pilot).bar.input.has_focus
        assert any("Saved as Bugs." in text(toast) for toast in pilot.app.screen.query("Toast"))
    with Store.open(demo) as store:
        [saved] = store.searches.saved()
        assert (saved.name, saved.query) == ("Bugs", "token refresh type:bugfix")


async def test_ctrl_s_works_in_the_results_too_and_escape_saves_nothing(demo: Path) -> None:
    async with opened(demo) as pilot:
        await ask(pilot, "token")
        await press(pilot, "down")
        assert "^s Save" in shown_keys(pilot)
        await press(pilot, "ctrl+s", "escape")
        assert search(pilot).results.list.has_focus
    with Store.open(demo) as store:
        assert store.searches.saved() == []


async def test_there_is_nothing_to_save_where_nothing_was_asked(demo: Path) -> None:
    async with opened(demo) as pilot:
        assert "Save" not in shown_keys(pilot)
        await press(pilot, "ctrl+s")
        assert search(pilot).bar.input.has_focus


async def test_a_name_is_needed(demo: Path) -> None:
    async with opened(demo) as pilot:
        await ask(pilot, "token")
        await press(pilot, "ctrl+s", "backspace", "space", "enter")
        assert dialog(pilot).is_current


async def test_the_dialog_says_at_once_that_the_name_it_offers_is_taken(demo: Path) -> None:
    async with opened(demo, size=(80, 24)) as pilot:
        await ask(pilot, "token")
        await press(pilot, "ctrl+s", "enter", "ctrl+s")
        assert "Replaces the search token: token" in text(dialog(pilot).effect)


@pytest.mark.parametrize("size", [(120, 36), (80, 24)])
async def test_the_dialog_says_what_a_name_would_replace(demo: Path, size: tuple[int, int]) -> None:
    with Store.open(demo) as store:
        store.searches.save("Bugs", "type:bugfix")
    async with opened(demo, size=size) as pilot:
        await ask(pilot, "token")
        await press(pilot, "ctrl+s", *"Bug")
        effect = dialog(pilot).query_one("#effect", Static)
        assert not effect.display
        assert dialog(pilot).box.border_subtitle == "⏎ saves · esc cancels"
        await press(pilot, "s")
        assert text(effect) == "Replaces the search Bugs: type:bugfix"
        assert dialog(pilot).box.content_region.contains_region(effect.region)
        assert dialog(pilot).box.border_subtitle == "⏎ replaces · esc cancels"
        await press(pilot, "enter")
    with Store.open(demo) as store:
        assert [saved.query for saved in store.searches.saved()] == ["token"]


def test_a_name_is_suggested_that_replaces_no_other_search(empty: Path) -> None:
    with Store.open(empty) as store:
        assert suggested('"clock drifted" since:30d', []) == "clock drifted"
        assert suggested("type:bugfix", []) == "type:bugfix"
        saved = [store.searches.save("token", "token since:7d")]
        assert suggested("token since:30d", saved) == "token since:30d"
        assert suggested("token since:7d", saved) == "token"
        assert len(suggested("word " * 200, saved)) < 100


async def test_the_palette_runs_a_saved_search(demo: Path) -> None:
    with Store.open(demo) as store:
        store.searches.save("Bugs [/x]", "token type:bugfix")
    async with opened(demo) as pilot:
        await press(pilot, "down", "3", "ctrl+p")
        assert "Saved: Bugs [/x]\ntoken type:bugfix" in commands(pilot)
        await press(pilot, *"bugs [", "enter")
        assert app(pilot).current_mode == "search"
        assert typed(pilot) == "token type:bugfix"
        assert titles(pilot)


async def test_the_palette_forgets_a_saved_search(demo: Path) -> None:
    with Store.open(demo) as store:
        store.searches.save("Bugs", "token type:bugfix")
        store.searches.save("Ours", "project:payments-api")
    async with opened(demo) as pilot:
        await press(pilot, "ctrl+p")
        assert not any(command.startswith("Forget search") for command in commands(pilot))
        await press(pilot, *"forget b")
        assert commands(pilot) == ["Forget search Bugs\ntoken type:bugfix"]
        await press(pilot, "enter")
        # The palette closes first, and forgets then; a toast has no text before it is laid out.
        for _ in range(50):
            if any(map(text, pilot.app.screen.query("Toast"))):
                break
            await idle(pilot)
        assert any("Forgotten: Bugs" in text(toast) for toast in pilot.app.screen.query("Toast"))
        with Store.open(demo) as store:
            assert [saved.name for saved in store.searches.saved()] == ["Ours"]
        await press(pilot, "down", "u")
        told = " ".join(text(toast) for toast in pilot.app.screen.query("Toast"))
        assert "Undone: search “Bugs” forgotten" in " ".join(told.split())
    with Store.open(demo) as store:
        assert [saved.name for saved in store.searches.saved()] == ["Bugs", "Ours"]


async def test_a_memory_that_can_only_be_read_offers_its_saved_searches(demo: Path) -> None:
    with Store.open(demo) as store:
        store.searches.save("Bugs", "token type:bugfix")
    async with opened(demo, read_only=True) as pilot:
        await press(pilot, "ctrl+p", *"bugs")
        assert "Saved: Bugs\ntoken type:bugfix" in commands(pilot)
        assert not any(command.startswith("Forget search") for command in commands(pilot))
