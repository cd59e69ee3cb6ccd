"""Counts of what a query matches: by project, type, agent, kind, and day in local time."""

import time
from collections.abc import Callable, Iterator
from datetime import datetime

import pytest

from memtui.store import Store
from memtui.store.search import facets
from tests.conftest import OpenStore
from tests.tables import table

HOUR = 3_600_000
AT = int(datetime.fromisoformat("2026-02-18T00:00:00Z").timestamp() * 1000)
BERLIN, HAVANA = "CET-1CEST,M3.5.0,M10.5.0/3", "CST5CDT,M3.2.0/0,M11.1.0/1"
NAMES = {"project", "type", "agent", "kind", "day"}

InZone = Callable[[str], None]


@pytest.fixture
def in_zone() -> Iterator[InZone]:
    """Makes another time zone the local one: a rule, which needs no files of zones."""
    if not hasattr(time, "tzset"):
        pytest.skip("the zone of a process can't be set here")
    with pytest.MonkeyPatch.context() as patch:

        def move(zone: str) -> None:
            patch.setenv("TZ", zone)
            time.tzset()

        yield move
    time.tzset()


@pytest.fixture(params=["trigram", "unicode61", "like"])
def memory(
    request: pytest.FixtureRequest, open_store: OpenStore, monkeypatch: pytest.MonkeyPatch, in_zone: InZone
) -> Store:
    """A store of each tokenizer: two projects, all kinds, one of them hidden; the zone is UTC."""
    monkeypatch.setenv("MEMTUI_TOKENIZER", request.param)
    in_zone("UTC0")
    store = open_store()
    with store.transaction():
        one = store.sessions.start("c-1", agent="codex", project="atlas")
        two = store.sessions.start("c-2", agent="claude", project="orders")
        for number in range(3):
            store.observations.add(one, title=f"clock {number}", type="bugfix", at=AT + number)
        store.observations.add(two, title="clock drift", type="note", at=AT + 24 * HOUR)
        store.prompts.add(two, "why does the clock drift", at=AT + 24 * HOUR)
        store.summaries.add(one, request="stop the drift", at=AT - 1)
        store.facts.add("clocks drift", project="atlas", at=AT - 1)
        store.observations.add(one, title="hidden clock", type="secret", private=True, at=AT)
    return store


def test_there_are_five_each_with_its_most_frequent_value_first(memory: Store) -> None:
    found = memory.find("clock").facets()
    assert found.exact
    assert found.counts == {
        "project": [("atlas", 4), ("orders", 2)],
        "type": [("bugfix", 3), ("fact", 1), ("note", 1), ("prompt", 1)],
        "agent": [("codex", 3), ("claude", 2), ("", 1)],
        "kind": [("observation", 4), ("fact", 1), ("prompt", 1)],
        "day": [("2026-02-19", 2), ("2026-02-18", 3), ("2026-02-17", 1)],
    }


@table(
    "query",
    ["", "clock", "clock drift", "-drift", "kind:observation", "project:atlas drift", "until:2026-02-18",
     "clock OR stop", "agent:codex -type:bugfix", "clock on:2026-02-18", "is:private", "clock is:private",
     "nothing at all", "sort:pinned clock"],
)  # fmt: skip
def test_they_count_exactly_what_the_query_matches(memory: Store, query: str) -> None:
    found = memory.find(query).facets()
    hits = memory.find(query).page(limit=100).hits
    assert found.counts.keys() == NAMES
    for name in NAMES:
        assert sum(number for _, number in found.counts[name]) == len(hits)
        for value, number in found.counts[name]:
            narrowed = f'{query} {"on" if name == "day" else name}:"{value}"'
            if value and not query.startswith("nothing"):
                assert len(memory.find(narrowed).page(limit=100).hits) == number, narrowed


def test_what_is_hidden_is_counted_where_it_is_asked_for_only(memory: Store) -> None:
    assert "secret" not in dict(memory.find("clock").facets().counts["type"])
    assert memory.find("clock is:private").facets().counts["type"] == [("secret", 1)]
    assert memory.find("is:private").facets().counts["day"] == [("2026-02-18", 1)]


