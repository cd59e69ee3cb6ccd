"""The list where rows take one line or two: scrolled by row, and nothing jumps."""

import pytest
from textual.content import Content
from textual.events import MouseScrollDown
from textual.scrollbar import ScrollTo

from memtui.tui.lists.paged_list import PagedList
from memtui.tui.text.content import plain
from tests.tui.lists.list_app import (
    MILLION,
    Findable,
    ListApp,
    Newest,
    Numbers,
    Row,
    row_id,
    shown,
)
from tests.tui.patience import idle

SIZES = [(80, 24), (160, 50), (60, 20), (30, 8), (30, 3), (30, 1)]

KEYS = "down down pagedown down ctrl+d pagedown pagedown up end up pageup ctrl+u end home down"


class Uneven(PagedList[Row]):
    """Every third row has a second line."""

    row_height = 2

    def lines_for(self, item: Row) -> int:
        return 1 if item.id % 3 else 2

    def render_row(self, item: Row, width: int, selected: bool) -> list[Content]:
        return [plain(item.title), *[plain("below")] * (self.lines_for(item) - 1)]


class Headed(Uneven):
    """The same, with a line of heads."""

    has_heads = True

    def render_heads(self, width: int) -> Content:
        return Content("title          age")


def assert_whole(app: ListApp) -> None:
    """The row under the cursor is in view with all of its lines, as far as the view has as many."""
    rows, lines = app.list, app.lines
    item = rows.item
    assert item is not None
    at = lines.index(f"▌{item.title}")
    height = min(rows.height_of(rows.cursor), rows.size.height)
    assert [line for line in lines if line.startswith("▌")] == lines[at : at + height]


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("rows", [1, 2, 7, 100, MILLION])
@pytest.mark.sampled
async def test_the_row_of_the_cursor_is_always_whole_in_view(rows: int, size: tuple[int, int]) -> None:
    app = ListApp(Uneven(key=row_id))
    async with shown(app, Numbers(rows)) as pilot:
        await pilot.resize_terminal(*size)
        await idle(pilot)
        for key in KEYS.split():
            await pilot.press(key)
            await idle(pilot)
            assert_whole(app)


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.sampled
async def test_page_by_page_every_row_is_seen_and_the_end_leaves_nothing_blank(
    size: tuple[int, int],
) -> None:
    app = ListApp(Uneven())
    async with shown(app, Numbers(300)) as pilot:
        await pilot.resize_terminal(*size)
        await idle(pilot)
        for key in ("pagedown", "pageup"):
            seen: set[str] = set()
            before = -1
            while before != app.list.cursor:
                before = app.list.cursor
                seen |= {line.strip(" ▌") for line in app.lines}
                await pilot.press(key)
                await idle(pilot)
            assert {f"row {number}" for number in range(300)} <= seen
        await pilot.press("end")
        await idle(pilot)
        # No more is left blank than the row above the first has lines.
        assert "row 299" in [line.strip(" ▌") for line in app.lines[-2:]]


async def test_one_line_up_and_down_moves_the_screen_by_one_row() -> None:
    app = ListApp(Uneven())
    async with shown(app, Numbers(100)) as pilot:
        assert app.lines[:5] == ["▌row 0", "▌below", " row 1", " row 2", " row 3"]
        await pilot.press(*["down"] * 18)
        assert app.lines[-2:] == ["▌row 18", "▌below"]
        assert app.lines[0] == " row 1"
        await pilot.press("up")
        assert app.lines[0] == " row 1"


async def test_a_click_selects_the_row_that_is_there() -> None:
    app = ListApp(Uneven())
    async with shown(app, Numbers(100)) as pilot:
        await pilot.click(PagedList, offset=(5, 5))
        assert app.list.item == Row(3, "row 3")
        await pilot.click(PagedList, offset=(5, 6))
        assert app.list.item == Row(4, "row 4")


