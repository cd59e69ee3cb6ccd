"""What is deleted is one key away, comes back by another, or is forgotten for good after a question."""

import asyncio
import threading
from pathlib import Path

import pytest

from memtui.store import NotFoundError, Purged, Store
from memtui.tui.marks.changes import ConfirmScreen, Progress
from memtui.tui.parts.frame import Header
from memtui.tui.search import trash
from tests.tui.browser import NOW, ask, opened, search, text, titles
from tests.tui.marks.test_marks import looked, told, wait_for
from tests.tui.patience import idle, press
from tests.tui.rest import held

ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n"


@pytest.fixture
def deleted(empty: Path) -> Path:
    """Three deleted memories, and one that isn't."""
    with Store.open(empty) as store:
        for number in range(3):
            store.observations.add("c-1", title=f"gone {number}", at=NOW - number)
        store.observations.add("c-1", title="kept", at=NOW - 9)
        for number in (1, 2, 3):
            store.observations.delete(number)
    return empty


async def test_a_deleted_memory_comes_back_by_two_keys(deleted: Path) -> None:
    async with opened(deleted) as pilot:
        await press(pilot, "down", "D")
        assert titles(pilot) == ["gone 0", "gone 1", "gone 2"]
        assert "Trash" in text(pilot.app.screen.query_one(Header))
        assert "Deleted. r brings it back." in text(search(pilot).reading.detail)
        await press(pilot, "r")
        await looked(pilot)
        assert "restored. u undoes." in told(pilot)
        with Store.open(deleted) as store:
            assert store.record("1").deleted_at is None


@pytest.mark.parametrize("key", ["D", "escape"])
async def test_the_trash_opens_from_every_screen_and_leads_back_to_the_query(
    deleted: Path, key: str
) -> None:
    async with opened(deleted) as pilot:
        await ask(pilot, "kept")
        await press(pilot, "enter", "3", "D")
        assert titles(pilot) == ["gone 0", "gone 1", "gone 2"]
        await press(pilot, key)
        assert search(pilot).bar.input.value == "kept"
        assert titles(pilot) == ["kept"]
        assert "Trash" not in text(pilot.app.screen.query_one(Header))


async def test_nothing_is_forgotten_where_nothing_is_shown(empty: Path) -> None:
    with Store.open(empty) as store:
        store.observations.add("c-1", title="hidden from the list that it was selected in", at=NOW)
    async with opened(empty) as pilot:
        await press(pilot, "escape", "o", "x", "D")
        await pilot.press("F")
        await idle(pilot)
        assert not isinstance(pilot.app.screen, ConfirmScreen)
        assert search(pilot).chosen == ()


async def test_all_marked_ones_are_restored_at_once(deleted: Path) -> None:
    async with opened(deleted) as pilot:
        await press(pilot, "down", "D", "asterisk", "r")
        await looked(pilot)
        assert "3 memories restored" in told(pilot)
        with Store.open(deleted) as store:
            assert store.find("").count().value == 4


async def test_f_forgets_for_good_after_one_question(deleted: Path) -> None:
    async with opened(deleted) as pilot:
        await press(pilot, "down", "D")
        await pilot.press("F")
        await wait_for(pilot, ConfirmScreen)
        await press(pilot, "escape")
        with Store.open(deleted) as store:
            assert store.record("1").deleted_at
        await pilot.press("F")
        await wait_for(pilot, ConfirmScreen)
        await press(pilot, "enter")
        await looked(pilot)
        assert "1 memory forgotten for good: 0 occurrences left" in told(pilot)
        assert titles(pilot) == ["gone 1", "gone 2"]
        with Store.open(deleted) as store, pytest.raises(NotFoundError):
            store.record("1")


async def test_z_empties_the_trash_after_one_question(deleted: Path) -> None:
    async with opened(deleted) as pilot:
        await press(pilot, "down", "D")
        await pilot.press("Z")
        await wait_for(pilot, ConfirmScreen)
        await press(pilot, "enter")
        await looked(pilot)
        assert "3 memories forgotten for good" in told(pilot)
        with Store.open(deleted) as store:
            assert store.trash_count() == 0
            assert store.find("").count().value == 1


@pytest.mark.parametrize("are_gone", [False, True])
async def test_stopping_says_whether_anything_is_gone(
    deleted: Path, monkeypatch: pytest.MonkeyPatch, are_gone: bool
) -> None:
    with Store.open(deleted) as store:
        store.sessions.delete(store.sessions.start("c-9").id)
    forget_all, started = trash.forget_all, threading.Event()

    def forget(store: Store, progress: Progress) -> Purged:
        done = forget_all(store, progress) if are_gone else Purged()
        started.set()
        store.db.execute(ENDLESS)
        return done

    monkeypatch.setattr(trash, "forget_all", forget)
    async with opened(deleted) as pilot:
        await press(pilot, "down", "D")
        await pilot.press("Z")
        await wait_for(pilot, ConfirmScreen)
        with held():
            await pilot.press("enter")
            await asyncio.to_thread(started.wait, 30)
            await pilot.press("escape")
        await idle(pilot)
        kept = "what was gone for good by then stays so." if are_gone else "nothing was changed."
        assert told(pilot) == f"Forgetting was stopped; {kept}"


async def test_the_keys_of_the_trash_do_nothing_elsewhere(deleted: Path) -> None:
    async with opened(deleted) as pilot:
        await press(pilot, "down", "Z", "r")
        await idle(pilot)
        assert not isinstance(pilot.app.screen, ConfirmScreen)
        assert titles(pilot) == ["kept"]


async def test_shift_delete_forgets_what_is_not_deleted_too_and_says_where_it_was_looked_for(
    deleted: Path,
) -> None:
    async with opened(deleted) as pilot:
        await press(pilot, "down", "asterisk")
        await pilot.press("shift+delete")
        await wait_for(pilot, ConfirmScreen)
        await press(pilot, "enter")
        await looked(pilot)
        assert "1 memory forgotten for good: 0 occurrences left in" in told(pilot)
        with Store.open(deleted) as store:
            assert store.find("").count().value == 0
            assert store.trash_count() == 3


async def test_an_empty_trash_says_so(empty: Path) -> None:
    with Store.open(empty) as store:
        store.observations.add("c-1", title="kept", at=NOW)
    async with opened(empty) as pilot:
        await press(pilot, "down", "D")
        assert "The trash is empty" in text(search(pilot).results.no_hits)
        await press(pilot, "D")
        assert titles(pilot) == ["kept"]
