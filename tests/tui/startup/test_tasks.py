"""Every screen and dialog opens, whether tasks start at once (CPython from 3.12 on) or in the loop's next
round (3.11)."""

from pathlib import Path

import pytest
from textual.screen import Screen

from memtui.store import Store
from memtui.store.config import BrowserSettings
from memtui.tui.going import MODES
from memtui.tui.help.page import owners
from memtui.tui.leaves.picker.screen import PickerScreen
from memtui.tui.parts.dialog import Dialog
from tests.tui import tasks
from tests.tui.browser import app, opened
from tests.tui.composer.contexts import fill_context, give
from tests.tui.patience import idle, press
from tests.tui.picker.pickers import picker
from tests.tui.team.teamed import join

WAYS: dict[str, tuple[str, ...]] = {
    "SearchScreen": (),
    "WhyScreen": ("slash", *"lesson", "escape", "w"),
    "SaveSearchScreen": ("slash", *"lesson", "ctrl+s"),
    "MemoryScreen": ("2", "enter"),
    "JumpScreen": ("ctrl+o",),
    "HelpScreen": ("question_mark",),
    "PaletteScreen": ("ctrl+p",),
    "FormScreen": ("e",),
    "VersionsScreen": ("h",),
    "QuestionScreen": ("H", "r"),
    "PickScreen": ("Y",),
    "AskScreen": ("T",),
    "ExportScreen": ("X",),
    "ConfirmScreen": ("d", "D", "F"),
    "ChangesScreen": ("H",),
    "ReviewScreen": ("I",),
    "TimelineScreen": ("2",),
    "SessionsScreen": ("3",),
    "SessionScreen": ("3", "enter"),
    "FactsScreen": ("4",),
    "FactScreen": ("4", "enter"),
    "SupersedeScreen": ("4", "S"),
    "NoteScreen": ("4", "right", "enter"),
    "CaptureScreen": ("5",),
    "MachinesScreen": ("5", "s"),
    "ComposerScreen": ("6",),
    "ChooseScreen": ("6", "n"),
    "ContextLogScreen": ("6", "l"),
    "ThenAndNowScreen": ("6", "l", "c"),
    "StatisticsScreen": ("7",),
    "FilesScreen": ("8",),
    "DoctorScreen": ("ctrl+p", *"doctor", "enter"),
    "MergeScreen": ("space", "space", "m"),
    "ResultForm": ("down", "space", "space", "m", "e"),
}
"""The keys that lead to each screen from the results of a new browser."""


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    """A memory with something for every screen to show."""
    path = tmp_path / "memory.db"
    fill_context(path)
    give(path)
    with Store.open(path) as store:
        store.edit("8", {"title": "Another title"})
        join(store)
    return path


@pytest.fixture(params=["at once", "in the next round"], autouse=True)
def starting(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    tasks.use(monkeypatch, tasks.EAGER if request.param == "at once" else None)


@pytest.mark.parametrize("name", WAYS)
@pytest.mark.sampled
async def test_each_screen_opens(name: str, memory: Path) -> None:
    async with opened(memory) as pilot:
        browser = app(pilot)
        # Some keys are only there in a team.
        browser.ingest()
        await idle(pilot)
        for key in ("escape", "down", *WAYS[name]):
            await pilot.press(key)
            await pilot.pause()
            # A worker waits for the answer to some dialogs.
            if not isinstance(browser.screen, Dialog):
                await idle(pilot)
        assert type(browser.screen).__name__ == name
        while isinstance(browser.screen, Dialog):
            await press(pilot, "escape")


async def test_the_browser_starts_on_any_of_its_first_screens(memory: Path) -> None:
    for mode in MODES:
        settings = BrowserSettings(start_screen=mode), ()
        async with opened(memory, settings=settings) as pilot:
            assert app(pilot).current_mode == mode


async def test_the_picker_opens(memory: Path) -> None:
    async with picker(memory) as pilot:
        assert isinstance(pilot.app.screen, PickerScreen)


@pytest.mark.extra("web")
def test_no_screen_is_left_out() -> None:
    # What other screens are made of isn't shown itself.
    shown = {one.__name__ for one in owners() if issubclass(one, Screen) and not one.__subclasses__()}
    assert len(shown) > 20
    left_out = shown - {*WAYS, "PickerScreen"}
    assert not left_out
