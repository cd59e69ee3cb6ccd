"""sort:oldest: the oldest memories first, of a list and of a search, wherever in it one looks."""

import pytest

from memtui.store import Store
from memtui.store.platform.clock import now_ms

DAY = 86_400_000


@pytest.fixture
def filled(store: Store) -> Store:
    """Memories 0 to 59, a day each, not stored in that order; one is dated by a wrong clock."""
    now = now_ms()
    for number in [*range(0, 60, 2), *range(59, 0, -2)]:
        store.observations.add(
            "c-1",
            title=f"valve {number:02}",
            project="pump" if number % 3 else "",
            at=now - (60 - number) * DAY,
        )
    store.observations.add("c-1", title="valve 99", project="pump", at=now + 400 * DAY)
    return store


@pytest.mark.parametrize("query", ["sort:oldest", "valve sort:oldest", "va sort:oldest"])
def test_the_oldest_come_first_and_what_is_dated_ahead_last(filled: Store, query: str) -> None:
    found = [hit.row.title for hit in filled.find(query).page(limit=100).hits]
    assert found == [*(f"valve {number:02}" for number in range(60)), "valve 99"]
    assert [hit.row.title for hit in filled.find(query).page(limit=2).hits] == ["valve 00", "valve 01"]


def test_a_part_of_a_list_knows_where_it_stands(filled: Store) -> None:
    query = "sort:oldest project:pump"
    whole = filled.find(query).rows(0, 100)
    assert [row.title for row in whole] == sorted(row.title for row in whole)
    assert filled.find(query).rows(7, 5) == whole[7:12]
    assert [filled.find(query).position(row) for row in whole] == [*range(len(whole))]
    assert filled.find(query).not_before(whole[4].created_at) == 4


def test_it_is_understood_completed_and_corrected(filled: Store) -> None:
    assert filled.parse("sort:oldest").sort == filled.parse("排序:最早").sort == "oldest"
    offered = filled.completions("sort:ol")
    assert offered is not None
    assert [(one.label, one.note) for one in offered.items] == [("oldest", "oldest first")]
    (remark,) = filled.remarks("sort:old")
    assert "oldest" in str(remark)
