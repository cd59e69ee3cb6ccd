"""Doctor, backup and retention from the palette."""

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from memtui.store import Store
from memtui.store.database.backup import known_backups
from memtui.store.maintain.retention import Retention
from memtui.tui.care import DoctorScreen
from memtui.tui.parts.dialog import QuestionScreen
from tests.tui.browser import browser, opened, press, text
from tests.tui.patience import idle
from tests.tui.pictures import Compare, low_and_middle


async def chosen(pilot: Pilot[Any], command: str) -> None:
    """Have a command of the palette done."""
    await press(pilot, "escape", "ctrl+p")
    pilot.app.screen.query_one(Input).value = command
    await idle(pilot)
    await press(pilot, "enter")


def toasts(pilot: Pilot[Any]) -> str:
    return " ".join(" ".join(map(text, pilot.app.screen.query("Toast"))).split())


async def test_doctor_tells_what_is_wrong_first_and_what_to_do(demo: Path) -> None:
    async with opened(demo) as pilot:
        await chosen(pilot, "doctor")
        screen = pilot.app.screen
        assert isinstance(screen, DoctorScreen)
        assert "all is well" in str(screen.view.border_title)
        await press(pilot, "escape")
        with Store.open(demo) as store:
            store.db.execute("DELETE FROM label_uses")
        await chosen(pilot, "doctor")
        screen = pilot.app.screen
        assert isinstance(screen, DoctorScreen)
        assert "1 problem" in str(screen.view.border_title)
        first, second, *_ = text(screen.view).split("\n")
        assert first.split()[:2] == ["✗", "labels"] or first.split()[:2] == ["labels", "✗"]
        assert "mem rebuild" in second or "mem store rebuild" in second


async def test_backup_makes_a_copy(demo: Path) -> None:
    async with opened(demo) as pilot:
        await chosen(pilot, "back up")
        (copy,) = known_backups(demo)
        assert "Backed up to" in toasts(pilot)
        assert copy.name in toasts(pilot).replace(" ", "")


async def test_retention_says_that_no_policy_is_set(demo: Path) -> None:
    async with opened(demo) as pilot:
        await chosen(pilot, "retention")
        assert "No retention policy is set." in toasts(pilot)


async def test_retention_asks_and_u_brings_back_what_it_deletes(demo: Path) -> None:
    with Store.open(demo) as store:
        Retention(store).set(7)
        before = store.find("").count().value
    async with opened(demo) as pilot:
        await chosen(pilot, "retention")
        assert isinstance(pilot.app.screen, QuestionScreen)
        await press(pilot, "escape")
        with Store.open(demo) as store:
            assert store.find("").count().value == before
        await chosen(pilot, "retention")
        await press(pilot, "enter")
        assert "let go" in toasts(pilot)
        with Store.open(demo) as store:
            assert store.find("").count().value < before
        await press(pilot, "u")
        with Store.open(demo) as store:
            assert store.find("").count().value == before


@low_and_middle
def test_how_the_doctor_looks(
    snap_compare: Compare, demo: Path, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The checks are those of a fixed list: what a machine has differs."""
    from memtui.store import Check

    checks = [
        Check("file", True, "ok"),
        Check("disk", True, "51,069 MB free"),
        Check("labels", False, "3 missing, 0 too many", "`mem store rebuild` makes them again."),
        Check("waiting to be indexed", True, "0"),
    ]
    monkeypatch.setattr("memtui.tui.care.place_checks", lambda path: [])
    monkeypatch.setattr("memtui.tui.care.store_checks", lambda store: checks)

    async def before(pilot: Any) -> None:
        await chosen(pilot, "doctor")

    assert snap_compare(browser(demo), terminal_size=size, run_before=before)
