"""Rows are marked by keys in every list of memories, and what is done to them is one change."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, Static

from memtui.store import Store
from memtui.tui.lists.paged_list import PagedList
from memtui.tui.marks.changes import AskScreen, ConfirmScreen, ExportScreen
from memtui.tui.parts.frame import KeysFooter
from memtui.tui.screen import MemScreen
from tests.tui.browser import NOW, app, ask, opened, search, text, titles
from tests.tui.patience import hurry, idle, press
from tests.tui.rest import held


def marks(pilot: Pilot[Any]) -> list[str]:
    screen = pilot.app.screen
    assert isinstance(screen, MemScreen)
    return list(screen.marks)


def footer(pilot: Pilot[Any]) -> str:
    return text(pilot.app.screen.query_one(KeysFooter))


def told(pilot: Pilot[Any]) -> str:
    """What the newest toast says, on one line."""
    toasts = list(pilot.app.screen.query("Toast"))
    return " ".join(text(toasts[-1]).split()) if toasts else ""


async def looked(pilot: Pilot[Any]) -> None:
    await pilot.pause()
    app(pilot).look()
    await idle(pilot)
    await idle(pilot)


@pytest.fixture
def twenty(empty: Path) -> Path:
    """Twenty memories of one kind, and one of another."""
    with Store.open(empty) as store, store.transaction():
        for number in range(20):
            store.observations.add("c-1", title=f"stale note {number}", at=NOW - number)
        store.observations.add("c-1", title="kept", type="decision", at=NOW - 99)
    return empty


async def test_space_marks_and_goes_on_and_the_footer_counts(twenty: Path) -> None:
    async with opened(twenty) as pilot:
        await press(pilot, "down", "space", "space")
        assert marks(pilot) == ["1", "2"]
        assert search(pilot).results.list.cursor == 2
        lines = text(search(pilot).results.list).splitlines()
        assert [line[0] for line in lines[:3]] == ["✓", "✓", "▌"]
        assert "✓ 2 marked" in footer(pilot)
        await press(pilot, "k", "space")
        assert marks(pilot) == ["1"]


async def test_the_marked_row_says_so_in_a_narrow_terminal_too(twenty: Path) -> None:
    async with opened(twenty, size=(60, 20)) as pilot:
        await press(pilot, "down", "space")
        assert "✓ 1 marked" in footer(pilot)
        assert text(search(pilot).results.list).startswith("✓")


async def test_marking_moves_nothing_and_the_footer_names_what_is_done_to_the_marked(twenty: Path) -> None:
    async with opened(twenty, size=(120, 40)) as pilot:
        await press(pilot, "down", "down", "down")
        rows = search(pilot).results.list
        before = [line[1:] for line in text(rows).splitlines()]
        await press(pilot, "space", "up")
        assert [line[1:] for line in text(rows).splitlines()] == before
        assert "✓" in text(rows)
        for words in ("d Delete", "x Hide", "p Pin", "T Tag", "M Move", "X Export", "m Merge"):
            assert words in footer(pilot)


async def test_v_marks_a_range(twenty: Path) -> None:
    async with opened(twenty) as pilot:
        await press(pilot, "down", "V", "j", "j", "j", "V")
        assert marks(pilot) == ["1", "2", "3", "4"]
        await press(pilot, "G", "V")
        assert len(marks(pilot)) == 21


async def test_a_range_goes_up_as_well(twenty: Path) -> None:
    async with opened(twenty) as pilot:
        await press(pilot, "down", "j", "j", "V", "home", "V")
        assert sorted(marks(pilot), key=int) == ["1", "2", "3"]


async def test_esc_clears_the_marks_and_stays_in_the_results(twenty: Path) -> None:
    async with opened(twenty) as pilot:
        await press(pilot, "down", "space", "escape")
        assert marks(pilot) == []
        await press(pilot, "escape")
        assert search(pilot).results.list.has_focus


async def test_esc_in_the_query_line_leaves_the_marks(twenty: Path) -> None:
    async with opened(twenty) as pilot:
        await press(pilot, "down", "space", "slash", "escape")
        assert marks(pilot) == ["1"]


async def test_twenty_hits_of_a_query_are_deleted_by_three_keys_and_undone_by_one(twenty: Path) -> None:
    async with opened(twenty) as pilot:
        await ask(pilot, "stale")
        await press(pilot, "enter", "asterisk", "d")
        await looked(pilot)
        assert "20 memories deleted. u undoes." in told(pilot)
        assert marks(pilot) == []
        await ask(pilot, "")
        assert titles(pilot) == ["kept"]
        await press(pilot, "down", "u")
        await looked(pilot)
        with Store.open(twenty) as store:
            assert store.find("").count().value == 21


async def test_all_hits_are_marked_not_only_those_in_view_and_many_are_asked_back(empty: Path) -> None:
    with Store.open(empty) as store, store.transaction():
        for number in range(150):
            store.observations.add("c-1", title=f"stale note {number}", at=NOW - number)
    async with opened(empty) as pilot:
        await ask(pilot, "stale")
        await pilot.press("enter", "asterisk")
        await wait_for(pilot, ConfirmScreen)
        assert "Mark all 150?" in str(pilot.app.screen.query("Static").first().render())
        await press(pilot, "escape")
        assert marks(pilot) == []
        await pilot.press("asterisk")
        await wait_for(pilot, ConfirmScreen)
        await press(pilot, "enter")
        assert len(marks(pilot)) == 150


async def wait_for(pilot: Pilot[Any], screen: type[object]) -> None:
    """A dialog is in front."""
    for _ in range(1_000):
        if isinstance(pilot.app.screen, screen):
            return
        await pilot.pause()
    raise AssertionError(f"no {screen.__name__} came up")


async def type_in(pilot: Pilot[Any], key: str, line: str) -> None:
    """A key asks for a line, which is typed."""
    await pilot.press(key)
    await wait_for(pilot, AskScreen)
    await pilot.press("ctrl+u", *line, "enter")
    await idle(pilot)


async def test_p_pins_all_marked_ones_and_again_unpins_them(twenty: Path) -> None:
    async with opened(twenty) as pilot:
        await press(pilot, "down", "space", "space", "p")
        with Store.open(twenty) as store:
            assert [store.record(ref).pinned for ref in ("1", "2", "3")] == [True, True, False]
        await press(pilot, "p")
        with Store.open(twenty) as store:
            assert not store.record("1").pinned
            assert not store.record("2").pinned
        assert marks(pilot) == ["1", "2"]


async def test_x_hides_all_marked_ones(twenty: Path) -> None:
    async with opened(twenty) as pilot:
        await press(pilot, "down", "space", "space", "x")
        await looked(pilot)
        assert "2 memories hidden" in told(pilot)
        assert "stale note 0" not in titles(pilot)


async def test_tags_are_added_and_removed(twenty: Path) -> None:
    async with opened(twenty) as pilot:
        await press(pilot, "down", "space", "space")
        await type_in(pilot, "T", "auth, old")
        await type_in(pilot, "T", "-old")
        with Store.open(twenty) as store:
            found = [store.record(ref) for ref in ("1", "2", "3")]
            assert [one.tags for one in found] == [("auth",), ("auth",), ()]  # type: ignore[union-attr]


async def test_the_selected_memory_is_tagged_where_none_is_marked(twenty: Path) -> None:
    async with opened(twenty) as pilot:
        await press(pilot, "down", "j")
        await type_in(pilot, "T", "auth")
        with Store.open(twenty) as store:
            assert store.find("tag:auth").refs() == ["2"]


async def test_the_last_tag_that_is_typed_completes_from_those_in_use(twenty: Path) -> None:
    with Store.open(twenty) as store:
        store.edit("5", {"tags": ["authentication"]})
    async with opened(twenty) as pilot:
        await press(pilot, "down")
        await pilot.press("T")
        await wait_for(pilot, AskScreen)
        line = pilot.app.screen.query_one(Input)
        await pilot.press(*"old, auth")
        for _ in range(1_000):
            if line._suggestion:
                break
            await pilot.pause()
        await pilot.press("right", "enter")
        await idle(pilot)
        with Store.open(twenty) as store:
            assert store.find("tag:authentication").refs() == ["1", "5"]
            assert store.find("tag:old").refs() == ["1"]


async def test_marked_ones_move_to_another_project(twenty: Path) -> None:
    async with opened(twenty) as pilot:
        await press(pilot, "down", "space", "space")
        await type_in(pilot, "M", "atlas")
        with Store.open(twenty) as store:
            assert store.find("project:atlas").refs() == ["1", "2"]


async def test_esc_in_a_dialog_changes_nothing_and_keeps_the_marks(twenty: Path) -> None:
    async with opened(twenty) as pilot:
        await press(pilot, "down", "space")
        await pilot.press("T")
        await wait_for(pilot, AskScreen)
        await pilot.press("a", "escape")
        await idle(pilot)
        assert marks(pilot) == ["1"]
        with Store.open(twenty) as store:
            assert store.find("tag:a").refs() == []


async def test_y_copies_all_marked_ones(twenty: Path) -> None:
    async with opened(twenty) as pilot:
        await press(pilot, "down", "space", "space", "y")
        assert pilot.app.clipboard == "stale note 0\n\n---\n\nstale note 1"


@pytest.mark.long
async def test_marked_ones_are_exported_to_a_file_of_ones_own(twenty: Path, tmp_path: Path) -> None:
    place = tmp_path / "out.md"
    async with opened(twenty) as pilot:
        await press(pilot, "down", "space", "space")
        await type_in(pilot, "X", str(place))
        assert "2 memories written" in told(pilot)
        assert place.read_text("utf-8").count(" note: stale note ") == 2
        assert place.stat().st_mode & 0o077 == 0
        for key in ("n", "y"):
            place.write_text("Mine.", "utf-8")
            await pilot.press("X")
            await wait_for(pilot, ExportScreen)
            await pilot.press("ctrl+u", *str(place), "enter")
            await wait_for(pilot, ConfirmScreen)
            await press(pilot, key)
            assert (place.read_text("utf-8") == "Mine.") == (key == "n")
        lines = tmp_path / "out.jsonl"
        await type_in(pilot, "X", str(lines))
        assert lines.read_text("utf-8").count('"table":"observations"') == 2


async def test_what_is_marked_in_a_timeline_and_a_session_is_deleted_at_once(twenty: Path) -> None:
    for way in (("2",), ("3", "enter", "right")):
        async with opened(twenty) as pilot:
            await press(pilot, "down", *way)
            rows = pilot.app.screen.focused
            assert isinstance(rows, PagedList)
            await press(pilot, "home", "space", "space")
            refs = marks(pilot)
            assert len(refs) == 2
            assert "✓" in text(rows)
            await press(pilot, "d")
            await looked(pilot)
            assert "2 memories deleted" in told(pilot)
            with Store.open(twenty) as store:
                assert all(store.record(ref).deleted_at for ref in refs)


async def test_facts_are_marked_by_the_tab_they_stand_in(empty: Path) -> None:
    with Store.open(empty) as store:
        for number in range(3):
            store.facts.add(f"fact {number}", at=NOW - number)
        store.facts.add("an opinion", kind="O", at=NOW - 9)
    async with opened(empty) as pilot:
        await press(pilot, "down", "4", "asterisk")
        assert marks(pilot) == ["f1", "f2", "f3", "f4"]
        await press(pilot, "d")
        await looked(pilot)
        with Store.open(empty) as store:
            assert store.facts.count() == 0


@pytest.fixture
def thousands(empty: Path) -> Path:
    """Ten thousand memories."""
    with Store.open(empty) as store, store.transaction():
        for number in range(10_000):
            store.observations.add("c-1", title=f"stale note {number}", at=NOW)
    return empty


@asynccontextmanager
async def deleting(pilot: Pilot[Any], memory: Path) -> AsyncIterator[None]:
    """While all that is there is being deleted; in the end nobody keeps that from going on."""
    await pilot.press("down", "asterisk")
    await wait_for(pilot, ConfirmScreen)
    await press(pilot, "enter")
    assert "✓ 10,000 marked" in footer(pilot)
    await pilot.press("d")
    await wait_for(pilot, ConfirmScreen)
    assert "Delete 10,000 memories?" in text(pilot.app.screen.query(Static).first())
    with Store.open(memory) as other, other.transaction():
        # Nobody else can write as long as this is open, so the deletion is on its way.
        other.observations.add(None, title="another")
        with held():
            await pilot.press("enter", "j", "j", "j")
            assert search(pilot).results.list.cursor == 3
            assert "Deleting 10,000 memories…" in footer(pilot)
            yield
    await idle(pilot)


@pytest.mark.long
async def test_ten_thousand_are_deleted_beside_the_browser_which_answers_meanwhile(thousands: Path) -> None:
    async with opened(thousands) as pilot:
        async with deleting(pilot, thousands):
            assert len(marks(pilot)) == 10_000
        assert "10,000 memories deleted" in told(pilot)
        with Store.open(thousands) as store:
            assert store.find("").count().value == 1
            undone = store.undo()
            assert undone is not None
            assert store.find("").count().value == 10_001


async def test_esc_stops_a_change_which_leaves_all_as_it_was(thousands: Path) -> None:
    async with opened(thousands) as pilot:
        async with deleting(pilot, thousands):
            assert "esc Stop" in footer(pilot)
            await pilot.press("escape")
        assert "Deleting was stopped; nothing was changed." in told(pilot)
        assert len(marks(pilot)) == 10_000
        with Store.open(thousands) as store:
            assert store.find("").count().value == 10_001


@pytest.mark.long
async def test_quitting_says_what_is_on_its_way_and_stops_it_when_asked_twice(thousands: Path) -> None:
    async with opened(thousands) as pilot, deleting(pilot, thousands):
        await pilot.press("q")
        await pilot.pause()
        assert "q stops it" in told(pilot)
        assert pilot.app.return_code is None
        await pilot.press("q")
        assert pilot.app.return_code == 0
    with Store.open(thousands) as store:
        assert store.find("").count().value == 10_001


async def test_no_key_changes_a_memory_that_can_only_be_read(twenty: Path) -> None:
    async with opened(twenty, read_only=True) as pilot:
        await press(pilot, "down", "space", "d", "T", "M", "x", "p")
        assert marks(pilot) == ["1"]
        assert isinstance(pilot.app.screen, MemScreen)
        assert titles(pilot)[0] == "stale note 0"


@pytest.mark.long
async def test_keys_in_haste_do_what_they_do_at_leisure(twenty: Path) -> None:
    async with opened(twenty) as pilot:
        await press(pilot, "escape")
        before = titles(pilot)
        await hurry(pilot, "d", "d", "d")
        assert titles(pilot) == before[3:]
        await hurry(pilot, "u", "u", "u")
        assert titles(pilot) == before
        await hurry(pilot, "d", "d", "u", "x", "j", "d")
        assert titles(pilot)[:2] == [before[2], before[4]]


async def test_what_has_no_tags_or_no_project_of_its_own_is_said_before_anything_is_asked(
    empty: Path,
) -> None:
    with Store.open(empty) as store:
        store.sessions.start("c-1", agent="codex", project="atlas", at=NOW)
        store.prompts.add("c-1", "why does it fail", at=NOW)
    async with opened(empty) as pilot:
        await press(pilot, "down", "T")
        assert "Only observations and sessions have tags." in told(pilot)
        await press(pilot, "M")
        assert "Prompts have the project of their session" in told(pilot)