@pytest.mark.parametrize("query", ["", "at"])
@pytest.mark.parametrize(
    ("zone", "times", "days"),
    [
        ("UTC0", [AT - 1, AT], [("2026-02-18", 1), ("2026-02-17", 1)]),
        ("CST-8", [AT - 8 * HOUR - 1, AT - 8 * HOUR, AT], [("2026-02-18", 2), ("2026-02-17", 1)]),
        ("EST5", [AT, AT + 5 * HOUR], [("2026-02-18", 1), ("2026-02-17", 1)]),
        ("<+0545>-5:45", [AT - 23 * HOUR // 4 - 1, AT], [("2026-02-18", 1), ("2026-02-17", 1)]),
        ("UTC0", [0, -1, AT], [("2026-02-18", 1), ("1970-01-01", 1), ("1969-12-31", 1)]),
    ],
)  # fmt: skip
def test_a_day_begins_at_local_midnight(
    store: Store, in_zone: InZone, zone: str, times: list[int], days: list[tuple[str, int]], query: str
) -> None:
    in_zone(zone)
    for number in times:
        store.observations.add("c-1", title=f"at {number}", at=number)
    assert store.find(query).facets().counts["day"] == days
    for day, number in days:
        assert len(store.find(f"{query} on:{day}").page().hits) == number


@pytest.mark.parametrize("query", ["", "at"])
@pytest.mark.parametrize(
    ("zone", "day", "hours"),
    [
        (BERLIN, "2026-03-29", 23),
        (BERLIN, "2026-10-25", 25),
        (HAVANA, "2026-03-08", 23),
        (HAVANA, "2026-11-01", 25),
    ],
)
def test_a_day_when_the_clocks_change_has_all_its_hours(
    store: Store, in_zone: InZone, zone: str, day: str, hours: int, query: str
) -> None:
    in_zone(zone)
    noon = int(datetime.fromisoformat(f"{day}T12:00:00Z").timestamp() * 1000)
    with store.transaction():
        for hour in range(-36, 36):
            store.observations.add("c-1", title=f"at {hour}", at=noon + hour * HOUR)
    assert dict(store.find(query).facets().counts["day"])[day] == hours
    assert len(store.find(f"{query} on:{day}").page(limit=100).hits) == hours


@pytest.mark.parametrize("query", ["", "at", "is:private"])
def test_at_most_twelve_values_and_the_newest_days(store: Store, query: str, in_zone: InZone) -> None:
    in_zone("UTC0")
    with store.transaction():
        for number in range(40):
            store.observations.add(
                "c-1", title=f"at {number}", project=f"p{number % 20:02}", at=AT + number * 12 * HOUR,
                private=query == "is:private",
            )  # fmt: skip
    counts = store.find(query).facets().counts
    assert counts["project"] == [(f"p{number:02}", 2) for number in range(12)]
    assert len(counts["day"]) == 12
    assert counts["day"][0] == ("2026-03-09", 2)
    assert counts["day"] == sorted(counts["day"], reverse=True)


@pytest.mark.parametrize("at", [-(10**17), 10**17, 253_402_300_800_000])
def test_a_time_that_no_calendar_names_is_no_day(store: Store, in_zone: InZone, at: int) -> None:
    in_zone("UTC0")
    store.observations.add("c-1", title="far", at=at)
    store.observations.add("c-1", title="far too", at=AT)
    for query in ("", "far"):
        assert store.find(query).facets().counts["day"] == [("2026-02-18", 1)]
        assert store.find(query).facets().counts["kind"] == [("observation", 2)]


@pytest.mark.parametrize(("at_most", "exact"), [(6, True), (5, False)])
def test_of_too_many_matches_the_counts_are_lower_bounds(
    memory: Store, monkeypatch: pytest.MonkeyPatch, at_most: int, exact: bool
) -> None:
    monkeypatch.setattr(facets, "AT_MOST", at_most)
    found = memory.find("clock").facets()
    assert found.exact == exact
    for name in NAMES:
        assert sum(number for _, number in found.counts[name]) == min(at_most, 6)
    assert memory.find("kind:observation,prompt,summary,fact").facets().exact


@pytest.mark.parametrize("query", ["clock", "project:atlas"])
def test_the_last_days_follow_each_other_up_to_the_newest_match(
    open_store: OpenStore, in_zone: InZone, query: str
) -> None:
    in_zone("UTC0")
    store = open_store()
    with store.transaction():
        for back in (0, 0, 1, 3, 7, 9, 500):
            store.observations.add(None, title="clock", project="atlas", at=AT - back * 24 * HOUR)
    days = store.find(query).facets().over_time
    assert len(days) == 28
    assert days[-4:] == (("2026-02-15", 1), ("2026-02-16", 0), ("2026-02-17", 1), ("2026-02-18", 2))
    assert sum(number for _, number in days) == 6


@pytest.mark.parametrize("query", ["clock", "project:atlas"])
def test_where_few_days_have_any_there_are_months_or_years(
    open_store: OpenStore, in_zone: InZone, query: str
) -> None:
    in_zone("UTC0")
    store = open_store()
    for month in range(5, 9):
        store.observations.add(None, title="clock", project="atlas", at=AT - month * 30 * 24 * HOUR)
    store.observations.add(None, title="clock", project="atlas", at=AT)
    months = store.find(query).facets().over_time
    assert months[-1] == ("2026-02", 1)
    assert sum(number for _, number in months) == 5
    store.observations.add(None, title="clock", project="atlas", at=AT - 1_600 * 24 * HOUR)
    assert store.find("since:2026 clock").facets().over_time[-1] == ("2026-02-18", 1)
    assert store.find("until:2025-08 clock").facets().over_time[-1] == ("2025", 3)


def test_nothing_lies_in_time_where_nothing_is_found(memory: Store) -> None:
    assert memory.find("nowhere").facets().over_time == ()


def test_times_at_the_ends_of_the_calendar_are_counted(open_store: OpenStore) -> None:
    store = open_store()
    for at in (-62_135_596_800_000, 0, 253_402_300_799_000):
        store.observations.add(None, title="clock", at=at)
    for query in ("clock", "type:discovery", ""):
        assert all(number >= 0 for _, number in store.find(query).facets().over_time)


@pytest.mark.parametrize("query", ["clock", "", "project:atlas", "-clock"])
def test_the_counts_of_kinds_add_up_to_all_matches(memory: Store, query: str) -> None:
    assert memory.find(query).facets().total == memory.find(query).count()
