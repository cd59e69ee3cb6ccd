"""Timeline rows: so many before and after a memory, or a span of time, in few tokens."""

from datetime import datetime

import pytest

from memtui.store import InvalidRecordError, NotFoundError, Store
from memtui.store.context.compact.timeline import ROW, timeline_rows, window_rows
from memtui.store.text.tokens import token_weight

START = round(datetime(2026, 2, 18, 9).timestamp() * 1000)
MINUTE = 60_000
LONG = "现在先加锁再读取令牌，并在日志中记录时钟偏差 and the lock is taken first now, " * 5


def fill(store: Store, count: int = 10) -> list[str]:
    """As many observations, a minute apart, in one session."""
    return [
        str(store.observations.add("c-1", title=f"step {number}", at=START + number * MINUTE).id)
        for number in range(count)
    ]


def test_so_many_before_and_after_in_the_order_of_time(store: Store) -> None:
    ids = fill(store)
    store.observations.add("c-2", title="of another session", at=START + 5 * MINUTE)
    found = timeline_rows(store, ids[5], before=2, after=3)
    assert [row.id for row in found.rows] == ids[3:9]
    assert [row.id for row in found.rows if row.is_anchor] == [ids[5]]
    assert (found.earlier, found.later) == (ids[3], ids[8])
    assert f"earlier: timeline {ids[3]}" in found.text


def test_at_the_ends_nothing_is_said_to_be_left_out(store: Store) -> None:
    ids = fill(store, 3)
    found = timeline_rows(store, ids[1], before=1, after=1)
    assert (found.earlier, found.later) == (None, None)
    assert "more" not in found.closing


def test_a_wider_scope_tells_the_project_of_each(store: Store) -> None:
    ids = fill(store, 2)
    store.observations.add("c-2", title="elsewhere", at=START + 30_000, project="atlas")
    assert "elsewhere" not in timeline_rows(store, ids[0]).text
    assert "elsewhere (atlas)" in timeline_rows(store, ids[0], scope="all").text


@pytest.mark.parametrize("title", [LONG, "{[(x)]}" * 60, "plain words of a title " * 20])
def test_a_row_takes_at_most_30_tokens_with_its_share_of_the_rest(store: Store, title: str) -> None:
    for number in range(21):
        store.observations.add(
            "c-1", title=f"{number} {title}", at=START + number * MINUTE, project="项目" * 30
        )
    found = timeline_rows(store, "11", scope="all")
    lines = found.text.split("\n")
    assert max(map(token_weight, lines[2:-2])) <= ROW
    assert found.tokens <= 30 * len(found.rows)


def test_each_day_stands_above_its_rows(store: Store) -> None:
    store.observations.add("c-1", title="one", at=START)
    store.observations.add("c-1", title="two", at=START + 86_400_000)
    lines = timeline_rows(store, "1").text.split("\n")
    assert lines[1:5] == ["2026-02-18:", "> 09:00 1 note: one", "2026-02-19:", "09:00 2 note: two"]


def test_a_session_stands_for_its_first_memory_and_a_fact_for_its_project(store: Store) -> None:
    ids = fill(store, 3)
    assert [row.id for row in timeline_rows(store, "@1", before=0).rows] == ids
    fact = store.facts.add("a fact", at=START + 90_000)
    rows = timeline_rows(store, f"f{fact.id}", before=1, after=1).rows
    assert [row.id for row in rows] == [ids[1], f"f{fact.id}", ids[2]]


def test_what_is_hidden_is_neither_anchor_nor_row(store: Store) -> None:
    ids = fill(store, 3)
    store.observations.set_private(int(ids[1]))
    assert [row.id for row in timeline_rows(store, ids[0]).rows] == [ids[0], ids[2]]
    with pytest.raises(NotFoundError, match="private"):
        timeline_rows(store, ids[1])
    assert timeline_rows(store, ids[1], hidden=True).rows[1].is_anchor


def test_a_span_of_time_goes_on_to_what_was_before(store: Store) -> None:
    ids = fill(store)
    found = window_rows(store, "2026-02-18", "2026-02-18", limit=4)
    assert [row.id for row in found.rows] == ids[6:]
    assert '6 earlier ones are left out: cursor="4"' in found.closing
    rest = window_rows(store, "2026-02-18", limit=6, cursor=found.cursor)
    assert [row.id for row in rest.rows] == ids[:6]
    assert rest.cursor is None


def test_a_span_of_a_project_holds_only_that(store: Store) -> None:
    fill(store, 2)
    store.observations.add("c-2", title="elsewhere", at=START, project="atlas")
    assert [row.title for row in window_rows(store, "2026", project="atlas").rows] == ["elsewhere"]
    assert window_rows(store, "2025", "2025").text == "Nothing is remembered of that time."


@pytest.mark.parametrize("time", ["", "soon", "2026-13-45", '2026" is:private'])
def test_what_is_no_time_is_refused(store: Store, time: str) -> None:
    with pytest.raises(InvalidRecordError, match="not a time"):
        window_rows(store, time)


def test_plain_values_have_no_nulls(store: Store) -> None:
    fill(store, 1)
    assert timeline_rows(store, "1").as_dict() == {
        "rows": [{"id": "1", "type": "note", "title": "step 0", "at": "2026-02-18 09:00", "anchor": True}]
    }
