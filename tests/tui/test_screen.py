"""Curating from the results, and what other programs write meanwhile."""

from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from memtui.store import Store
from memtui.tui.facts.lists import FactList
from memtui.tui.timeline.lists import TimelineList
from tests.tui.browser import NOW, app, ask, opened, press, search, text, titles
from tests.tui.patience import idle


async def looked(pilot: Pilot[Any]) -> None:
    """The browser has looked whether anything was written, and shows it."""
    await pilot.pause()
    app(pilot).look()
    await idle(pilot)
    await idle(pilot)


def told(pilot: Pilot[Any]) -> list[str]:
    """What the toasts say."""
    return [text(toast) for toast in pilot.app.screen.query("Toast")]


async def test_p_pins_and_p_again_unpins(demo: Path) -> None:
    async with opened(demo) as pilot:
        await press(pilot, "down", "p")
        await looked(pilot)
        assert "★ Pinned" in text(search(pilot).reading.detail)
        await press(pilot, "p")
        await looked(pilot)
        assert "★ Pinned" not in text(search(pilot).reading.detail)


async def test_d_deletes_says_so_and_u_takes_it_back(demo: Path) -> None:
    async with opened(demo) as pilot:
        first, second, *_ = titles(pilot)
        await press(pilot, "down", "d")
        await looked(pilot)
        assert titles(pilot)[0] == second
        assert any("Deleted: Label widths" in toast for toast in told(pilot))
        await press(pilot, "u")
        await looked(pilot)
        assert titles(pilot)[0] == first


async def test_x_hides_as_private(demo: Path) -> None:
    async with opened(demo) as pilot:
        first = titles(pilot)[0]
        await press(pilot, "down", "x")
        await looked(pilot)
        assert first not in titles(pilot)
        await ask(pilot, "is:private")
        assert first in titles(pilot)


async def test_y_copies_the_text(demo: Path) -> None:
    async with opened(demo) as pilot:
        await ask(pilot, "clock drifted leeway")
        await press(pilot, "down", "y")
        copied = pilot.app.clipboard
        assert copied.startswith("Refresh token expired because the clock drifted")
        assert "- leeway is 60 s" in copied


async def test_what_another_program_writes_shows_without_moving_the_selection(demo: Path) -> None:
    async with opened(demo) as pilot:
        await press(pilot, "down", "j")
        rows = search(pilot).results.list
        selected = rows.row
        with Store.open(demo) as other:
            other.observations.add(None, title="Written elsewhere", at=NOW)
        await looked(pilot)
        assert titles(pilot)[0] == "Written elsewhere"
        assert rows.row == selected
        assert rows.cursor == 2


async def test_a_search_shows_what_another_program_writes(demo: Path) -> None:
    async with opened(demo) as pilot:
        await ask(pilot, "written elsewhere")
        with Store.open(demo) as other:
            other.observations.add(None, title="Written elsewhere", at=NOW)
        await looked(pilot)
        assert titles(pilot)[0] == "Written elsewhere"


async def test_a_screen_that_was_left_shows_it_when_it_is_entered_again(demo: Path) -> None:
    async with opened(demo) as pilot:
        await press(pilot, "down", "3")
        with Store.open(demo) as other:
            other.observations.add(None, title="Written elsewhere", at=NOW)
        await looked(pilot)
        await press(pilot, "1")
        assert titles(pilot)[0] == "Written elsewhere"


async def test_the_star_of_a_pinned_memory_shows_behind_a_title_that_is_cut(empty: Path) -> None:
    with Store.open(empty) as store:
        store.observations.add(None, title="A long title " * 20, at=NOW)
    async with opened(empty, size=(80, 24)) as pilot:
        row = search(pilot).results.list
        await press(pilot, "down")
        assert "★" not in text(row)
        await press(pilot, "p")
        await looked(pilot)
        assert "… ★" in text(row).splitlines()[0]


async def test_it_shows_in_the_timeline_and_the_facts_too(empty: Path) -> None:
    with Store.open(empty) as store:
        title = "A long title " * 20
        store.observations.pin(store.observations.add(None, title=title, at=NOW))
        store.facts.pin(store.facts.add(title, at=NOW))
    async with opened(empty, size=(80, 24)) as pilot:
        await press(pilot, "down", "t")
        assert text(pilot.app.screen.query_one(TimelineList)).count("… ★") == 2
        await press(pilot, "4")
        assert "★" in text(pilot.app.screen.query_one(FactList))
