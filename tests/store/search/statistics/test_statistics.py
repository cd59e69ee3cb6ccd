"""Statistics: what counts, into which day and step it falls, and that a bar's number is its search's."""

import time
from collections.abc import Iterator
from datetime import date, datetime
from typing import Any

import pytest

from memtui.store import Store, filter_text
from memtui.store.context.block import compose
from memtui.store.context.log import append_log_entry
from memtui.store.leaves.statistics import counts, spending
from memtui.store.leaves.statistics.counts import RANGES, Period
from memtui.store.search.index import full_text

DAY = 86_400_000
ZONE = "America/New_York"
"""Its clocks go forward on 8 March 2026."""


@pytest.fixture(autouse=True)
def in_new_york(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", ZONE)
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def ms(year: int, month: int, day: int, hour: int = 0, minute: int = 0) -> int:
    """A moment of local time."""
    return round(datetime(year, month, day, hour, minute).timestamp() * 1000)


NOW = ms(2026, 3, 20, 18, 0)


@pytest.fixture
def filled(store: Store) -> Store:
    """Two projects and two agents, over a year; and what is not to be counted."""
    first = store.sessions.start("s-1", agent="codex", project="atlas", at=ms(2026, 3, 7, 23))
    second = store.sessions.start("s-2", agent="trae", project="orders", at=ms(2026, 3, 20, 9))
    add = store.observations.add
    files: dict[str, Any] = {"files_read": ["src/a.py"], "files_modified": ["src/a.py", "src/b.py"]}
    for at in (ms(2026, 3, 7, 23, 59), ms(2026, 3, 8, 0, 1), ms(2026, 3, 8, 23, 59)):
        add(first, title="At night", type="bugfix", at=at, discovery_tokens=100, **files)
    add(first, title="Later", type="decision", at=ms(2026, 3, 9), concepts=["clock"])
    add(second, title="Today", type="bugfix", at=ms(2026, 3, 20, 9), discovery_tokens=7)
    old = ms(2024, 12, 31, 23)
    add(second, title="Long ago", type="note", at=old, discovery_tokens=30, files_read=["src/a.py"])
    store.prompts.add(second, "why?", at=ms(2026, 3, 20, 10))
    store.facts.add("It is so", project="orders", at=ms(2026, 1, 31))
    unseen: dict[str, Any] = {"type": "bugfix", "at": ms(2026, 3, 8), "discovery_tokens": 5_000, **files}
    add(first, title="Hidden", private=True, **unseen)
    store.observations.delete(add(first, title="Deleted", **unseen))
    add(first, title="Noise", **{**unseen, "type": "noise"})
    return store


def period(store: Store, name: counts.RangeName, project: str | None = None) -> Period:
    return counts.period_of(store.db, name, NOW, project)


def test_days_begin_at_local_midnight_also_where_clocks_change(filled: Store) -> None:
    month = period(filled, "30d")
    by_day = counts.memories_by_day(filled.db, month)
    found = {str(month.day(number)): many for number, many in enumerate(by_day) if many}
    assert found == {"2026-03-07": 1, "2026-03-08": 2, "2026-03-09": 1, "2026-03-20": 2}
    assert month.starts[-1] - month.starts[0] == 30 * DAY - 3_600_000
    assert (month.first, month.day(month.days - 1)) == (date(2026, 2, 19), date(2026, 3, 20))


def test_ranges_are_days_weeks_and_months(filled: Store) -> None:
    found = [period(filled, name) for name in RANGES]
    assert [(one.days, one.unit) for one in found] == [
        (30, "day"),
        (91, "week"),
        (365, "month"),
        ((date(2026, 3, 20) - date(2024, 12, 31)).days + 1, "month"),
    ]
    assert all(len(one.steps) <= 31 for one in found)
    assert period(filled, "all", "atlas").first == date(2026, 3, 7)


def test_a_range_of_decades_has_few_steps_and_one_of_nothing_is_today(filled: Store, store: Store) -> None:
    assert period(store, "all", "nowhere").days == 1
    filled.observations.add("s-1", title="A wrong clock", at=86_400_000)
    filled.observations.add("s-1", title="Old", at=ms(1990, 5, 1))
    long = period(filled, "all")
    assert (long.first, long.unit, len(long.steps)) == (date(1990, 5, 1), "decade", 4)
    assert sum(counts.memories_by_day(filled.db, long)) == 9


@pytest.mark.parametrize("project", [None, "atlas", "orders", "nowhere"])
@pytest.mark.parametrize("name", RANGES)
@pytest.mark.sampled
def test_a_bar_has_as_many_memories_as_its_search(
    filled: Store, name: counts.RangeName, project: str | None
) -> None:
    one = period(filled, name, project)
    dates = f"since:{one.first} until:{one.day(one.days - 1)}"
    scope = f"{dates} project:{project}" if project else dates
    divided = counts.divisions(filled.db, one, project)
    total = sum(counts.memories_by_day(filled.db, one, project))
    assert filled.find(scope).count().value == total
    for field, division in divided.items():
        assert sum(bar.memories for bar in division.bars) == total
        for bar in division.bars:
            if bar.value:
                query = f"{scope} {filter_text(field, bar.value)}"
                assert filled.find(query).count().value == bar.memories
            assert sum(bar.by_step) == bar.memories
            for step, many in enumerate(bar.by_step):
                first, last = one.days_of_step(step)
                within = f"since:{one.day(first)} until:{one.day(last)}"
                values = f"project:{project} {within}" if project else within
                if bar.value:
                    found = filled.find(f"{values} {filter_text(field, bar.value)}").count().value
                    assert found == many


def test_values_beyond_the_twelve_busiest_are_counted(filled: Store) -> None:
    for number in range(20):
        for _ in range(20 - number):
            filled.observations.add(f"p-{number}", title="One of many", project=f"p-{number:02}", at=NOW)
    division = counts.divisions(filled.db, period(filled, "30d"))["project"]
    assert [bar.value for bar in division.bars] == [f"p-{number:02}" for number in range(12)]
    assert division.more == 20 + 2 - 12


def test_sessions_count_on_the_day_they_began(filled: Store) -> None:
    month = period(filled, "30d")
    by_day = counts.sessions_by_day(filled.db, month)
    assert [str(month.day(day)) for day, many in enumerate(by_day) if many] == ["2026-03-07", "2026-03-20"]
    assert sum(counts.sessions_by_day(filled.db, month, "orders")) == 1


def test_growth_goes_on_from_what_was_there_before(filled: Store) -> None:
    year = period(filled, "year")
    by_day = counts.memories_by_day(filled.db, year)
    held = counts.growth(filled.db, year, by_day)
    assert (held[0], held[-1]) == (1, filled.find("").count().value)
    assert held == sorted(held)


def test_tokens_by_day_are_those_of_the_observations(filled: Store) -> None:
    every = period(filled, "all")
    found = spending.discovery_by_day(filled.db, every)
    assert (len(found), min(found), sum(found)) == (every.days, 0, 337)
    assert found[-1] == 7
    assert sum(spending.discovery_by_day(filled.db, every, "orders")) == 37


@pytest.mark.parametrize("rows", [1, 3, 10_000])
@pytest.mark.parametrize("project", [None, "atlas"])
def test_the_busiest_files_are_the_same_read_from_rows_and_from_the_index(
    filled: Store, monkeypatch: pytest.MonkeyPatch, rows: int, project: str | None
) -> None:
    monkeypatch.setattr("memtui.store.leaves.statistics.counts.ROWS", rows)
    month = period(filled, "30d")
    by_day = counts.memories_by_day(filled.db, month, project)
    found = counts.Labels()
    for days in counts.label_slices(filled.db, by_day):
        found.add(counts.labels_of(filled.db, month, by_day, days, project))
    assert found.busiest.files == (("src/a.py", 3), ("src/b.py", 3))
    assert found.busiest.concepts == (("clock", 1),)


@pytest.mark.parametrize("is_run", [True, False])
def test_names_are_counted_without_those_of_memories_outside_a_period(
    filled: Store, monkeypatch: pytest.MonkeyPatch, is_run: bool
) -> None:
    monkeypatch.setattr("memtui.store.leaves.statistics.counts.ROWS", 1)
    if is_run:
        # Documents are made anew, the oldest first: what lies outside is a run of ids.
        full_text.rebuild(filled.db, "trigram")
    filled.observations.add("s-2", title="Ahead", type="note", at=ms(2026, 4, 1), files_read=["src/b.py"])
    quarter = period(filled, "quarter")
    by_day = counts.memories_by_day(filled.db, quarter)
    days = (0, quarter.days - 1)
    assert counts.label_slices(filled.db, by_day) == [days]
    found = counts.labels_of(filled.db, quarter, by_day, days)
    assert found.busiest.files == (("src/a.py", 3), ("src/b.py", 3))
    assert found.busiest.concepts == (("clock", 1),)


def test_what_sessions_were_told_stands_against_what_it_took_to_find_out(filled: Store) -> None:
    month = counts.period_of(filled.db, "30d", round(time.time() * 1000))
    given = compose(filled.db, "atlas")
    for number in range(2):
        append_log_entry(filled.db, "codex", f"n-{number}", "atlas", given)
    found = spending.given_tokens(filled, month)
    assert (found.contexts, sum(found.by_day)) == (2, 2 * given.tokens)
    assert found.by_day[-1] == sum(found.by_day)
    told = [filled.observations.get(int(ref)) for ref in given.refs if ref.isdecimal()]
    assert found.discovered_for == 2 * sum(one.discovery_tokens for one in told) > 0
    assert found.since is None
    assert spending.given_tokens(filled, month, "orders").contexts == 0
    assert spending.given_tokens(filled, period(filled, "30d")).contexts == 0
