"""What keys do is shown as the mem command that does the same, and copied."""

from pathlib import Path

import pytest

from memtui.store.cli.commands import ALL_COMMANDS, UNDER, declared_in
from memtui.tui.help.page import owners
from memtui.tui.keys.bindings import bindings_of
from memtui.tui.keys.mem_commands import COMMANDS, UNKNOWN, mem_command
from tests.tui.browser import ask, opened
from tests.tui.patience import press

IN_PALETTE = {"cost", "digest", "import", "theme", "doctor", "backup", "retention", "hand-over"}


def test_each_is_of_a_key_or_of_the_palette() -> None:
    ids = {binding.id for owner in owners() for binding in bindings_of(owner)}
    assert COMMANDS.keys() <= ids | IN_PALETTE


@pytest.mark.parametrize("id", COMMANDS)
@pytest.mark.sampled
def test_each_is_a_command_that_exists(id: str) -> None:
    name, *rest = mem_command(id, {}).split()
    assert name in ALL_COMMANDS
    names = {*declared_in(name).commands, *UNDER.get(name, {})} - {name}
    if names and rest and rest[0].islower() and rest[0] not in names:
        assert name in declared_in(name).commands


@pytest.mark.parametrize(
    ("id", "values", "line"),
    [
        ("entry.pin", {"ids": "12 p3"}, "pin 12 p3"),
        ("entry.pin", {}, f"pin {UNKNOWN['ids']}"),
        ("search.query", {"query": 'why "a b"; rm'}, "search 'why \"a b\"; rm'"),
        ("search.query", {"query": "-token x"}, "search -- '-token x'"),
        ("entry.session", {"session": "@4"}, "session show @4"),
        ("list.down", {}, ""),
    ],
)
def test_it_is_filled_in_and_quoted(id: str, values: dict[str, str], line: str) -> None:
    assert mem_command(id, values) == line


async def test_a_key_copies_what_the_screen_shows(demo: Path) -> None:
    async with opened(demo) as pilot:
        await ask(pilot, "token refresh")
        await press(pilot, "down", "C")
        assert pilot.app.clipboard.endswith(f" --db {demo} search 'token refresh'")
        await press(pilot, "enter", "C")
        assert " show " in pilot.app.clipboard
        await press(pilot, "3", "C")
        assert pilot.app.clipboard.endswith(" session list")


async def test_the_palette_shows_and_copies_it(demo: Path) -> None:
    async with opened(demo) as pilot:
        await press(pilot, "escape", "ctrl+p", *"pin")
        box = pilot.app.screen.query_one("Vertical")
        assert "mem pin " in str(box.border_subtitle)
        await press(pilot, "alt+c")
        assert " pin " in pilot.app.clipboard
