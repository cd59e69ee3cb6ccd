"""Choosing by a few letters: it says so where nothing matches, and closes once, however quickly."""

from pathlib import Path

from memtui.tui.lists.picker import EVERYTHING, Choice, ChooseScreen, Pick, PickScreen
from memtui.tui.parts.line_input import LineInput
from memtui.tui.search.screen import SearchScreen
from tests.promises import promise
from tests.tui.browser import opened, text
from tests.tui.patience import idle, press


def dialog_of_projects() -> ChooseScreen:
    named = [EVERYTHING, Choice(project="atlas")]
    return ChooseScreen(EVERYTHING, lambda _: named, "a project")


@promise("any-text-is-safe")
async def test_enter_and_escape_at_once_close_only_the_dialog(empty: Path) -> None:
    async with opened(empty) as pilot:
        dialog = dialog_of_projects()
        await pilot.app.push_screen(dialog)
        await idle(pilot)
        dialog.dismiss(EVERYTHING)
        dialog.dismiss(None)
        await idle(pilot)
        assert isinstance(pilot.app.screen, SearchScreen)
        assert pilot.app.is_running


async def test_letters_that_nothing_has_say_so_and_enter_chooses_nothing(empty: Path) -> None:
    async with opened(empty) as pilot:
        dialog = dialog_of_projects()
        await pilot.app.push_screen(dialog)
        await press(pilot, *"atlas", "enter")
        assert isinstance(pilot.app.screen, SearchScreen)
        dialog = dialog_of_projects()
        await pilot.app.push_screen(dialog)
        await press(pilot, *"zzz")
        assert text(dialog.nothing).strip() == "Nothing matches" and not dialog.choices.display
        height = dialog.nothing.size.height
        await press(pilot, "enter")
        assert isinstance(pilot.app.screen, ChooseScreen)
        await press(pilot, "backspace", "backspace", "backspace")
        assert dialog.choices.display and dialog.choices.size.height == height
        assert not dialog.nothing.display


async def test_what_is_picked_is_told_of_and_only_picked_where_it_can_be(empty: Path) -> None:
    picks = [Pick("one", 1, told="Opens one."), Pick("two", 2, trouble="Two is gone.")]
    async with opened(empty) as pilot:
        given: list[Pick[int] | None] = []
        dialog = PickScreen("open", picks, "opens")
        await pilot.app.push_screen(dialog, given.append)
        await press(pilot, *"two", "enter")
        assert text(dialog.told).strip() == "Two is gone." and given == []
        await press(pilot, *"zzz", "enter")
        assert text(dialog.nothing).strip() == "Nothing matches" and not dialog.picks.display
        assert not text(dialog.told).strip() and given == []
        await press(pilot, *["backspace"] * 6)
        assert text(dialog.told).strip() == "Opens one."
        await press(pilot, "pagedown", "pageup", "enter")
        assert given == picks[:1]


async def test_alt_and_a_letter_types_nothing_in_a_dialog(empty: Path) -> None:
    async with opened(empty) as pilot:
        dialog = dialog_of_projects()
        await pilot.app.push_screen(dialog)
        await press(pilot, "alt+q", "a")
        assert dialog.query_one(LineInput).value == "a"
