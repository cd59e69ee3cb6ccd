"""Keys that have one fact take the place of another one, and give it back."""

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from memtui.store import Store
from memtui.tui.facts.supersede import SupersedeScreen
from tests.tui.browser import NOW, app, opened, text
from tests.tui.patience import idle, press
from tests.tui.pictures import LOW, Compare, low_and_middle, mode_looks_right

from .test_facts import rows, to_facts

HOUR = 3_600_000


@pytest.fixture
def built(empty: Path) -> Path:
    """Four facts of one project, of which the oldest one is superseded by none yet."""
    said = (
        "Atlas is built with npm", "Staging is rebuilt every night", "Tokens live 24 h",
        "Atlas is built with pnpm",
    )  # fmt: skip
    with Store.open(empty) as store:
        for number, content in enumerate(said):
            store.facts.add(content, kind="W", project="atlas", at=NOW - (9 - number) * HOUR)
    return empty


def successors(path: Path) -> dict[str, str]:
    """Which fact supersedes which, as people name them."""
    with Store.open(path) as store:
        pairs = [(one, store.facts.successor(one)) for one in store.facts.list()]
        return {f"f{one.id}": f"f{by.id}" for one, by in pairs if by}


def told(pilot: Pilot[Any]) -> str:
    """The newest sentence that was told."""
    return str(list(app(pilot)._notifications)[-1].message)


def shown(pilot: Pilot[Any]) -> str:
    """The fact that is shown in full."""
    return text(pilot.app.screen.query_one("GrowingDocument"))


async def test_what_is_like_it_is_offered_first_and_enter_takes_it(built: Path) -> None:
    async with opened(built, size=LOW) as pilot:
        screen = await to_facts(pilot)
        await press(pilot, "G", "S")
        dialog = pilot.app.screen
        assert isinstance(dialog, SupersedeScreen)
        offered = text(dialog.choices).split("\n")
        assert "Atlas is built with pnpm" in offered[0]
        assert not any("Atlas is built with npm" in line for line in offered)
        await press(pilot, "enter")
        assert successors(built) == {"f1": "f4"}
        assert told(pilot) == ("Superseded: Atlas is built with npm → Atlas is built with pnpm (u undoes)")
        assert "superseded" in rows(pilot, "FactList")[-2]
        await press(pilot, "enter")
        assert "Superseded by f4 Atlas is built with pnpm" in text(
            pilot.app.screen.query_one("GrowingDocument")
        )
        await press(pilot, "escape", "home", "enter")
        assert "f1 Atlas is built with npm" in shown(pilot)
        await press(pilot, "escape", "u")
        assert successors(built) == {}
        assert "superseded" not in rows(pilot, "FactList")[-1]
        assert screen.is_current


async def test_what_is_typed_finds_a_fact_or_becomes_one(built: Path) -> None:
    async with opened(built, size=LOW) as pilot:
        await to_facts(pilot)
        await press(pilot, "G", "S", *"stag", "enter")
        assert successors(built) == {"f1": "f2"}
        await press(pilot, "home", "j", "S", *"Tokens live 12 h", "enter")
        assert successors(built) == {"f1": "f2", "f3": "f5"}
        await press(pilot, "u")
        assert successors(built) == {"f1": "f2"}


async def test_where_there_is_no_other_fact_one_can_be_typed(empty: Path) -> None:
    with Store.open(empty) as store:
        store.facts.add("Times are UTC")
    async with opened(empty, size=LOW) as pilot:
        await to_facts(pilot)
        await press(pilot, "S")
        assert "There is no other fact yet" in text(pilot.app.screen.query_one("#nothing"))
        await press(pilot, *"Times are local", "enter")
        assert successors(empty) == {"f1": "f2"}


async def test_of_marked_facts_the_one_that_is_chosen_holds(built: Path) -> None:
    async with opened(built, size=LOW) as pilot:
        screen = await to_facts(pilot)
        await press(pilot, "space", "space", "G", "space", "S")
        await press(pilot, "enter")
        assert successors(built) == {"f1": "f4", "f3": "f4"}
        assert told(pilot) == "Superseded: 2 facts → Atlas is built with pnpm (u undoes)"
        assert not screen.marks
        await press(pilot, "u")
        assert successors(built) == {}


async def test_the_same_key_has_a_superseded_fact_hold_again(built: Path) -> None:
    with Store.open(built) as store:
        store.supersede("f1", "f4")
    async with opened(built, size=LOW) as pilot:
        await to_facts(pilot)
        await press(pilot, "G", "enter", "S")
        assert successors(built) == {}
        assert told(pilot) == "Holds again: Atlas is built with npm (u undoes)"


async def test_escape_leaves_all_as_it_is(built: Path) -> None:
    async with opened(built, size=LOW) as pilot:
        screen = await to_facts(pilot)
        await press(pilot, "S", *"npm", "escape")
        assert screen.is_current
        assert successors(built) == {}


async def test_no_key_supersedes_in_a_memory_that_can_only_be_read(built: Path) -> None:
    async with opened(built, read_only=True) as pilot:
        screen = await to_facts(pilot)
        await press(pilot, "S")
        assert screen.is_current
    assert successors(built) == {}


async def test_a_search_marks_what_is_superseded(built: Path) -> None:
    with Store.open(built) as store:
        store.supersede("f1", "f4")
    async with opened(built, size=LOW) as pilot:
        await app(pilot).search_for("atlas")
        await idle(pilot)
        lines = text(pilot.app.screen.query_one("ResultList")).split("\n")
        assert [("superseded" in line, "pnpm" in line) for line in lines[:2]] == [
            (False, True),
            (True, False),
        ]


@low_and_middle
def test_how_it_looks(snap_compare: Compare, built: Path, size: tuple[int, int]) -> None:
    with Store.open(built) as store:
        store.supersede("f3", "f2")
    assert mode_looks_right(snap_compare, built, "facts", size, "G", "S")
