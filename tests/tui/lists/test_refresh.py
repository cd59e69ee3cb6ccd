"""The list when what it shows changes: the selection stays where it is."""

import asyncio

import pytest
from textual.pilot import Pilot

from memtui.tui.lists.provider import ListProvider
from tests.tui.lists.list_app import MILLION, Findable, ListApp, Newest, Numbers, Row, row_id, shown
from tests.tui.patience import idle


@pytest.mark.parametrize("provider", [Newest(1_000), Findable(1_000)], ids=["near", "findable"])
async def test_rows_that_arrive_on_top_move_neither_the_selection_nor_the_screen(provider: Newest) -> None:
    app = ListApp(key=row_id)
    async with shown(app, provider) as pilot:
        await pilot.press("pagedown", "pagedown", "up")
        before, item = app.lines, app.list.item
        provider.arrive(3)
        await app.list.reload()
        await idle(pilot)
        assert (app.lines, app.list.item) == (before, item)
        assert app.list.cursor == 47 + 3
        assert app.highlighted[-1] == 47


async def test_a_source_that_finds_rows_holds_the_selection_however_many_arrive() -> None:
    provider, app = Findable(1_000), ListApp(key=row_id)
    async with shown(app, provider) as pilot:
        await pilot.press("end")
        before = app.lines
        provider.arrive(50_000)
        await app.list.reload()
        await idle(pilot)
        assert app.lines == before


async def test_at_the_top_arrivals_can_be_revealed_above_the_selection() -> None:
    provider, app = Newest(100), ListApp(key=row_id)
    async with shown(app, provider):
        provider.arrive(2)
        await app.list.reload(reveal=True)
        assert app.lines[:3] == [" memory 101", " memory 100", "▌memory 99"]


async def test_a_list_scrolled_away_from_its_cursor_stays_there_when_rows_arrive() -> None:
    provider, app = Newest(1_000), ListApp(key=row_id)
    async with shown(app, provider) as pilot:
        app.list.scroll_to(y=500, animate=False)
        await idle(pilot)
        before = app.lines
        provider.arrive(1)
        await app.list.reload(reveal=True)
        await idle(pilot)
        assert app.lines == before


async def test_keys_pressed_during_a_refresh_are_not_taken_back() -> None:
    class Slow(Findable):
        pilot: Pilot[None]

        async def position(self, item: Row) -> int | None:
            await self.pilot.press("down", "down")
            return await super().position(item)

    provider, app = Slow(1_000), ListApp(key=row_id)
    async with shown(app, provider) as pilot:
        provider.pilot = pilot
        provider.arrive(5)
        await app.list.reload()
        assert app.list.item == Row(997, "memory 997")


async def test_two_refreshes_at_once_do_not_move_the_selection_twice() -> None:
    provider, app = Newest(1_000), ListApp(key=row_id)
    async with shown(app, provider):
        provider.arrive(3)
        await asyncio.gather(app.list.reload(), app.list.reload())
        assert app.list.item == Row(999, "memory 999")


async def test_without_a_key_a_refresh_keeps_the_index() -> None:
    provider, app = Newest(100), ListApp()
    async with shown(app, provider) as pilot:
        await pilot.press("down")
        provider.arrive(1)
        await app.list.reload()
        assert (app.list.cursor, app.list.item) == (1, Row(99, "memory 99"))


async def test_when_the_selected_row_is_gone_the_one_in_its_place_is_selected() -> None:
    provider, app = Newest(100), ListApp(key=row_id)
    async with shown(app, provider) as pilot:
        await pilot.press("down", "down")
        del provider.rows[2]
        await app.list.reload()
        await pilot.pause()
        assert app.lines[2] == "▌memory 96"
        assert app.highlighted == [0, 1, 2, 2]


async def test_a_list_that_shrinks_keeps_its_cursor_inside() -> None:
    provider, app = Newest(1_000), ListApp()
    async with shown(app, provider) as pilot:
        await pilot.press("end")
        del provider.rows[10:]
        await app.list.reload()
        assert (app.list.cursor, app.lines[9]) == (9, "▌memory 990")


async def test_a_new_source_starts_at_its_top() -> None:
    app = ListApp()
    async with shown(app, Numbers(MILLION)) as pilot:
        await pilot.press("end")
        await app.list.set_provider(ListProvider([Row(7, "seven"), Row(8, "eight")]))
        await pilot.pause()
        assert app.lines[:3] == ["▌seven", " eight", ""]
        assert app.list.scroll_offset.y == 0


async def test_a_new_source_can_keep_the_selected_item() -> None:
    rows = [Row(n, f"row {n}") for n in (3, 1, 4)]
    app = ListApp()
    async with shown(app, Numbers(10)) as pilot:
        await pilot.press("down", "down", "down", "down")
        await app.list.set_provider(ListProvider(rows), keep=row_id)
        assert app.list.item == Row(4, "row 4")
        assert app.list.cursor == 2
