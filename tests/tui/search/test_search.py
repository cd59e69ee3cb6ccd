"""Searching: what is typed, what is found, and how it is shown."""

from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.text.display import safe
from memtui.tui.search.facets import FacetLines
from memtui.tui.search.query_bar import Chips, QueryInput
from tests.hostile import hostile_queries, hostile_texts
from tests.tui.browser import NOW, ask, highlighted, opened, press, search, text, titles


async def test_the_newest_memories_are_shown_before_a_key_is_typed(demo: Path) -> None:
    async with opened(demo) as pilot:
        assert titles(pilot)[0] == "Label widths are measured once a name"
        assert isinstance(pilot.app.focused, QueryInput)
        assert "newest first" in text(search(pilot).bar.chips)


async def test_typing_searches_and_lights_what_was_found(demo: Path) -> None:
    async with opened(demo) as pilot:
        await press(pilot, *"缓存")
        screen = search(pilot)
        assert all("缓存" in shown for shown in text(screen.results.list).splitlines()[:2])
        # A line may end within the word.
        assert set(highlighted(screen.results.list)) == {"缓存", "缓"}
        assert set(highlighted(screen.reading.detail)) == {"缓存", "缓", "存"}
        assert "18 hits" in text(screen.bar.chips)


async def test_a_key_right_after_the_one_that_leaves_the_list_is_typed(demo: Path) -> None:
    async with opened(demo) as pilot:
        await press(pilot, "down", "slash", "d")
        assert search(pilot).bar.input.value == "d"
        assert titles(pilot)


async def test_escape_goes_from_the_query_to_the_results_and_never_into_it(demo: Path) -> None:
    async with opened(demo) as pilot:
        for _ in range(3):
            await press(pilot, "escape")
            assert search(pilot).results.list.has_focus
        await press(pilot, "slash")
        assert search(pilot).bar.input.has_focus


async def test_escape_stays_where_nothing_was_found(demo: Path) -> None:
    async with opened(demo) as pilot:
        await ask(pilot, "is:pinned zzzzqqqq")
        await press(pilot, "escape", "escape")
        assert search(pilot).results.no_hits.has_focus


async def test_the_filters_of_a_query_are_chips_that_a_click_removes(demo: Path) -> None:
    async with opened(demo) as pilot:
        await ask(pilot, "token type:bugfix since:2020-01-01")
        assert "[type:bugfix ×] [since:2020-01-01 ×]" in text(search(pilot).bar.chips)
        await pilot.click(Chips, offset=(text(search(pilot).bar.chips).index("type") + 1, 0))
        assert search(pilot).bar.input.value == "token since:2020-01-01"


async def test_a_time_that_nothing_fits_is_no_chip_and_that_is_said(demo: Path) -> None:
    async with opened(demo) as pilot:
        await ask(pilot, "which token expired in March 1999")
        assert "[on:" not in text(search(pilot).bar.chips)
        assert search(pilot).results.list.count
        assert "Nothing of that time fits as well" in text(search(pilot).results.did_you_mean)
        await ask(pilot, "which token expired on:1999-03")
        assert "[on:1999-03 ×]" in text(search(pilot).bar.chips)
        assert not search(pilot).results.list.count


async def test_backspace_in_the_results_removes_the_last_filter(demo: Path) -> None:
    async with opened(demo) as pilot:
        await ask(pilot, "type:bugfix token project:atlas-web")
        await press(pilot, "down", "backspace")
        assert search(pilot).bar.input.value == "type:bugfix token"
        await press(pilot, "backspace")
        assert search(pilot).bar.input.value == "token"


async def test_a_click_on_a_facet_narrows_the_query(demo: Path) -> None:
    async with opened(demo, size=(120, 40)) as pilot:
        await ask(pilot, "token")
        lines = text(search(pilot).results.facets).splitlines()
        row = next(y for y, line in enumerate(lines) if "payments-api" in line)
        # The line above the facets and the margin at their left count too.
        await pilot.click(FacetLines, offset=(lines[row].index("payments-api") + 2, row + 1))
        assert search(pilot).bar.input.value == "token project:payments-api "


async def test_more_hits_are_looked_for_when_the_last_come_near(empty: Path) -> None:
    with Store.open(empty) as store, store.transaction():
        for number in range(120):
            store.observations.add(None, title=f"token {number}", at=NOW - number)
    async with opened(empty, size=(80, 24)) as pilot:
        await ask(pilot, "token")
        assert 0 < search(pilot).results.list.count < 120
        assert "120 hits" in text(search(pilot).bar.chips)
        await press(pilot, "down", "G")
        assert search(pilot).results.list.count == 120


async def test_more_hits_are_looked_for_where_the_first_leave_lines_blank(empty: Path) -> None:
    with Store.open(empty) as store, store.transaction():
        for number in range(120):
            store.observations.add(None, title=f"token {number}", at=NOW - number)
    async with opened(empty, size=(160, 50)) as pilot:
        await ask(pilot, "token")
        shown = text(search(pilot).results.list).splitlines()
        assert all("token" in line for line in shown[1:])


async def test_a_query_without_hits_offers_what_would_have_some(demo: Path) -> None:
    async with opened(demo) as pilot:
        await ask(pilot, "token type:feature project:infra-live")
        screen = search(pilot)
        assert "0 hits" in text(screen.bar.chips)
        shown = text(screen.results.no_hits)
        assert "No memory matches." in shown
        assert "type:feature · project:infra-live" in shown
        assert "without any filter" in shown
        await press(pilot, "down", "a")
        assert screen.bar.input.value == "token project:infra-live"
        assert screen.results.list.count > 0


async def test_filters_alone_that_let_nothing_pass_can_be_dropped(demo: Path) -> None:
    async with opened(demo) as pilot:
        await ask(pilot, "type:decision tag:nowhere")
        await press(pilot, "down", "enter")
        assert search(pilot).results.list.count > 0


@pytest.mark.long
async def test_no_query_harms_the_browser(demo_file: Path) -> None:
    async with opened(demo_file, size=(60, 20), read_only=True) as pilot:
        for _, query in hostile_queries():
            with search(pilot).prevent(QueryInput.Changed):
                search(pilot).ask(query[:5_000])
            await search(pilot).search(query[:5_000]).wait()
            typed = search(pilot).bar.input.value
            assert safe(typed) == typed
        await ask(pilot, "token")
        assert titles(pilot)


async def test_hostile_texts_are_shown_as_they_are_and_do_nothing(empty: Path) -> None:
    with Store.open(empty) as store, store.transaction():
        for name, payload in hostile_texts():
            store.observations.add(
                None,
                title=f"{name} {payload}"[:2_000],
                narrative=payload[:5_000],
                facts=[payload[:500]],
                project=payload[:100],
                files_read=[payload[:100]],
            )
    async with opened(empty) as pilot:
        await press(pilot, "down")
        for key in ("home", "end"):
            await press(pilot, key)
            screen = search(pilot)
            shown = "".join(map(text, (screen.results.list, screen.reading.detail)))
            assert shown.replace("\n", "").replace("\u200d", "").isprintable()


async def test_a_hit_is_read_again_after_a_query_without_hits(demo: Path) -> None:
    async with opened(demo) as pilot:
        await ask(pilot, "缓存")
        first = search(pilot).reading.row
        await ask(pilot, "缓存 type:nothing")
        await ask(pilot, "缓存")
        assert first is not None
        assert search(pilot).reading.row == first
