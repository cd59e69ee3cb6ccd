"""What is dated ahead of now: found as ever, but never listed as the newest."""

from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.platform.clock import DAY_MS, now_ms

CENTURY = 73 * 365 * DAY_MS


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    """Every fifth memory is from the future, every seventh is pinned."""
    path = tmp_path / "memory.db"
    now = now_ms()
    with Store.open(path) as store, store.transaction():
        for number in range(60):
            ahead = CENTURY if number % 5 == 0 else 0
            one = store.observations.add(
                None, title=f"clock {number}", at=now - number * 3_600_000 + ahead, project="atlas"
            )
            if number % 7 == 0:
                store.observations.pin(one.id)
    return path


def in_order(pinned_first: bool) -> list[int]:
    def key(number: int) -> tuple[bool, bool, int]:
        return (pinned_first and number % 7 != 0, number % 5 == 0, number)

    return sorted(range(60), key=key)


@pytest.mark.parametrize("query", ["", "project:atlas", "sort:pinned", "project:atlas sort:pinned"])
def test_pages_of_any_length_hold_every_row_once_with_the_future_last(memory: Path, query: str) -> None:
    wanted = [f"clock {number}" for number in in_order("pinned" in query)]
    with Store.open(memory) as store:
        for length in (1, 7, 25, 60, 100):
            found = [
                row.title for start in range(0, 60, length) for row in store.find(query).rows(start, length)
            ]
            assert found == wanted
        rows = store.find(query).rows(0, 100)
        assert [store.find(query).position(row) for row in rows] == list(range(60))
        assert store.find(query).count().value == 60
        assert store.find(query).rows(60, 5) == []


def test_a_search_by_time_has_the_future_last_too(memory: Path) -> None:
    with Store.open(memory) as store:
        found = [hit.row.title for hit in store.find("clock sort:recent").page(limit=100).hits]
    assert found == [f"clock {number}" for number in in_order(False)]


def test_what_is_hours_ahead_counts_as_of_now(tmp_path: Path) -> None:
    with Store.open(tmp_path / "memory.db") as store:
        store.observations.add(None, title="now", at=now_ms())
        store.observations.add(None, title="in another time zone", at=now_ms() + DAY_MS // 2)
        assert [row.title for row in store.find("").rows(0, 2)] == ["in another time zone", "now"]


def test_a_search_without_words_has_it_last(memory: Path) -> None:
    with Store.open(memory) as store:
        found = [hit.row.title for hit in store.find("").page(limit=60).hits]
    assert found == [f"clock {number}" for number in in_order(False)]


def test_facets_and_time_lines_end_with_what_can_have_happened(memory: Path) -> None:
    with Store.open(memory) as store:
        for query in ("", "clock", "project:atlas"):
            found = store.find(query).facets()
            for spans in (found.counts["day"], found.over_time):
                assert spans and all(span < "2090" for span, _ in spans)


def test_sessions_of_a_wrong_clock_come_last(memory: Path) -> None:
    with Store.open(memory) as store:
        store.sessions.start("ahead", agent="codex", at=now_ms() + CENTURY)
        store.sessions.start("today", agent="codex")
        listed = [one.session.content_session_id for one in store.sessions.list(ahead_last=True)]
        assert listed[0] == "today" and listed[-1] == "ahead"
        pages = [store.sessions.list(limit=1, offset=n, ahead_last=True) for n in range(len(listed))]
        assert [page[0].session.content_session_id for page in pages] == listed
