"""What the list loads, when, and how much of it stays."""

from __future__ import annotations

from memtui.store import DatabaseError
from memtui.tui.lists.paged_list import PagedList
from memtui.tui.lists.provider import KEPT, PAGE, ListProvider, Pages
from tests.tui.lists.list_app import MILLION, ListApp, Numbers, Row, shown
from tests.tui.patience import idle


async def test_rows_that_are_not_loaded_are_placeholders_until_they_come() -> None:
    provider, app = Numbers(MILLION), ListApp()
    async with shown(app, provider) as pilot:
        provider.open.clear()
        await pilot.press("end")
        assert app.lines[-2:] == [" …", "▌…"]
        assert app.list.item is None
        provider.open.set()
        await idle(pilot)
        assert app.lines[-1] == f"▌row {MILLION - 1}"


async def test_keys_work_while_a_page_is_being_loaded() -> None:
    provider, app = Numbers(MILLION), ListApp()
    async with shown(app, provider) as pilot:
        provider.open.clear()
        await pilot.press("end", "up", "up")
        assert app.list.cursor == MILLION - 3
        await pilot.press("home", "down")
        assert app.lines[:2] == [" row 0", "▌row 1"]
        provider.open.set()


async def test_rows_passed_by_while_loading_are_never_asked_for() -> None:
    provider, app = Numbers(MILLION), ListApp()
    async with shown(app, provider) as pilot:
        provider.open.clear()
        for stop in range(1, 100):
            app.list.cursor = stop * 5_000
        provider.open.set()
        await idle(pilot)
        assert f"▌row {99 * 5_000}" in app.lines
        assert len(provider.asked) <= 4


async def test_the_item_is_announced_when_its_page_comes() -> None:
    provider, app = Numbers(MILLION), ListApp()
    async with shown(app, provider) as pilot:
        provider.open.clear()
        await pilot.press("end")
        assert app.highlighted == [0]
        provider.open.set()
        await idle(pilot)
        assert app.highlighted == [0, MILLION - 1]


async def test_a_page_that_fails_is_reported_and_tried_again_on_the_next_scroll() -> None:
    class Fragile(Numbers):
        broken = True

        async def page(self, start: int, length: int) -> list[Row]:
            if start and self.broken:
                raise DatabaseError("the disk has gone")
            return await super().page(start, length)

    provider, app = Fragile(MILLION), ListApp()
    async with shown(app, provider) as pilot:
        await pilot.press("end")
        await idle(pilot)
        assert [str(m.error) for m in app.posted if isinstance(m, PagedList.Failed)] == [
            "the disk has gone"
        ]
        provider.broken = False
        await pilot.press("pageup", "pageup")
        await idle(pilot)
        assert f"▌row {MILLION - 49}" in app.lines


async def test_a_fixed_number_of_pages_is_kept() -> None:
    provider = Numbers(MILLION)
    pages = await Pages.read(provider)
    for number in range(10 * KEPT):
        await pages.fetch(number)
    assert len(pages) == KEPT
    assert pages.get(0) is None
    assert pages.get(10 * KEPT * PAGE - 1) == Row(10 * KEPT * PAGE - 1, f"row {10 * KEPT * PAGE - 1}")


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

    provider, app = Shrunk(100), ListApp()
    async with shown(app, provider) as pilot:
        assert app.lines[9:11] == [" row 9", " …"]
        await pilot.press("end", "enter")
        await idle(pilot)
        assert (app.selected, provider.asked) == ([], [0])


async def test_the_old_rows_stay_until_the_new_ones_are_there() -> None:
    provider, app = Numbers(5), ListApp()
    async with shown(app, ListProvider([Row(7, "seven")])) as pilot:
        provider.open.clear()
        app.run_worker(app.list.set_provider(provider))
        await pilot.pause()
        assert app.lines[0] == "▌seven"
        provider.open.set()
        await idle(pilot)
        assert app.lines[0] == "▌row 0"


async def test_of_many_new_sources_at_once_the_last_is_shown_and_those_between_are_skipped() -> None:
    providers, app = [Numbers(5), Numbers(6), Numbers(7)], ListApp()
    async with shown(app, Numbers(4)) as pilot:
        providers[0].open.clear()
        for provider in providers:
            app.run_worker(app.list.set_provider(provider))
        await pilot.pause()
        providers[0].open.set()
        await idle(pilot)
        assert app.list.count == 7
        assert providers[1].asked == []
