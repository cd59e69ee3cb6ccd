"""Files and addresses of a memory, opened from wherever it is shown."""

import webbrowser
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from memtui.store import Store
from memtui.tui.lists.picker import PickScreen
from memtui.tui.search.screen import SearchScreen
from tests.programs import FakeProgram, program
from tests.tui.browser import app, ask, opened, text
from tests.tui.editing.editors import toasts
from tests.tui.patience import press


def picks(pilot: Pilot[Any]) -> list[str]:
    """What can be picked, a line each."""
    assert isinstance(pilot.app.screen, PickScreen)
    return [" ".join(line[1:].split()) for line in text(pilot.app.screen.picks).splitlines() if line]


def told(pilot: Pilot[Any]) -> str:
    """What is said of the one under the cursor."""
    return " ".join(text(pilot.app.screen.query_one("#told")).split())


async def test_o_opens_the_only_file_at_its_line_in_the_projects_root(
    work: Path, atlas: Path, editor: FakeProgram
) -> None:
    async with opened(work) as pilot:
        await ask(pilot, "type:bugfix")
        await press(pilot, "escape", "O")
    assert editor.words == ["-R", "+4", str(atlas / "auth.py")]
    assert editor.calls[0]["directory"] == str(atlas)


async def test_of_several_files_and_addresses_one_is_picked_by_its_letters(
    work: Path, atlas: Path, editor: FakeProgram
) -> None:
    async with opened(work) as pilot:
        await ask(pilot, "type:change")
        await press(pilot, "escape", "O")
        assert picks(pilot) == [
            "○ auth.py",
            "○ gone.py not here",
            "○ /dev/null no file",
            "↗ https://docs.example/tokens docs.example",
        ]
        assert told(pilot) == f"Opens {atlas}/auth.py."
        await press(pilot, *"gone")
        assert picks(pilot) == ["○ gone.py not here"]
        assert told(pilot) == f"It isn't in {atlas}."
        await press(pilot, "enter")
        assert toasts(pilot)[-1] == f"It isn't in {atlas}."
        await press(pilot, *["backspace"] * 4, "enter")
        assert isinstance(pilot.app.screen, SearchScreen)
    assert editor.words == ["-R", str(atlas / "auth.py")]


async def test_what_names_nothing_says_so(work: Path, editor: FakeProgram) -> None:
    async with opened(work) as pilot:
        await ask(pilot, "kind:fact")
        await press(pilot, "escape", "O")
        assert toasts(pilot)[-1] == "It names no file and no address."
    assert editor.calls == []


async def test_an_editor_opens_a_file_of_a_session_and_f_what_names_it(
    work: Path, atlas: Path, editor: FakeProgram
) -> None:
    async with opened(work) as pilot:
        await press(pilot, "escape", "3", "enter", "left", "O")
        assert editor.words == ["-R", "+4", str(atlas / "auth.py")]
        await press(pilot, "f")
        assert isinstance(pilot.app.screen, SearchScreen)
        assert pilot.app.screen.bar.input.value == "file:auth.py"


async def test_without_an_editor_says_what_to_set(
    work: Path, editor: FakeProgram, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDITOR", "/no/such/editor")
    async with opened(work) as pilot:
        await ask(pilot, "type:bugfix")
        await press(pilot, "escape", "O")
        assert "can't be started" in toasts(pilot)[-1]
    assert editor.calls == []


async def test_a_memory_that_is_only_read_opens_files_too(
    work: Path, atlas: Path, editor: FakeProgram
) -> None:
    async with opened(work, read_only=True) as pilot:
        await ask(pilot, "type:bugfix")
        await press(pilot, "escape", "O")
    assert editor.words[-1] == str(atlas / "auth.py")


async def test_an_address_opens_in_a_web_browser_of_the_terminal(
    work: Path, tmp_path: Path, editor: FakeProgram, monkeypatch: pytest.MonkeyPatch
) -> None:
    lynx = program(tmp_path / "bin", "lynx")
    monkeypatch.setattr(webbrowser, "get", lambda: webbrowser.GenericBrowser(str(lynx.path)))
    async with opened(work) as pilot:
        await ask(pilot, "type:change")
        await press(pilot, "escape", "O", *"docs", "enter")
    assert lynx.words == ["https://docs.example/tokens"]
    assert editor.calls == []


async def test_where_there_is_no_web_browser_the_address_is_copied(
    work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none() -> webbrowser.BaseBrowser:
        raise webbrowser.Error

    monkeypatch.setattr(webbrowser, "get", none)
    async with opened(work) as pilot:
        await ask(pilot, "type:change")
        await press(pilot, "escape", "O", *"docs", "enter")
        assert app(pilot).clipboard == "https://docs.example/tokens"
        assert "no web browser" in toasts(pilot)[-1]


async def test_an_address_that_hides_something_is_shown_and_not_opened(
    work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webbrowser, "get", lambda: pytest.fail("It was to be opened."))
    with Store.open(work) as store:
        store.observations.add(
            None, title="Odd", type="odd", narrative="https://good.example/\u202egpj.exe javascript:x"
        )
    async with opened(work) as pilot:
        await ask(pilot, "type:odd")
        await press(pilot, "escape", "O")
        assert toasts(pilot)[-1].endswith("It holds characters that can't be seen.")
        assert "\u202e" not in toasts(pilot)[-1]
