"""The versions of a memory: when, who and what, and any of them again."""

from pathlib import Path
from typing import Any, cast

import pytest
from textual.pilot import Pilot

from memtui.store import Action, Store
from memtui.tui.history.screen import VersionsScreen
from tests.tui.browser import app, ask, opened, search, text
from tests.tui.history.edited import TITLE, edit
from tests.tui.patience import idle, press


async def to_versions(pilot: Pilot[Any]) -> VersionsScreen:
    """The versions of the memory that was edited twice."""
    await ask(pilot, f'"{TITLE}"')
    await press(pilot, "down", "h")
    return cast(VersionsScreen, pilot.app.screen)


def words(shown: str) -> str:
    return " ".join(shown.split())


async def test_h_lists_the_versions_of_the_selected_result_with_when_and_who(demo: Path) -> None:
    edit(demo)
    async with opened(demo) as pilot:
        screen = await to_versions(pilot)
        head, *rows = [words(line) for line in text(screen.versions).split("\n") if line.strip()]
        assert head == "No. When By What changed"
        lines = text(screen.versions).split("\n")
        assert lines[0].index("When") == lines[1].index("2026") == lines[2].index("2026")
        assert lines[0].index("By") == lines[1].index("e in")
        assert rows[0] == "▌ 3 2026-02-15 19:31 e in memtui title, narrative"
        assert rows[1].startswith("2 2026-01-18 19:31 mem edit (codex) title, tags")
        assert len(rows) == 3 and rows[2].endswith("stored")
        assert "3 versions" in text(screen.heading)


async def test_a_version_differs_word_by_word_from_the_one_before(demo: Path) -> None:
    edit(demo)
    async with opened(demo) as pilot:
        screen = await to_versions(pilot)
        shown = words(text(screen.view))
        assert "Version 3" in shown and "e in memtui on workbench" in shown
        assert "Refresh tokens live for 24 h a day, not for 24" in shown
        await press(pilot, "j")
        assert "mem edit (codex) on workbench" in words(text(screen.view))


async def test_a_version_is_restored_after_one_question_and_u_takes_that_back(demo: Path) -> None:
    ref = edit(demo, aged=False)
    async with opened(demo) as pilot:
        screen = await to_versions(pilot)
        assert screen.check_action("restore", ()) is False
        await press(pilot, "j", "r", "escape")
        with Store.open(demo) as store:
            assert store.any_record(ref).title == TITLE  # type: ignore[union-attr]
        await press(pilot, "r", "y")
        assert any("(u undoes)" in one.message for one in pilot.app._notifications)
        with Store.open(demo) as store:
            assert store.any_record(ref).title == TITLE.replace("a day", "24 h")  # type: ignore[union-attr]
            assert store.changes(limit=1)[0].via == "r in memtui"
        assert screen.versions.count == 4
        await press(pilot, "u")
        with Store.open(demo) as store:
            assert store.any_record(ref).title == TITLE  # type: ignore[union-attr]


async def test_esc_leads_back_to_the_same_result(demo: Path) -> None:
    edit(demo)
    async with opened(demo) as pilot:
        await to_versions(pilot)
        await press(pilot, "enter", "escape", "escape")
        row = search(pilot).row
        assert row is not None and row.title == TITLE


@pytest.mark.parametrize(
    "keys",
    [("down", "2"), ("down", "o"), ("down", "3"), ("down", "4"), ("down", "4", "right")],
    ids=["timeline", "session", "sessions", "facts", "notes"],
)
@pytest.mark.sampled
async def test_h_works_wherever_a_memory_is_selected(demo: Path, keys: tuple[str, ...]) -> None:
    async with opened(demo) as pilot:
        await press(pilot, *keys, "h")
        assert isinstance(pilot.app.screen, VersionsScreen)
        assert pilot.app.screen.versions.count >= 1


async def test_of_a_memory_that_is_only_read_no_version_is_restored(demo: Path) -> None:
    edit(demo)
    async with opened(demo, read_only=True) as pilot:
        screen = await to_versions(pilot)
        await press(pilot, "j")
        assert screen.check_action("restore", ()) is False
        assert screen.versions.count == 3


async def test_what_is_gone_is_told_and_ends_nothing(demo: Path) -> None:
    async with opened(demo) as pilot:
        app(pilot).show_versions("987654", "gone")
        await idle(pilot)
        screen = cast(VersionsScreen, pilot.app.screen)
        assert "There is no observation 987654" in text(screen.nothing)
        await press(pilot, "r", "enter", "escape")


async def test_a_deletion_and_its_undo_are_told_as_such(demo: Path) -> None:
    ref = edit(demo, aged=False)
    with Store.open(demo) as store:
        store.change_many([ref], Action("delete"))
        store.undo()
        store.change_many([ref], Action("pin"))
    async with opened(demo) as pilot:
        screen = await to_versions(pilot)
        rows = [words(line) for line in text(screen.versions).split("\n")[1:]]
        assert [row.split()[-1] for row in rows[:3]] == ["pinned", "restored", "deleted"]
