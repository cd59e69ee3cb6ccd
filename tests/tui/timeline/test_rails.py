"""Rails: what links the rows of a session, whatever the order of the rows."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from memtui.tui.timeline.moments import APART, rails

SESSIONS = st.lists(st.none() | st.integers(1, 7), max_size=120)


def drawn(sessions: list[int | None], most: int = 4) -> list[str]:
    """The lanes of each row as text."""
    return [
        "".join(mark.symbol if mark else " " for mark in lanes) for lanes in rails(sessions, most, 6).lanes
    ]


def test_the_rows_of_a_session_are_linked_past_those_of_others() -> None:
    assert drawn([1, 1, 2, 1, None, 2, 3]) == ["┌ ", "├ ", "│┌", "└│", " │", " └", "╶ "]


def test_what_has_no_lane_of_its_own_is_marked_in_a_shared_one() -> None:
    assert drawn([1, 2, 3, 2, 3, 1], most=1) == ["┌ ", "│•", "│•", "│•", "│•", "└ "]
    assert drawn([1, 2, 1, 2], most=0) == ["•", "•", "•", "•"]


def test_a_session_that_goes_on_much_later_begins_a_rail_anew() -> None:
    away: list[int | None] = [None] * APART
    assert drawn([1, 1, *away, 1, 1]) == ["┌", "└", *" " * APART, "┌", "└"]
    assert drawn([1, 1, *away[1:], 1, 1]) == ["┌", "├", *"│" * (APART - 1), "├", "└"]


def test_no_rows_and_rows_without_a_session_have_no_rails() -> None:
    assert rails([], 4, 6).lanes == []
    assert rails([None, None], 4, 6).lanes == [(), ()]


@given(sessions=SESSIONS, most=st.integers(0, 6))
def test_every_row_has_one_mark_of_its_own_and_rails_have_no_gap(
    sessions: list[int | None], most: int
) -> None:
    found = rails(sessions, most, 6)
    assert len(found.lanes) == len(found.stretches) == len(sessions)
    assert max(map(len, found.lanes), default=0) <= most + 1
    for session, stretch, lanes in zip(sessions, found.stretches, found.lanes, strict=True):
        own = [mark for mark in lanes if mark is not None and mark.symbol != "│"]
        assert len(own) == (session is not None)
        assert (stretch.session if stretch else None) == session
    for above, below in pairwise(found.lanes):
        for upper, lower in zip(above, below, strict=True):
            goes_down = upper is not None and upper.symbol in "┌├│"
            comes_up = lower is not None and lower.symbol in "├└│"
            assert goes_down == comes_up
            if goes_down and upper is not None and lower is not None:
                assert upper.colour == lower.colour


@given(sessions=SESSIONS)
def test_rails_beside_each_other_differ_in_colour(sessions: list[int | None]) -> None:
    for lanes in rails(sessions, 3, 12).lanes:
        colours = [mark.colour for mark in lanes if mark is not None]
        assert len(colours) == len(set(colours))


@given(sessions=SESSIONS, more=SESSIONS)
def test_rows_that_come_later_move_no_rail_that_has_ended(
    sessions: list[int | None], more: list[int | None]
) -> None:
    later = [session and session + 100 for session in more]
    before, after = rails(sessions, 3, 6), rails([*sessions, *later], 3, 6)
    for one, other in zip(before.lanes, after.lanes, strict=False):
        assert one == other[: len(one)]