async def test_the_wheel_and_the_scrollbar_go_by_row() -> None:
    app = ListApp(Uneven())
    async with shown(app, Numbers(MILLION)) as pilot:
        app.list.post_message(MouseScrollDown(app.list, 5, 5, 0, 0, 0, False, False, False))
        await pilot.pause()
        assert app.lines[0] == " row 2"
        app.list.post_message(ScrollTo(y=500_000, animate=False))
        await idle(pilot)
        assert app.lines[0] == " row 500000"
        app.list.post_message(ScrollTo(y=2 * MILLION, animate=False))
        await idle(pilot)
        assert app.lines[-2:] == [" row 999999", " below"]


async def test_rows_that_are_not_loaded_move_the_cursor_little_when_they_come() -> None:
    provider, app = Numbers(MILLION), ListApp(Uneven())
    async with shown(app, provider) as pilot:
        provider.open.clear()
        await pilot.press("end")
        assert app.lines[-2:] == ["▌…", "▌"]
        provider.open.set()
        await idle(pilot)
        assert app.lines[-2:] == ["▌row 999999", "▌below"]
        provider.open.clear()
        app.list.cursor = 500_000
        line = app.list.cursor_line
        provider.open.set()
        await idle(pilot)
        assert app.list.cursor_line == line
        assert_whole(app)


@pytest.mark.parametrize("keys", ["", "down down down down", "pagedown pagedown up", "end"])
@pytest.mark.parametrize("many", [1, 2, 3, 50])
async def test_nothing_jumps_when_rows_arrive_above(keys: str, many: int) -> None:
    provider, app = Findable(1_000), ListApp(Uneven(key=row_id))
    async with shown(app, provider) as pilot:
        for key in keys.split():
            await pilot.press(key)
        await idle(pilot)
        before = app.lines
        provider.arrive(many)
        await app.list.reload()
        await idle(pilot)
        assert app.lines == before


async def test_the_cursor_keeps_its_line_when_rows_above_it_lose_a_line() -> None:
    provider, app = Newest(40), ListApp(Uneven(key=row_id))
    async with shown(app, provider) as pilot:
        await pilot.press(*["down"] * 30)
        line = app.list.cursor_line
        provider.rows[:] = [
            Row(row.id * 3 + 1 if row.id > 20 else row.id, row.title) for row in provider.rows
        ]
        await app.list.reload()
        await idle(pilot)
        assert app.list.cursor_line == line
        assert_whole(app)


async def test_of_a_compact_list_each_row_takes_one_line_and_the_cursor_stays() -> None:
    app = ListApp(Uneven())
    async with shown(app, Numbers(1_000)) as pilot:
        await pilot.press(*["down"] * 40)
        line, item = app.list.cursor_line, app.list.item
        app.list.set_compact(True)
        await idle(pilot)
        assert "below" not in "".join(app.lines)
        assert (app.list.cursor_line, app.list.item) == (line, item)
        app.list.set_compact(False)
        await idle(pilot)
        assert any(strip.endswith("below") for strip in app.lines)
        assert app.list.item == item
        assert_whole(app)
        await pilot.press("end")
        await idle(pilot)
        assert app.lines[-2:] == ["▌row 999", "▌below"]


@pytest.mark.parametrize("size", SIZES, ids=str)
async def test_the_heads_of_columns_stay_above_the_rows_where_there_is_room(size: tuple[int, int]) -> None:
    app = ListApp(Headed(key=row_id))
    async with shown(app, Numbers(1_000)) as pilot:
        await pilot.resize_terminal(*size)
        await idle(pilot)
        for key in ("down", "pagedown", "end", "pageup"):
            await pilot.press(key)
            await idle(pilot)
            assert (app.lines[0] == " title          age") == (size[1] >= 5)
            assert_whole(app)


async def test_a_click_on_the_heads_does_nothing_and_below_them_selects() -> None:
    app = ListApp(Headed())
    async with shown(app, Numbers(100)) as pilot:
        await pilot.press("down")
        await pilot.click(PagedList, offset=(5, 0))
        assert (app.list.cursor, app.selected) == (1, [])
        await pilot.click(PagedList, offset=(5, 4))
        assert app.list.cursor == 2


async def test_without_rows_there_are_no_heads() -> None:
    app = ListApp(Headed())
    async with shown(app, Numbers(0)):
        assert set(app.lines) == {""}
