"""The days on which sessions began: each session on one of them, whatever its date and the time zone."""

import time
from collections import Counter
from collections.abc import Iterator
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.store import Store

HOUR = 3_600_000
NOON = 1_771_329_600_000
"""Tue 2026-02-17 12:00 UTC."""
ODD = (0, -5, -(1 << 62), 1, 253_399_999_999_999, 253_400_000_000_000, (1 << 63) - 1)


@pytest.fixture(params=["UTC", "America/New_York", "Pacific/Auckland"])
def zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield request.param
    monkeypatch.undo()
    time.tzset()


def begun(store: Store, *starts: int, project: str = "atlas", agent: str = "codex") -> None:
    """Store a session for each of these starts."""
    for number, at in enumerate(starts):
        name = f"{project}-{agent}-{number}"
        store.sessions.start(name, project=project, agent=agent, at=NOON)
        store.db.execute("UPDATE sessions SET started_at = ? WHERE content_session_id = ?", (at, name))


def test_each_session_is_on_the_day_of_its_local_date(store: Store, zone: str) -> None:
    starts = [NOON - hours * 5 * HOUR for hours in range(60)]
    begun(store, *starts)
    wanted = Counter(datetime.fromtimestamp(at / 1000).date() for at in starts)
    days = store.sessions.days()
    found = {datetime.fromtimestamp(day.newest / 1000).date(): day.sessions for day in days}
    assert (found, len(days)) == (wanted, len(wanted)), zone
    assert [day.newest for day in days] == sorted((day.newest for day in days), reverse=True)


def test_only_what_the_list_has_counts(store: Store) -> None:
    begun(store, NOON, NOON - 24 * HOUR)
    begun(store, NOON, project="infra", agent="trae")
    store.sessions.delete(store.sessions.get("atlas-codex-0"))
    assert [day.sessions for day in store.sessions.days()] == [1, 1]
    assert [day.sessions for day in store.sessions.days(project="infra")] == [1]
    assert [day.sessions for day in store.sessions.days(agent="codex")] == [1]
    assert store.sessions.days(project="nowhere") == []
    assert store.sessions.count_by("project") == [("atlas", 1), ("infra", 1)]
    assert store.sessions.count_by("agent") == [("codex", 1), ("trae", 1)]


@given(starts=st.lists(st.sampled_from(ODD) | st.integers(NOON - 99 * HOUR, NOON), max_size=12))
def test_the_days_in_their_order_are_the_list(store: Store, starts: list[int]) -> None:
    store.db.execute("DELETE FROM sessions")
    begun(store, *starts)
    days = store.sessions.days()
    by_day = [
        row.session.id for day in days for row in store.sessions.list(limit=day.sessions, before=day.until)
    ]
    assert by_day == [row.session.id for row in store.sessions.list()]
    assert sum(day.sessions for day in days) == len(starts)
