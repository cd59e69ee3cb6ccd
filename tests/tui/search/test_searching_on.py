"""A search that is not through soon: what it shows meanwhile, and how it ends."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from textual.pilot import Pilot

from memtui.store import Hits, Page, Store
from memtui.tui.search import providers
from tests.tui.browser import ask, opened, press, search, text, titles
from tests.tui.patience import idle
from tests.tui.rest import held

SLOW = "slow"
"""Queries that hold this word are not through soon."""


class Searches:
    """The store's searches: those for `SLOW` find two hits soon, and all when `through` is set."""

    def __init__(self) -> None:
        self.through = Event()
        self.in_time = True

    def page(self, hits: Hits, *limits: int, **options: Any) -> Page:
        page = ALL(hits, *limits, **options)
        if SLOW not in hits.query.text:
            return page
        if options["seconds"] > providers.SOON:
            with held():
                self.through.wait()
            return page if self.in_time else replace(page, partial=True, complete=False)
        return replace(page, hits=page.hits[-2:], partial=True, complete=False)


ALL = Hits.page


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> Iterator[Searches]:
    searches = Searches()
    monkeypatch.setattr(
        Hits, "page", lambda hits, *limits, **options: searches.page(hits, *limits, **options)
    )
    yield searches
    searches.through.set()


@pytest.fixture
def slow(empty: Path) -> Path:
    with Store.open(empty) as store, store.transaction():
        for number in range(5):
            store.observations.add(None, title=f"{SLOW} {number}", at=1_771_356_000_000 - number)
        store.observations.add(None, title="quick", at=1_771_356_000_000)
    return empty


async def ask_without_waiting(pilot: Pilot[Any], query: str) -> None:
    search(pilot).ask(query)
    await pilot.pause()
    while not search(pilot).results.searches_on:
        await pilot.pause()
    await pilot.pause()


def count(pilot: Pilot[Any]) -> str:
    return text(search(pilot).bar.chips).strip()


async def test_what_was_found_soon_is_shown_while_the_search_goes_on(
    slow: Path, searches: Searches
) -> None:
    async with opened(slow) as pilot:
        await ask_without_waiting(pilot, SLOW)
        assert len(titles(pilot)) == 2
        assert count(pilot) == "2+ hits · searching on…"
        searches.through.set()
        await idle(pilot)
        assert len(titles(pilot)) == 5
        assert count(pilot) == "5 hits"


async def test_what_comes_later_does_not_move_the_selection(slow: Path, searches: Searches) -> None:
    async with opened(slow) as pilot:
        await ask_without_waiting(pilot, SLOW)
        await pilot.press("down", "j")
        before = search(pilot).results.list.row
        searches.through.set()
        await idle(pilot)
        assert before is not None
        assert search(pilot).results.list.row == before
        assert search(pilot).results.list.count == 5


async def test_escape_stops_it_and_does_nothing_else(slow: Path, searches: Searches) -> None:
    async with opened(slow) as pilot:
        await ask_without_waiting(pilot, SLOW)
        await pilot.press("escape")
        assert search(pilot).bar.input.has_focus
        assert not search(pilot).results.searches_on
        searches.through.set()
        await idle(pilot)
        assert len(titles(pilot)) == 2
        assert count(pilot) == "2+ hits · stopped"
        await press(pilot, "escape")
        assert search(pilot).results.list.has_focus


async def test_what_is_typed_meanwhile_replaces_it(slow: Path, searches: Searches) -> None:
    async with opened(slow) as pilot:
        await ask_without_waiting(pilot, SLOW)
        search(pilot).ask("quick")
        searches.through.set()
        await idle(pilot)
        assert titles(pilot) == ["quick"]
        assert count(pilot) == "1 hit"


async def test_where_even_that_is_too_long_it_says_so(slow: Path, searches: Searches) -> None:
    searches.in_time = False
    searches.through.set()
    async with opened(slow) as pilot:
        await ask(pilot, SLOW)
        assert count(pilot) == "5+ hits · stopped after 10 s"


async def test_nothing_found_soon_is_not_taken_for_nothing_at_all(slow: Path, searches: Searches) -> None:
    async with opened(slow) as pilot:
        await ask_without_waiting(pilot, f"{SLOW} type:nowhere")
        assert not search(pilot).results.no_hits.display
        searches.through.set()
        await idle(pilot)
        assert search(pilot).results.no_hits.display
