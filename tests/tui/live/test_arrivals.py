"""What arrived since the last visit is marked until it was in view."""

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from memtui.store import Store
from memtui.tui.lists.rows import NEW
from tests.tui.browser import NOW, app, opened, search, text
from tests.tui.finding.test_narrowing import front, rows
from tests.tui.patience import idle, press


def add(path: Path, *titles: str, at: int = NOW) -> None:
    with Store.open(path) as store, store.transaction():
        for title in titles:
            session = store.sessions.start(f"of {title}", title=f"session of {title}", at=at)
            store.observations.add(session=session, type="note", title=title, at=at)


@pytest.fixture
def visited(empty: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("memtui.store.platform.clock.now_ms", lambda: NOW)
    add(empty, *(f"old {number}" for number in range(3)))
    return empty


async def visit(path: Path, size: tuple[int, int] = (120, 40)) -> tuple[list[str], str]:
    """The titles that are marked as new, and what the header says."""
    async with opened(path, size=size) as pilot:
        await press(pilot, "escape")
        return marked(pilot), text(front(pilot).query_one("Header"))


def marked(pilot: Pilot[Any]) -> list[str]:
    """The lines of results that are marked as new; the selected row shows its bar instead."""
    lines = text(search(pilot).results.list).split("\n")
    return [line for line in lines if line.startswith(NEW)]


async def test_on_the_first_visit_nothing_is_new(visited: Path) -> None:
    found, header = await visit(visited)
    assert found == []
    assert "new" not in header.replace("newest", "")


@pytest.mark.parametrize("size", [(120, 40), (80, 24), (30, 8)])
@pytest.mark.sampled
async def test_what_arrived_as_it_happened_is_marked_for_one_visit(
    visited: Path, size: tuple[int, int]
) -> None:
    await visit(visited)
    add(visited, "imported", at=NOW - 9_000_000_000)
    add(visited, "captured", at=NOW - 60_000)
    found, _ = await visit(visited, size)
    assert [line.split()[-2] for line in found] == ["captured"]
    assert await visit(visited, size) == ([], (await visit(visited, size))[1])


@pytest.mark.long
@pytest.mark.usefixtures("painted")
async def test_the_header_counts_what_was_not_in_view(visited: Path) -> None:
    await visit(visited)
    add(visited, *(f"added {number}" for number in range(100)), at=NOW + 1)
    async with opened(visited, size=(120, 24)) as pilot:
        await press(pilot, "escape")
        app(pilot).look()
        await idle(pilot)
        before = app(pilot).holdings
        assert before is not None and 0 < before.new < 100
        assert f"{before.new} new" in text(front(pilot).query_one("Header"))
        await press(pilot, "pagedown")
        app(pilot).look()
        await idle(pilot)
        after = app(pilot).holdings
        assert after is not None and after.new < before.new
    found, _ = await visit(visited, (120, 24))
    assert found == []  # The first of them were in view.
    async with opened(visited, size=(120, 24)) as pilot:
        await press(pilot, "escape", "end")
        assert len(marked(pilot)) > 5


async def test_sessions_and_facts_are_marked_too(visited: Path) -> None:
    await visit(visited)
    add(visited, "other")
    with Store.open(visited) as store:
        store.facts.add("held before", at=NOW)
        store.facts.add("held to be true", at=NOW - 1)
    async with opened(visited) as pilot:
        for mode, name in (("3", "session of other"), ("4", "held to be true")):
            await press(pilot, "escape", mode, "end")
            lines = text(rows(pilot)).split("\n")
            await press(pilot, "home")
            lines += text(rows(pilot)).split("\n")
            assert any(line.startswith(NEW) and name in line for line in lines)


async def test_what_arrives_during_a_visit_is_new_at_once(visited: Path) -> None:
    async with opened(visited) as pilot:
        await press(pilot, "escape")
        add(visited, "just now", at=NOW + 1)
        app(pilot).look()
        await idle(pilot)
        assert any("just now" in line for line in marked(pilot))


async def test_all_that_is_new_can_be_marked_as_seen(visited: Path) -> None:
    await visit(visited)
    add(visited, *(f"added {number}" for number in range(100)), at=NOW + 1)
    async with opened(visited, size=(120, 24)) as pilot:
        await press(pilot, "escape")
        assert marked(pilot)
        await press(pilot, "ctrl+p", *"all as seen", "enter")
        assert marked(pilot) == []
        holdings = app(pilot).holdings
        assert holdings is not None and holdings.new == 0
        add(visited, "just now", at=NOW + 1)
        app(pilot).look()
        await idle(pilot)
        assert len(marked(pilot)) == 1
    assert (await visit(visited))[0] == []


async def test_what_is_only_read_keeps_nothing(visited: Path) -> None:
    await visit(visited)
    add(visited, "other", at=NOW - 1)
    before = visited.read_bytes()
    async with opened(visited, read_only=True) as pilot:
        await press(pilot, "escape")
        assert marked(pilot) == []
    assert visited.read_bytes() == before


@pytest.mark.long
async def test_two_browsers_at_once_do_no_harm(visited: Path) -> None:
    await visit(visited)
    add(visited, "first", at=NOW - 1)
    async with opened(visited) as one:
        await press(one, "escape")
        async with opened(visited) as other:
            await press(other, "escape")
            assert len(marked(other)) == 1
        assert len(marked(one)) == 1
    assert (await visit(visited))[0] == []


def test_a_hand_written_state_is_none(visited: Path) -> None:
    with Store.open(visited) as store:
        store.db.execute("INSERT INTO meta VALUES ('arrivals_seen', '[1, {]')")
        assert store.arrivals.unseen(store.arrivals.seen())["observation"] == frozenset()
