"""Rows of different heights: which are in view, and that all of them can be."""

from random import Random

import pytest

from memtui.tui.lists.rows import RowLayout
from tests.tables import table


def layouts(number: int) -> RowLayout:
    """Rows and a view of all sizes, also of a single line and with rows higher than the view."""
    random = Random(number)
    most = random.choice((1, 2, 2, 3))
    heights = [random.randint(1, most) for _ in range(random.choice((0, 1, 2, 7, 40, 130)))]
    room = random.choice((1, 2, 3, 4, 8, 23, 50))
    return RowLayout(len(heights), room, lambda at: heights[at] if at < len(heights) else most)


def whole(layout: RowLayout, top: int) -> set[int]:
    """The rows that are whole in view."""
    return set(range(top, min(layout.count, top + layout.fitting(top))))


MANY = range(100)


@table("number", MANY)
def test_every_row_is_whole_in_view_as_near_as_it_can_be(number: int) -> None:
    layout = layouts(number)
    for index in range(layout.count):
        for top in {0, index, layout.last_top, max(0, index - 5), min(layout.count, index + 5)}:
            found = layout.showing(index, top)
            assert index in whole(layout, found)
            assert all(index not in whole(layout, at) for at in range(found + 1, top + 1))
            assert all(index not in whole(layout, at) for at in range(top, found))


@table("number", MANY)
def test_at_the_end_the_last_row_is_whole_and_nothing_is_left_blank(number: int) -> None:
    layout = layouts(number)
    if layout.count:
        assert layout.count - 1 in whole(layout, layout.last_top)
        if layout.last_top:
            assert layout.count - 1 not in whole(layout, layout.last_top - 1)
    else:
        assert layout.last_top == 0


@table("number", MANY)
def test_lines_of_the_view_are_rows_one_after_the_other(number: int) -> None:
    layout = layouts(number)
    for top in range(0, layout.count, 3):
        lines = layout.lines(top)
        assert len(lines) == layout.room
        for line, (index, part) in enumerate(lines):
            begins = layout.line_of(index, top)
            assert begins is not None
            assert line == begins + part
        assert layout.line_of(top - 1, top) is None
        assert layout.line_of(lines[-1][0] + 1, top) is None


@table("number", MANY)
def test_a_row_keeps_its_line_or_takes_the_nearest_above(number: int) -> None:
    layout = layouts(number)
    for index in range(layout.count):
        for line in range(layout.room):
            top = layout.with_line(index, line)
            found = layout.line_of(index, top)
            assert found is not None and index in whole(layout, top)
            if top and line + layout.lines_of(index) <= layout.room:
                assert found <= line < found + layout.lines_of(top - 1)


@pytest.mark.parametrize("pages", [1.0, 0.5])
@table("number", MANY)
def test_page_by_page_every_row_has_been_in_view_down_and_up(number: int, pages: float) -> None:
    layout = layouts(number)
    for step in (pages, -pages):
        cursor = 0 if step > 0 else max(0, layout.count - 1)
        top = layout.showing(cursor, 0)
        seen = whole(layout, top)
        for _ in range(layout.count):
            cursor = max(0, min(layout.page(cursor, step), layout.count - 1))
            top = layout.showing(cursor, top)
            seen |= whole(layout, top)
        assert seen == set(range(layout.count))
        assert cursor == (max(0, layout.count - 1) if step > 0 else 0)


def test_of_many_rows_only_as_many_are_looked_at_as_fit() -> None:
    asked: list[int] = []

    def height(index: int) -> int:
        asked.append(index)
        return 2

    layout = RowLayout(1_000_000, 40, height)
    assert layout.last_top == 999_980
    assert layout.page(500_000, 1.0) == 500_020
    assert layout.with_line(700_000, 10) == 699_995
    assert layout.line_of(999_999, 0) is None
    assert len(asked) < 200
