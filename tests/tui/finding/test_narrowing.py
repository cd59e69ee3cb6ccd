"""Narrowing a list by words: `/`, what is typed, Enter and Esc."""

from pathlib import Path
from typing import Any, cast

import pytest
from textual.pilot import Pilot

from memtui.store import Store
from memtui.tui.facts.screen import FactsScreen
from memtui.tui.lists.paged_list import PagedList
from memtui.tui.parts.frame import KeysFooter
from memtui.tui.parts.line_input import PromptInput, PromptLine
from memtui.tui.screen import MemScreen
from tests.tui.browser import NOW, opened, text
from tests.tui.patience import press

SIZES = [(120, 40), (80, 24), (40, 12)]


def front(pilot: Pilot[Any]) -> MemScreen:
    """The screen in front."""
    return cast(MemScreen, pilot.app.screen)


def rows(pilot: Pilot[Any]) -> PagedList[Any]:
    """Its list."""
    found = front(pilot).list_to_narrow
    assert found is not None
    return found


def items(pilot: Pilot[Any]) -> list[Any]:
    """All that it lists."""
    return [rows(pilot).item_at(at) for at in range(rows(pilot).count)]


def line(pilot: Pilot[Any]) -> str:
    """What the line at the bottom tells; `` where there is none."""
    return next((one.told for one in front(pilot).query(PromptLine)), "")


@pytest.fixture
def sessions(empty: Path) -> Path:
    """Sessions that differ in one thing each."""
    with Store.open(empty) as store, store.transaction():
        for number in range(300):
            store.sessions.start(f"plain-{number}", title=f"Usual work {number}", at=NOW - number)
        store.sessions.start("one", title="Refresh of TOKENS", agent="codex", at=NOW - 1_000)
        store.sessions.start("two", project="payments", title="Ledger", at=NOW - 2_000)
        store.sessions.start("three", title="缓存失效的修复", at=NOW - 3_000)
        store.sessions.start("four", title="a.*[b]\x1b[31m %_", at=NOW - 4_000)
        summed = store.sessions.start("five", title="Quiet", at=NOW - 5_000)
        store.summaries.add(session=summed, request="why", learned="The gauge is wet")
    return empty


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.sampled
async def test_words_narrow_the_sessions_as_they_are_typed(sessions: Path, size: tuple[int, int]) -> None:
    async with opened(sessions, size=size) as pilot:
        await press(pilot, "escape", "3", "slash", *"token")
        assert rows(pilot).how_many == 1
        assert line(pilot) == "1 of 305"
        assert "Refresh of TOKENS" in text(rows(pilot))
        # At the bottom, over the footer, and one line high.
        prompt = front(pilot).query_one(PromptLine).region
        assert (prompt.y, prompt.height) == (size[1] - 2, 1)


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("缓存", 1), ("失效 修复", 1), ("payments", 1), ("codex refresh", 1), ("GAUGE", 1),
        (".*[", 1), ("%_", 1), ("usual", 300), ("work 299", 1), ("nothing there", 0),
    ],
)  # fmt: skip
async def test_every_word_has_to_stand_somewhere_and_stands_for_itself(
    sessions: Path, typed: str, found: int
) -> None:
    with Store.open(sessions) as store:
        assert len(store.list_search.sessions(typed).ids) == found


async def test_enter_keeps_what_was_typed_and_escape_drops_it(sessions: Path) -> None:
    async with opened(sessions) as pilot:
        await press(pilot, "escape", "3", "slash", *"ledger", "enter")
        assert front(pilot).focused is rows(pilot)
        assert rows(pilot).how_many == 1
        await press(pilot, "escape")
        assert rows(pilot).how_many == 305
        assert not front(pilot).query(PromptLine)
        assert "Ledger" in text(rows(pilot))  # The selection went along.


async def test_escape_while_typing_leaves_all_as_it_was(sessions: Path) -> None:
    async with opened(sessions) as pilot:
        await press(pilot, "escape", "3", *["j"] * 7)
        before = rows(pilot).cursor
        await press(pilot, "slash", *"ledger", "escape")
        assert (rows(pilot).how_many, rows(pilot).cursor) == (305, before)
        assert front(pilot).focused is rows(pilot)


async def test_backspace_drops_it_and_an_empty_line_is_none(sessions: Path) -> None:
    async with opened(sessions) as pilot:
        await press(pilot, "escape", "3", "slash", *"ledger", "enter", "backspace")
        assert rows(pilot).how_many == 305
        await press(pilot, "slash", "x", "backspace", "enter")
        assert not front(pilot).query(PromptLine)
        assert front(pilot).focused is rows(pilot)


async def test_digits_and_letters_are_typed_and_arrows_move_the_rows(sessions: Path) -> None:
    async with opened(sessions) as pilot:
        await press(pilot, "escape", "3", "slash", *"work 12q", "backspace", "down", "down")
        assert cast(PromptInput, front(pilot).focused).value == "work 12"
        assert rows(pilot).cursor == 3
        assert rows(pilot).how_many == 13


async def test_the_footer_names_find_and_how_to_end_it(sessions: Path) -> None:
    async with opened(sessions) as pilot:
        await press(pilot, "escape", "3")
        footer = front(pilot).query_one(KeysFooter)
        assert "/ Find" in str(footer.render())
        await press(pilot, "slash", *"ledger", "enter")
        assert "Find off" in str(footer.render())


async def test_behind_a_dialog_the_footer_stays_that_of_its_screen(demo: Path) -> None:
    async with opened(demo) as pilot:
        await press(pilot, "escape", "down")
        footer = front(pilot).query_one(KeysFooter)
        before = text(footer)
        for dialog in ("question_mark", "ctrl+p"):
            await press(pilot, dialog)
            assert pilot.app.screen is not footer.screen
            assert text(footer) == before
            await press(pilot, "escape")


async def test_facts_and_notes_are_narrowed_beside_their_kind(demo: Path) -> None:
    async with opened(demo) as pilot:
        await press(pilot, "escape", "4")
        screen = cast(FactsScreen, front(pilot))
        many = screen.facts.count
        await press(pilot, "slash", *"缓存", "enter")
        assert 0 < screen.facts.count < many
        assert f"{screen.facts.count} · “缓存”" in screen.facts.title
        assert all("缓存" in str(screen.facts.item_at(at)) for at in range(screen.facts.count))
        await press(pilot, "escape")
        assert screen.facts.count == many


async def test_agents_are_narrowed_by_their_names(empty: Path) -> None:
    async with opened(empty) as pilot:
        await press(pilot, "alt+5", "slash", *"claude", "enter")
        assert [one.agent for one in items(pilot)] == ["claude-code"]
        await press(pilot, "escape")
        assert rows(pilot).how_many > 3


async def test_events_are_narrowed_by_agent_tool_and_error(empty: Path) -> None:
    with Store.open(empty) as store, store.transaction():
        for agent, tool in (("codex", "Bash"), ("claude-code", "Edit"), ("codex", "Read")):
            session = store.sessions.start(f"{agent}-{tool}", agent=agent)
            store.pending.add(session, tool_name=tool)
    async with opened(empty) as pilot:
        await press(pilot, "alt+5", "tab", "slash", *"codex", "enter")
        assert rows(pilot).how_many == 2
        await press(pilot, "slash", *" read", "enter")
        assert [one.what for one in items(pilot)] == ["Read"]
        await press(pilot, "escape")
        assert rows(pilot).how_many == 3
