"""Related hits: how they are marked, and what is told while they are left out."""

from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from memtui.store import Store
from memtui.tui.parts.frame import KeysFooter
from memtui.tui.search.suggestions import NoHits
from tests.tui.browser import NOW, ask, opened, press, search, text

RELATED_ONLY = "refreshing laptops"
BOTH = "tokens leeway"


def count(pilot: Pilot[Any]) -> str:
    return text(search(pilot).bar.chips)


def keys(pilot: Pilot[Any]) -> str:
    return text(search(pilot).query_one(KeysFooter))


def ways(pilot: Pilot[Any]) -> list[str]:
    return text(search(pilot).results.no_hits).splitlines()


async def test_every_related_row_is_marked_as_the_count_says(empty: Path) -> None:
    with Store.open(empty) as store:
        session = store.sessions.start("c-1")
        store.prompts.add(session, "why does it refresh", at=NOW)
        store.facts.add("A refresh needs a laptop", at=NOW)
        store.observations.add(session, title="Laptops", narrative="refresh", at=NOW)
    async with opened(empty) as pilot:
        await ask(pilot, RELATED_ONLY)
        assert "0 hits · 3 related ~" in count(pilot)
        rows = [line for line in text(search(pilot).results.list).splitlines() if " ~ " in line]
        assert len(rows) == 3
        assert search(pilot).results.list.title == "Results 0 + 3 related"


async def test_exact_hits_are_not_marked(demo: Path) -> None:
    async with opened(demo) as pilot:
        await ask(pilot, "refresh")
        assert search(pilot).results.list.count > 3
        assert "~" not in text(search(pilot).results.list)


async def test_equals_leaves_them_out_and_brings_them_back(demo: Path) -> None:
    async with opened(demo) as pilot:
        await ask(pilot, BOTH)
        before = count(pilot)
        assert "related ~" in before
        await press(pilot, "down")
        assert "= Exact" in keys(pilot)
        await press(pilot, "equals_sign")
        assert "related" not in count(pilot)
        assert "2 hits · exact only" in count(pilot)
        assert "= Related" in keys(pilot)
        await press(pilot, "equals_sign")
        assert count(pilot) == before
        assert "= Exact" in keys(pilot)


async def test_that_they_are_left_out_is_told_of_every_later_query(demo: Path) -> None:
    async with opened(demo) as pilot:
        await ask(pilot, BOTH)
        await press(pilot, "down", "equals_sign")
        for query, told in (
            ("token", "42 hits · exact only"),
            ("type:bugfix sort:recent", "hits · exact only · newest first"),
            ("", "newest first · exact only"),
        ):
            await ask(pilot, query)
            assert told in count(pilot)


async def test_with_no_hits_they_are_a_way_on(demo: Path) -> None:
    async with opened(demo) as pilot:
        await ask(pilot, RELATED_ONLY)
        related = search(pilot).results.list.count
        await press(pilot, "down", "equals_sign")
        assert "0 hits · exact only" in count(pilot)
        assert any(line.strip().startswith("=  ") and "related" in line for line in ways(pilot))
        await press(pilot, "equals_sign")
        assert search(pilot).results.list.count == related
        assert search(pilot).results.list.has_focus


async def test_a_click_on_it_takes_that_way(demo: Path) -> None:
    async with opened(demo) as pilot:
        await ask(pilot, RELATED_ONLY)
        await press(pilot, "down", "equals_sign")
        line = next(y for y, one in enumerate(ways(pilot)) if one.strip().startswith("=  "))
        margin = search(pilot).results.no_hits.content_region.offset
        outer = search(pilot).results.no_hits.region.offset
        await pilot.click(NoHits, offset=(margin.x - outer.x + 4, margin.y - outer.y + line))
        await press(pilot)
        assert search(pilot).results.list.count


async def test_it_is_no_way_on_where_nothing_is_related(demo: Path) -> None:
    async with opened(demo) as pilot:
        await ask(pilot, RELATED_ONLY)
        await press(pilot, "down", "equals_sign")
        await ask(pilot, "zzqxyyqx")
        assert not any(line.strip().startswith("=  ") for line in ways(pilot))
