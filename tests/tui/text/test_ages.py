"""Times and amounts, short."""

import time
from collections.abc import Iterator

import pytest

from memtui.tui.text.ages import UNKNOWN, WIDTH, age, ago, clock, day, full, tokens
from tests.tables import table

NOW = 1_771_356_700_000  # Tue 2026-02-17 19:31:40 UTC

MINUTE, HOUR, DAY, YEAR = 60_000, 3_600_000, 86_400_000, 31_536_000_000


@pytest.fixture(autouse=True)
def in_utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@table(
    ("before", "shown"),
    [
        (0, "now"),
        (MINUTE - 1, "now"),
        (-(MINUTE - 1), "now"),
        (3 * MINUTE, "3m"),
        (HOUR - 1, "59m"),
        (2 * HOUR, "2h"),
        (5 * DAY, "5d"),
        (7 * DAY - 1, "6d"),
    ],
)
def test_an_age_of_less_than_a_week_is_told_in_its_largest_unit(before: int, shown: str) -> None:
    assert age(NOW - before, NOW) == shown


@table(
    ("before", "shown"),
    [
        (7 * DAY, "10 Feb"),
        (16 * DAY, "1 Feb"),
        (60 * DAY, "Dec 2025"),
        (2 * YEAR, "Feb 2024"),
        (-HOUR, "17 Feb"),
        (-5 * DAY, "22 Feb"),
        (-73 * YEAR, "Jan 2099"),
    ],
)
def test_after_a_week_it_is_a_date_and_so_is_the_future(before: int, shown: str) -> None:
    assert age(NOW - before, NOW) == shown
    assert len(shown) <= WIDTH


@table(
    ("before", "shown"), [(3 * MINUTE, "19:28"), (DAY, "16 Feb"), (60 * DAY, "Dec 2025"), (-HOUR, "20:31")]
)
def test_where_dates_are_wanted_today_is_a_time_of_day(before: int, shown: str) -> None:
    assert age(NOW - before, NOW, as_date=True) == shown


@table(
    ("before", "shown"),
    [(MINUTE, "1m ago"), (0, "just now"), (20 * DAY, "2w ago"), (2 * YEAR, "2y ago"), (-HOUR, "")],
)
def test_in_a_detail_beside_its_date_a_time_is_told_in_words(before: int, shown: str) -> None:
    assert ago(NOW - before, NOW) == shown


def test_times_are_shown_as_local(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (clock(NOW), full(NOW)) == ("19:31", "2026-02-17 19:31:40")
    monkeypatch.setenv("TZ", "Asia/Shanghai")
    time.tzset()
    assert (clock(NOW), full(NOW)) == ("03:31", "2026-02-18 03:31:40")


def test_a_day_names_its_year_only_when_it_is_another() -> None:
    assert day(NOW, NOW) == "Tue 17 Feb"
    assert day(NOW, NOW + YEAR) == "Tue 17 Feb 2026"
    assert day(NOW).startswith("Tue 17 Feb")


@pytest.mark.parametrize("ms", [0, -1])
def test_an_unknown_time_is_a_dash(ms: int) -> None:
    assert {age(ms, NOW), clock(ms), day(ms, NOW), full(ms)} == {UNKNOWN}


def test_a_time_beyond_all_calendars_is_a_dash() -> None:
    assert {clock(10**18), day(10**18, NOW), full(10**18)} == {UNKNOWN}


@table(
    ("count", "shown"),
    [
        (0, ""),
        (155, "155"),
        (999, "999"),
        (1_000, "1.0k"),
        (1_234, "1.2k"),
        (9_960, "10k"),
        (12_480, "12k"),
        (999_499, "999k"),
        (999_500, "1.0M"),
        (3_400_000, "3.4M"),
    ],
)
def test_amounts_of_tokens_stay_short(count: int, shown: str) -> None:
    assert tokens(count) == shown
