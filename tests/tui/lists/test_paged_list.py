"""The list: a cursor over any number of rows, by keys and by mouse."""

import pytest
from textual.binding import Binding
from textual.content import Content
from textual.events import MouseScrollDown

from memtui.tui.lists.paged_list import PagedList
from memtui.tui.text.content import edges, plain
from tests.tui.lists.list_app import MILLION, ListApp, Numbers, Row, shown, title_row
from tests.tui.patience import idle


async def test_the_first_of_a_million_rows_are_shown_and_only_their_page_is_asked_for() -> None:
    provider, app = Numbers(MILLION), ListApp()
    async with shown(app, provider):
        assert app.lines[:3] == ["▌row 0", " row 1", " row 2"]
        assert app.lines[23] == " row 23"
        assert app.list.count == MILLION
        assert provider.asked == [0]


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
        ("G home", 0),
    ],
)
async def test_keys_move_the_cursor(keys: str, cursor: int) -> None:
    app = ListApp()
    async with shown(app, Numbers(MILLION)) as pilot:
        await pilot.press(*keys.split())
        await idle(pilot)
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


async def test_the_cursor_stays_in_view_when_the_screen_shrinks() -> None:
    app = ListApp()
    async with shown(app, Numbers(MILLION)) as pilot:
        await pilot.press(*["down"] * 20)
        await pilot.resize_terminal(40, 10)
        await idle(pilot)
        assert len(app.lines) == 10
        assert "▌row 20" in app.lines


async def test_only_the_last_of_many_moves_in_a_row_is_announced() -> None:
    app = ListApp()
    async with shown(app, Numbers(10)) as pilot:
        for _ in range(5):
            app.list.action_move(1)
        await pilot.pause()
        assert app.highlighted == [0, 5]


async def test_rows_are_rendered_anew_for_another_width() -> None:
    app = ListApp(row=lambda item, width, selected: [edges(plain(item.title), plain("2h"), width)])
    async with shown(app, Numbers(1)) as pilot:
        await pilot.resize_terminal(21, 10)
        await idle(pilot)
        assert app.lines[0] == "▌row 0           2h"


async def test_the_selection_shows_without_focus_too() -> None:
    app = ListApp()
    async with shown(app, Numbers(3)) as pilot:
        app.set_focus(None)
        await pilot.pause()
        assert app.lines[:2] == ["▌row 0", " row 1"]


async def test_the_wheel_scrolls_and_leaves_the_cursor() -> None:
    app = ListApp()
    async with shown(app, Numbers(MILLION)) as pilot:
        app.list.post_message(MouseScrollDown(app.list, 5, 5, 0, 0, 0, False, False, False))
        await pilot.pause()
        assert app.lines[0] == " row 2"
        assert app.list.cursor == 0


@pytest.mark.usefixtures("painted")
async def test_a_cursor_move_renders_two_rows_and_a_move_back_none() -> None:
    rendered: list[int] = []

    def row(item: Row, width: int, selected: bool) -> list[Content]:
        rendered.append(item.id)
        return title_row(item, width, selected)

    app = ListApp(row=row)
    async with shown(app, Numbers(MILLION)) as pilot:
        rendered.clear()
        await pilot.press("down")
        assert sorted(rendered) == [0, 1]
        await pilot.press("up")
        assert sorted(rendered) == [0, 1]
        app.list.repaint_rows()
        await pilot.pause()
        assert sorted(rendered[2:]) == list(range(24))


async def test_a_subclass_renders_its_own_rows() -> None:
    class Shouting(PagedList[Row]):
        row_height = 2

        def render_row(self, item: Row, width: int, selected: bool) -> list[Content]:
            return [plain(item.title.upper())]

    app = ListApp(Shouting())
    async with shown(app, Numbers(2)):
        assert app.lines[:4] == ["▌ROW 0", "▌", " ROW 1", ""]


def test_every_key_can_be_remapped_and_says_what_it_does() -> None:
    for binding in PagedList.BINDINGS:
        assert isinstance(binding, Binding)
        assert binding.id and binding.description and binding.tooltip
