"""The help, made from the bindings."""

from __future__ import annotations

import inspect
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest
from textual.binding import Binding
from textual.dom import DOMNode

import tui
from tests.tui.browser import opened, press, text
from tui.parts.footer import KeysFooter
from tui.parts.text_view import TextView


def own_classes() -> list[type[DOMNode]]:
    """Every widget, screen and app of ours that has keys."""
    names = [name for _, name, _ in walk_packages(tui.__path__, "tui.") if "__main__" not in name]
    found = {
        value
        for name in names
        for value in vars(import_module(name)).values()
        if inspect.isclass(value) and issubclass(value, DOMNode) and "BINDINGS" in vars(value)
    }
    return sorted((one for one in found if one.__module__.startswith("tui.")), key=str)


@pytest.mark.parametrize("owner", own_classes())
def test_every_key_can_be_remapped_and_says_what_it_is_for(owner: type[DOMNode]) -> None:
    for binding in vars(owner)["BINDINGS"]:
        assert isinstance(binding, Binding)
        assert binding.id and binding.description and binding.tooltip


async def test_the_help_tells_the_keys_of_the_screen_and_what_can_be_typed(demo: Path) -> None:
    async with opened(demo, size=(120, 120)) as pilot:
        await press(pilot, "down", "question_mark")
        shown = text(pilot.app.screen.query_one(TextView))
        assert "since:7d" in shown
        for words in ("The selected memory", "In the query line", "Everywhere"):
            assert words in shown
        for tooltip in ("Delete or restore; u undoes", "Everything by its name"):
            assert tooltip in shown


async def test_the_help_closes_to_where_it_was_opened(demo: Path) -> None:
    async with opened(demo) as pilot:
        await press(pilot, "down", "j")
        before = pilot.app.screen, pilot.app.focused
        await press(pilot, "question_mark", "escape")
        assert (pilot.app.screen, pilot.app.focused) == before


async def test_in_the_query_line_the_footer_names_the_key_that_works_there(demo: Path) -> None:
    async with opened(demo) as pilot:
        assert "f1 Help" in text(pilot.app.screen.query_one(KeysFooter))
        await press(pilot, "question_mark")
        assert text(pilot.app.screen.query_one("#query")).startswith("?")
        await press(pilot, "f1")
        assert "The selected memory" in text(pilot.app.screen.query_one(TextView))
