"""Why a hit was found, as the browser tells it."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from memtui.store import Count, Store
from memtui.tui.parts.text_view import TextView
from memtui.tui.search.dialogs import WhyScreen, ordinal
from tests.tui.browser import NOW, ask, opened, press, search, text


def told(pilot: Pilot[Any]) -> str:
    """What the screen in front tells."""
    assert isinstance(pilot.app.screen, WhyScreen)
    return text(pilot.app.screen.query_one(TextView))


async def test_its_place_and_each_term_with_where_it_stands_are_told(empty: Path) -> None:
    with Store.open(empty) as store, store.transaction():
        store.observations.add(None, title="token refresh", narrative="a token, a token", at=NOW)
        store.observations.add(None, title="nothing of the kind", at=NOW)
    async with opened(empty) as pilot:
        await ask(pilot, "token refresh type:note")
        await press(pilot, "down", "w")
        shown = told(pilot)
        assert "1st of 1 hit" in shown
        assert "every term" in shown
        assert "title 1 · narrative 2" in shown
        assert "all of   token · refresh" in shown
        assert "only     type:note" in shown


async def test_its_score_is_the_sum_of_its_words_its_turn_and_its_worth(demo: Path) -> None:
    async with opened(demo) as pilot:
        await ask(pilot, "clock drifted")
        await press(pilot, "down", "w")
        parts = {
            line.split()[0]: float(line.split()[1])
            for line in told(pilot).splitlines()
            if line.split()[:1] in (["words"], ["turn"], ["worth"])
        }
        (whole,) = (line for line in told(pilot).splitlines() if "together" in line)
        assert {"words", "worth"} <= parts.keys()
        assert float(whole.split()[0]) == pytest.approx(sum(parts.values()), abs=0.02)


async def test_what_stands_only_inside_words_is_said_not_to_be_ranked(demo: Path) -> None:
    async with opened(demo) as pilot:
        await ask(pilot, "oken")
        await press(pilot, "down", "j", "w")
        assert "2nd of" in told(pilot)
        assert "inside words" in told(pilot)
        assert "newest first" in told(pilot)


async def test_a_related_hit_is_said_to_hold_some_of_the_words(demo: Path) -> None:
    async with opened(demo) as pilot:
        await ask(pilot, "refreshing laptops")
        await press(pilot, "down", "w")
        assert "related, after 0 hits" in told(pilot)
        assert "some of the words" in told(pilot)
        assert "what else its session says" in told(pilot)
        assert "pieces of words" in told(pilot)


async def test_a_hit_for_what_was_meant_is_said_to_be_one(demo: Path) -> None:
    async with opened(demo) as pilot:
        await ask(pilot, "reids")
        await press(pilot, "down", "w")
        assert "what may have been meant (redis for reids)" in told(pilot)


async def test_an_order_by_time_is_told(demo: Path) -> None:
    async with opened(demo) as pilot:
        await ask(pilot, "token sort:recent")
        await press(pilot, "down", "w")
        assert "newest first, as asked" in told(pilot)


@pytest.mark.parametrize("key", ["escape", "w"])
async def test_it_closes_to_the_same_result(demo: Path, key: str) -> None:
    async with opened(demo) as pilot:
        await ask(pilot, "token")
        await press(pilot, "down", "j")
        before = search(pilot).results.list.row
        await press(pilot, "w", key)
        assert search(pilot).results.list.has_focus
        assert search(pilot).results.list.row == before


@pytest.mark.parametrize("query", ["", "type:bugfix"])
async def test_without_words_there_is_nothing_to_explain(demo: Path, query: str) -> None:
    async with opened(demo) as pilot:
        await ask(pilot, query)
        await press(pilot, "down", "w")
        assert not isinstance(pilot.app.screen, WhyScreen)


async def test_the_memory_being_read_can_be_explained_too(demo: Path) -> None:
    async with opened(demo) as pilot:
        await ask(pilot, "token")
        await press(pilot, "down", "enter", "w")
        assert "1st of" in told(pilot)


def test_places_are_named_as_people_name_them() -> None:
    named = {1: "1st", 2: "2nd", 3: "3rd", 4: "4th", 11: "11th", 22: "22nd", 112: "112th"}
    assert {number: ordinal(number) for number in named} == named
    assert ordinal(1_203) == "1,203rd"


async def test_of_how_many_hits_it_is_one_is_counted_where_the_list_has_not_yet(empty: Path) -> None:
    with Store.open(empty) as store, store.transaction():
        for _ in range(40):
            store.observations.add(None, title="token refresh", at=NOW)
    async with opened(empty) as pilot:
        await ask(pilot, "token")
        results = search(pilot).results
        results.counts = replace(results.counts, count=Count(30, exact=False))
        await press(pilot, "down", "w")
        assert "1st of 40 hits" in told(pilot)
