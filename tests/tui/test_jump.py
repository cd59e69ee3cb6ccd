"""A letter on every pane and field leads there."""

from pathlib import Path

from textual.widgets import Static

from memtui.tui.parts.dialog import JumpScreen
from tests.tui.browser import opened, search
from tests.tui.patience import press


async def test_each_pane_has_a_letter_that_leads_there(demo: Path) -> None:
    async with opened(demo) as pilot:
        await press(pilot, "escape", "ctrl+o")
        letters = [str(one.content) for one in pilot.app.screen.query(Static)]
        assert letters == [" a ", " s ", " d ", " f ", " g "]
        await press(pilot, "f")
        assert search(pilot).reading.detail.has_focus
        await press(pilot, "ctrl+o", "a")
        assert search(pilot).bar.input.has_focus


async def test_any_other_key_stays(demo: Path) -> None:
    async with opened(demo) as pilot:
        for key in ("escape", "x", "ctrl+o"):
            await press(pilot, "ctrl+o")
            assert isinstance(pilot.app.screen, JumpScreen)
            await press(pilot, key)
            assert search(pilot).bar.input.has_focus


async def test_it_leads_to_the_fields_of_a_dialog(demo: Path) -> None:
    async with opened(demo) as pilot:
        await press(pilot, "escape", "e")
        form = pilot.app.screen
        await press(pilot, "ctrl+o", "d")
        assert pilot.app.screen is form
        assert form.focused is form.focus_chain[2]
