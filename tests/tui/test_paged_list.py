"""The list: a cursor over any number of rows, few of them loaded."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import pytest
from textual.pilot import Pilot

from store import DatabaseError
from tests.tui.lists import Findable, ListApp, Newest, Numbers, Row, row_id
from tui.widgets.paged_list import PagedList
from tui.widgets.pages import KEPT, PAGE, Pages
from tui.widgets.source import ListSource, Source

MILLION = 1_000_000


@asynccontextmanager
async def shown(app: ListApp, source: Source[Row]) -> AsyncIterator[Pilot[None]]:
    async with app.run_test(size=(80, 24)) as pilot:
        await app.list.set_source(source)
        await settled(pilot)
        yield pilot


async def settled(pilot: Pilot[None]) -> None:
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


async def test_the_first_of_a_million_rows_are_shown_and_only_their_page_is_asked_for() -> None:
    source, app = Numbers(MILLION), ListApp()
    async with shown(app, source):
        assert app.lines[:3] == ["▌row 0", " row 1", " row 2"]
        assert app.lines[23] == " row 23"
        assert app.list.count == MILLION
        assert source.asked == [0]


@pytest.mark.parametrize(
    ("keys", "cursor"),
    [
        ("down down j", 3),
        ("down down up", 1),
        ("down down k k", 0),
        ("up", 0),
        ("pagedown pagedown pageup", 24),
        ("ctrl+d ctrl+d ctrl+u", 12),
        ("end", MILLION - 1),
        ("G down", MILLION - 1),
        ("end home", 0),
        ("G g", 0),
    ],
)
async def test_keys_move_the_cursor(keys: str, cursor: int) -> None:
    app = ListApp()
    async with shown(app, Numbers(MILLION)) as pilot:
        await pilot.press(*keys.split())
        await settled(pilot)
        assert app.list.cursor == cursor
        assert app.list.item == Row(cursor, f"row {cursor}")
        assert f"▌row {cursor}" in app.lines
        assert app.highlighted[-1] == cursor


async def test_the_selected_row_has_a_bar_on_each_of_its_lines() -> None:
    app = ListApp(row_height=2)
    async with shown(app, Numbers(3)) as pilot:
        await pilot.press("down")
        assert app.lines[:6] == [" row 0", " below", "▌row 1", "▌below", " row 2", " below"]


async def test_enter_opens_the_selected_row() -> None:
    app = ListApp()
    async with shown(app, Numbers(10)) as pilot:
        await pilot.press("down", "enter")
        await pilot.pause()
        assert app.selected == [1]


async def test_a_click_selects_a_row_and_a_second_one_opens_it() -> None:
    app = ListApp(row_height=2)
    async with shown(app, Numbers(MILLION)) as pilot:
        await pilot.click(PagedList, offset=(5, 7))
        assert (app.list.cursor, app.selected) == (3, [])
        await pilot.click(PagedList, offset=(5, 6))
        assert (app.list.cursor, app.selected) == (3, [3])


async def test_a_double_click_opens_a_row() -> None:
    app = ListApp()
    async with shown(app, Numbers(10)) as pilot:
        await pilot.double_click(PagedList, offset=(5, 4))
        assert app.selected == [4]


async def test_a_click_below_the_last_row_does_nothing() -> None:
    app = ListApp()
    async with shown(app, Numbers(3)) as pilot:
        await pilot.click(PagedList, offset=(5, 10))
        assert (app.list.cursor, app.selected) == (0, [])


async def test_an_empty_list_has_no_item_and_opens_nothing() -> None:
    app = ListApp()
    async with shown(app, Numbers(0)) as pilot:
        await pilot.press("down", "end", "pagedown", "enter")
        assert (app.list.cursor, app.list.item, app.posted) == (0, None, [])
        assert set(app.lines) == {""}


async def test_rows_that_are_not_loaded_are_placeholders_until_they_come() -> None:
    source, app = Numbers(MILLION), ListApp()
    async with shown(app, source) as pilot:
        source.open.clear()
        await pilot.press("end")
        assert app.lines[-2:] == [" …", "▌…"]
        assert app.list.item is None
        source.open.set()
        await settled(pilot)
        assert app.lines[-1] == f"▌row {MILLION - 1}"


async def test_keys_work_while_a_page_is_being_loaded() -> None:
    source, app = Numbers(MILLION), ListApp()
    async with shown(app, source) as pilot:
        source.open.clear()
        await pilot.press("end", "up", "up")
        assert app.list.cursor == MILLION - 3
        await pilot.press("home", "down")
        assert app.lines[:2] == [" row 0", "▌row 1"]
        source.open.set()


async def test_rows_passed_by_while_loading_are_never_asked_for() -> None:
    source, app = Numbers(MILLION), ListApp()
    async with shown(app, source) as pilot:
        source.open.clear()
        for stop in range(1, 100):
            app.list.cursor = stop * 5_000
        source.open.set()
        await settled(pilot)
        assert f"▌row {99 * 5_000}" in app.lines
        assert len(source.asked) <= 4


async def test_the_item_is_announced_when_its_page_comes() -> None:
    source, app = Numbers(MILLION), ListApp()
    async with shown(app, source) as pilot:
        source.open.clear()
        await pilot.press("end")
        assert app.highlighted == [0]
        source.open.set()
        await settled(pilot)
        assert app.highlighted == [0, MILLION - 1]


async def test_a_page_that_fails_is_reported_and_tried_again_on_the_next_scroll() -> None:
    class Fragile(Numbers):
        broken = True

        async def page(self, start: int, length: int) -> list[Row]:
            if start and self.broken:
                raise DatabaseError("the disk has gone")
            return await super().page(start, length)

    source, app = Fragile(MILLION), ListApp()
    async with shown(app, source) as pilot:
        await pilot.press("end")
        await settled(pilot)
        assert [str(m.error) for m in app.posted if isinstance(m, PagedList.Failed)] == [
            "the disk has gone"
        ]
        source.broken = False
        await pilot.press("pageup", "pageup")
        await settled(pilot)
        assert f"▌row {MILLION - 49}" in app.lines


async def test_a_fixed_number_of_pages_is_kept() -> None:
    source = Numbers(MILLION)
    pages = await Pages.read(source)
    for number in range(10 * KEPT):
        await pages.fetch(number)
    assert len(pages) == KEPT
    assert pages.get(0) is None
    assert pages.get(10 * KEPT * PAGE - 1) == Row(10 * KEPT * PAGE - 1, "row 40959")


async def test_the_page_last_looked_at_is_kept_longest() -> None:
    pages = await Pages.read(Numbers(MILLION))
    for number in range(KEPT):
        await pages.fetch(number)
    pages.get(0)
    await pages.fetch(KEPT)
    assert pages.get(0) is not None
    assert pages.get(PAGE) is None


async def test_a_page_shorter_than_promised_leaves_rows_unknown_without_asking_again() -> None:
    class Shrunk(Numbers):
        async def page(self, start: int, length: int) -> list[Row]:
            return (await super().page(start, length))[:10]

    source, app = Shrunk(100), ListApp()
    async with shown(app, source) as pilot:
        assert app.lines[9:11] == [" row 9", " …"]
        await pilot.press("end", "enter")
        await settled(pilot)
        assert (app.selected, source.asked) == ([], [0])


@pytest.mark.parametrize("source", [Newest(1_000), Findable(1_000)], ids=["near", "findable"])
async def test_rows_that_arrive_on_top_move_neither_the_selection_nor_the_screen(
    source: Newest,
) -> None:
    app = ListApp(key=row_id)
    async with shown(app, source) as pilot:
        await pilot.press("pagedown", "pagedown", "up")
        before, item = app.lines, app.list.item
        source.arrive(3)
        await app.list.refresh_source()
        await settled(pilot)
        assert (app.lines, app.list.item) == (before, item)
        assert app.list.cursor == 47 + 3
        assert app.highlighted[-1] == 47


async def test_a_source_that_finds_rows_holds_the_selection_however_many_arrive() -> None:
    source, app = Findable(1_000), ListApp(key=row_id)
    async with shown(app, source) as pilot:
        await pilot.press("end")
        before = app.lines
        source.arrive(50_000)
        await app.list.refresh_source()
        await settled(pilot)
        assert app.lines == before


async def test_at_the_top_arrivals_can_be_revealed_above_the_selection() -> None:
    source, app = Newest(100), ListApp(key=row_id)
    async with shown(app, source):
        source.arrive(2)
        await app.list.refresh_source(reveal=True)
        assert app.lines[:3] == [" memory 101", " memory 100", "▌memory 99"]


async def test_a_list_scrolled_away_from_its_cursor_stays_there_when_rows_arrive() -> None:
    source, app = Newest(1_000), ListApp(key=row_id)
    async with shown(app, source) as pilot:
        app.list.scroll_to(y=500, animate=False)
        await settled(pilot)
        before = app.lines
        source.arrive(1)
        await app.list.refresh_source(reveal=True)
        await settled(pilot)
        assert app.lines == before


async def test_keys_pressed_during_a_refresh_are_not_taken_back() -> None:
    class Slow(Findable):
        pilot: Pilot[None]

        async def position(self, item: Row) -> int | None:
            await self.pilot.press("down", "down")
            return await super().position(item)

    source, app = Slow(1_000), ListApp(key=row_id)
    async with shown(app, source) as pilot:
        source.pilot = pilot
        source.arrive(5)
        await app.list.refresh_source()
        assert app.list.item == Row(997, "memory 997")


async def test_without_a_key_a_refresh_keeps_the_index() -> None:
    source, app = Newest(100), ListApp()
    async with shown(app, source) as pilot:
        await pilot.press("down")
        source.arrive(1)
        await app.list.refresh_source()
        assert (app.list.cursor, app.list.item) == (1, Row(99, "memory 99"))


async def test_when_the_selected_row_is_gone_the_one_in_its_place_is_selected() -> None:
    source, app = Newest(100), ListApp(key=row_id)
    async with shown(app, source) as pilot:
        await pilot.press("down", "down")
        del source.rows[2]
        await app.list.refresh_source()
        await pilot.pause()
        assert app.lines[2] == "▌memory 96"
        assert app.highlighted == [0, 1, 2, 2]


async def test_a_list_that_shrinks_keeps_its_cursor_inside() -> None:
    source, app = Newest(1_000), ListApp(key=row_id)
    async with shown(app, source) as pilot:
        await pilot.press("end")
        del source.rows[10:]
        await app.list.refresh_source()
        await pilot.pause()
        assert (app.list.cursor, app.lines[9]) == (9, "▌memory 990")


async def test_a_new_source_starts_at_its_top() -> None:
    app = ListApp()
    async with shown(app, Numbers(MILLION)) as pilot:
        await pilot.press("end")
        await app.list.set_source(ListSource([Row(7, "seven"), Row(8, "eight")]))
        await pilot.pause()
        assert app.lines[:3] == ["▌seven", " eight", ""]
        assert app.list.scroll_offset.y == 0


async def test_a_new_source_can_keep_the_selected_item() -> None:
    rows: Sequence[Row] = [Row(n, f"row {n}") for n in (3, 1, 4)]
    app = ListApp()
    async with shown(app, Numbers(10)) as pilot:
        await pilot.press("down", "down", "down", "down")
        await app.list.set_source(ListSource(rows), keep=row_id)
        assert app.list.item == Row(4, "row 4")
        assert app.list.cursor == 2


async def test_the_old_rows_stay_until_the_new_ones_are_there() -> None:
    source, app = Numbers(5), ListApp()
    async with shown(app, ListSource([Row(7, "seven")])) as pilot:
        source.open.clear()
        app.run_worker(app.list.set_source(source))
        await pilot.pause()
        assert app.lines[0] == "▌seven"
        source.open.set()
        await settled(pilot)
        assert app.lines[0] == "▌row 0"


async def test_of_many_new_sources_at_once_the_last_is_shown_and_those_between_are_skipped() -> None:
    sources, app = [Numbers(5), Numbers(6), Numbers(7)], ListApp()
    async with shown(app, Numbers(4)) as pilot:
        sources[0].open.clear()
        for source in sources:
            app.run_worker(app.list.set_source(source))
        await pilot.pause()
        sources[0].open.set()
        await settled(pilot)
        assert app.list.count == 7
        assert sources[1].asked == []


async def test_the_cursor_stays_in_view_when_the_screen_shrinks() -> None:
    app = ListApp()
    async with shown(app, Numbers(MILLION)) as pilot:
        await pilot.press(*["down"] * 20)
        await pilot.resize_terminal(40, 10)
        await settled(pilot)
        assert len(app.lines) == 10
        assert "▌row 20" in app.lines


async def test_every_key_has_an_id_a_description_and_a_tooltip() -> None:
    app = ListApp()
    async with shown(app, Numbers(3)):
        bindings = [b for b in PagedList._merged_bindings.key_to_bindings.values()]  # noqa
