"""The help, made from the bindings."""

import inspect
from pathlib import Path
from typing import Any

import pytest
from textual.binding import Binding
from textual.dom import DOMNode
from textual.pilot import Pilot

from memtui.tui.help.page import modules
from memtui.tui.help.screen import HelpColumns
from memtui.tui.palette.screen import CommandList
from memtui.tui.parts.frame import KeysFooter
from tests.tui.browser import opened, press, text


def own_classes() -> list[type[DOMNode]]:
    """Every widget, screen and app of ours that has keys."""
    found = {
        value
        for module in modules()
        for value in vars(module).values()
        if inspect.isclass(value) and issubclass(value, DOMNode) and "BINDINGS" in vars(value)
    }
    return sorted((one for one in found if one.__module__.startswith("memtui.tui.")), key=str)


@pytest.mark.parametrize("owner", own_classes())
def test_every_key_can_be_remapped_and_says_what_it_is_for(owner: type[DOMNode]) -> None:
    for binding in vars(owner)["BINDINGS"]:
        assert isinstance(binding, Binding)
        assert binding.id and binding.description and binding.tooltip


def shown(pilot: Pilot[Any]) -> str:
    """What the help shows, each run of blanks as one."""
    return " ".join(text(columns(pilot)).split())


def columns(pilot: Pilot[Any]) -> HelpColumns:
    return pilot.app.screen.query_one(HelpColumns)


async def test_the_help_tells_the_keys_of_the_screen_and_what_can_be_typed(demo: Path) -> None:
    async with opened(demo, size=(120, 150)) as pilot:
        await press(pilot, "escape", "question_mark")
        for words in ("This memory", "Query line", "Go to", "since:7d", "◆ decision"):
            assert words in shown(pilot)
        for tooltip in ("Delete or restore; u undoes", "u Take the last change back"):
            assert tooltip in shown(pilot)


async def test_daily_keys_come_first_and_then_what_only_this_screen_has(demo: Path) -> None:
    async with opened(demo, size=(60, 150)) as pilot:
        await press(pilot, "escape", "5", "question_mark")
        lines = [line.strip() for line in text(columns(pilot)).splitlines()]
        assert lines[0] == "Every day"
        assert lines[lines.index("") + 1] == "Capture"
        assert lines.index("Go to") < lines.index("App")


async def test_a_key_that_does_and_takes_back_is_told_once(demo: Path) -> None:
    async with opened(demo, size=(120, 150)) as pilot:
        await press(pilot, "escape", "question_mark")
        assert shown(pilot).count("related hits out") == 1
        assert "q ^q Leave memtui" in shown(pilot)


@pytest.mark.parametrize(("width", "many"), [(60, 1), (80, 1), (120, 2), (160, 3)])
@pytest.mark.sampled
async def test_it_stands_in_as_many_columns_as_there_is_room_for(demo: Path, width: int, many: int) -> None:
    async with opened(demo, size=(width, 40)) as pilot:
        await press(pilot, "escape", "question_mark")
        titles = ("Every day", "Search", "Query line", "Facets")
        first = text(columns(pilot)).splitlines()[0]
        assert first.strip().startswith("Every day")
        assert sum(title in first for title in titles) == many


async def test_what_is_typed_narrows_it_at_once(demo: Path) -> None:
    async with opened(demo) as pilot:
        await press(pilot, "escape", "question_mark", "slash", *"clipb")
        assert shown(pilot).startswith("This memory y Copy its text to the clipboard")
        assert "Pin" not in shown(pilot) and "Go to" not in shown(pilot)
        await press(pilot, "backspace", *"xyz")
        assert shown(pilot).startswith("No key here does that.")


async def test_a_single_result_has_the_whole_width(demo: Path) -> None:
    async with opened(demo, size=(120, 40)) as pilot:
        await press(pilot, "escape", "question_mark", *"commands")
        lines = text(columns(pilot)).splitlines()
        assert len([line for line in lines if line.strip()]) == 2


async def test_a_key_that_does_one_thing_and_its_contrary_is_told_once(demo: Path) -> None:
    async with opened(demo, size=(160, 60)) as pilot:
        await press(pilot, "escape", "5", "question_mark", *"hooks store")
        told = "P Pause capture: hooks store nothing until it is resumed; resume capture: hooks store again"
        assert told in shown(pilot) and shown(pilot).count(" P ") == 1


async def test_a_key_is_found_by_itself(demo: Path) -> None:
    async with opened(demo) as pilot:
        await press(pilot, "escape", "question_mark", "ctrl+u", *"space")
        assert "space Mark or unmark" in shown(pilot)


async def test_it_scrolls_where_it_is_longer_than_the_screen(demo: Path) -> None:
    async with opened(demo, size=(80, 24)) as pilot:
        await press(pilot, "escape", "question_mark")
        before = shown(pilot)
        await press(pilot, "pagedown", "down")
        assert shown(pilot) != before
        await press(pilot, "pageup", "up")
        assert shown(pilot) == before


@pytest.mark.parametrize("key", ["escape", "f1", "question_mark"])
@pytest.mark.sampled
async def test_the_help_closes_to_where_it_was_opened(demo: Path, key: str) -> None:
    async with opened(demo) as pilot:
        await press(pilot, "escape", "j")
        before = pilot.app.screen, pilot.app.focused
        await press(pilot, "question_mark", key)
        assert (pilot.app.screen, pilot.app.focused) == before


async def test_in_the_query_line_the_footer_names_the_key_that_works_there(demo: Path) -> None:
    async with opened(demo) as pilot:
        assert "f1 Help" in text(pilot.app.screen.query_one(KeysFooter))
        await press(pilot, "question_mark")
        assert text(pilot.app.screen.query_one("#query")).startswith("?")
        await press(pilot, "f1")
        assert "This memory" in shown(pilot)


async def test_a_key_that_was_changed_is_told_as_it_is_now(
    demo: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "config.toml"
    file.write_text('[keys]\n"entry.copy" = "Q"\n')
    monkeypatch.setenv("MEMTUI_CONFIG", str(file))
    async with opened(demo) as pilot:
        await press(pilot, "escape", "question_mark", *"clipboard")
        assert shown(pilot).startswith("This memory Q Copy its text to the clipboard")
        await press(pilot, "escape", "ctrl+p", *"clipboard")
        line = text(pilot.app.screen.query_one(CommandList)).splitlines()[0]
        assert line.split()[-1] == "Q"
