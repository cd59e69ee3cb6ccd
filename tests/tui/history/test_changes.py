"""All changes of the store: listed, narrowed, opened, and taken back one by one."""

from pathlib import Path
from typing import Any, cast

from textual.pilot import Pilot

from memtui.store import Store
from memtui.tui.history.screen import ChangesScreen
from tests.tui.browser import app, opened, text
from tests.tui.history.edited import TITLE, edit
from tests.tui.patience import press


async def to_changes(pilot: Pilot[Any]) -> ChangesScreen:
    await press(pilot, "down", "H")
    return cast(ChangesScreen, pilot.app.screen)


def rows(screen: ChangesScreen) -> list[str]:
    """The rows of the list below its heads, their words one space apart."""
    shown = [" ".join(line.split()) for line in text(screen.changes).split("\n") if line.strip()]
    return [line for line in shown if line != "When By What changed"]


async def test_capital_h_lists_what_was_changed_the_newest_first(demo: Path) -> None:
    edit(demo)
    async with opened(demo) as pilot:
        screen = await to_changes(pilot)
        found = rows(screen)
        assert len(found) == 5
        assert found[0].startswith("▌ 1h p in memtui fact") and found[0].endswith("undone")
        assert found[3] == "8 Feb mem delete 3 memories deleted"
        assert found[4].startswith("18 Jan mem edit (codex) observation")


async def test_what_changed_last_week_takes_two_keys(demo: Path) -> None:
    edit(demo)
    async with opened(demo) as pilot:
        screen = await to_changes(pilot)
        await press(pilot, "w")
        assert len(rows(screen)) == 3 and "in the last 7 days" in text(screen.heading)
        await press(pilot, "w")
        assert len(rows(screen)) == 5


async def test_changes_are_narrowed_to_a_kind_and_to_a_project(demo: Path) -> None:
    edit(demo)
    with Store.open(demo) as store:
        project = store.observations.get(int(store.changes(limit=5)[2].what.split()[1])).project
    async with opened(demo) as pilot:
        screen = await to_changes(pilot)
        await press(pilot, "right", "right", "right", "right")
        assert all("fact" in one for one in rows(screen)) and len(rows(screen)) == 2
        await press(pilot, "left", "left", "left", "left", "f", *project, "enter")
        assert project in text(screen.heading)
        assert screen.changes.count < 5
        await press(pilot, "right", "right", "right", "right", "right")
        assert "Nothing was changed" in text(screen.nothing)


async def test_a_change_opens_with_its_records_and_what_became_of_them(demo: Path) -> None:
    edit(demo)
    async with opened(demo, size=(80, 24)) as pilot:
        screen = await to_changes(pilot)
        await press(pilot, "j", "j", "enter")
        assert screen.view.has_focus
        shown = " ".join(text(screen.view).split())
        assert TITLE in shown and "live for 24 h a day" in shown and "1 memory" in shown
        await press(pilot, "escape", "j", "enter")
        assert "3 memories deleted" in text(screen.view)
        assert text(screen.view).count("deleted at") == 3


async def test_a_change_is_reverted_by_itself_after_one_question(demo: Path) -> None:
    edit(demo, aged=False)
    async with opened(demo) as pilot:
        screen = await to_changes(pilot)
        assert screen.check_action("revert", ()) is False
        await press(pilot, "j", "j", "j", "r")
        await press(pilot, "y")
        with Store.open(demo) as store:
            assert store.any_record("2").deleted_at is None
            assert store.changes(limit=1)[0].what == "“3 memories deleted” reverted"
        assert any("Reverted: " in one.message for one in app(pilot)._notifications)
        assert screen.changes.count == 6


async def test_where_something_later_stands_on_a_change_that_is_named(demo: Path) -> None:
    ref = edit(demo)
    async with opened(demo) as pilot:
        await to_changes(pilot)
        await press(pilot, "G", "r")
        await press(pilot, "y")
        told = [one.message for one in app(pilot)._notifications]
        assert any(f"stands on it: “observation {ref} edited: title, narrative”" in one for one in told)
        with Store.open(demo) as store:
            assert store.any_record(ref).title == TITLE  # type: ignore[union-attr]


async def test_where_nothing_was_changed_it_says_what_will_be_listed(demo: Path) -> None:
    async with opened(demo) as pilot:
        screen = await to_changes(pilot)
        assert "Nothing was changed." in text(screen.nothing)
        await press(pilot, "enter", "r", "H")
        assert isinstance(pilot.app.screen, ChangesScreen)
