"""Which moments a date of a query names: local, on the calendar, and a word where it names none."""

import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memtui.store import parse
from tests.tables import table

NOW = datetime(2026, 2, 18, 12, 30)
"""A Wednesday."""

Bounds = tuple[int | None, int | None]


def ms(*moment: int) -> int:
    """A local moment in ms since the epoch."""
    return int(datetime(*moment).timestamp() * 1000)  # type: ignore[arg-type]


def bounds(text: str, now: datetime = NOW) -> Bounds:
    """From where and until where a query looks, of which nothing may be a word."""
    query = parse(text, now)
    assert query.is_filter_only
    return query.since, query.until


@table(
    ("date", "first", "last"),
    [
        ("2026", ms(2026, 1, 1), ms(2027, 1, 1)),
        ("2024-02", ms(2024, 2, 1), ms(2024, 3, 1)),
        ("2026-12", ms(2026, 12, 1), ms(2027, 1, 1)),
        ("2100", ms(2100, 1, 1), ms(2101, 1, 1)),
        ("1969-12-31", ms(1969, 12, 31), ms(1970, 1, 1)),
        ("2026-02-18", ms(2026, 2, 18), ms(2026, 2, 19)),
        ("2026-02-18T14", ms(2026, 2, 18, 14), ms(2026, 2, 18, 15)),
        ("2026-02-18T14:30", ms(2026, 2, 18, 14, 30), ms(2026, 2, 18, 14, 31)),
        ("2026-02-18t14:30:05", ms(2026, 2, 18, 14, 30, 5), ms(2026, 2, 18, 14, 30, 6)),
        ("2026-02-18T10:15Z", 1_771_409_700_000, 1_771_409_760_000),
        ("2026-02-18T10:15:00.123z", 1_771_409_700_123, 1_771_409_700_124),
        ("2026-02-18T10:15+02:00", 1_771_402_500_000, 1_771_402_560_000),
        ('"2026-02-18 14:30"', ms(2026, 2, 18, 14, 30), ms(2026, 2, 18, 14, 31)),
        ("２０２６-０２", ms(2026, 2, 1), ms(2026, 3, 1)),
        ("today", ms(2026, 2, 18), ms(2026, 2, 19)),
        ("Yesterday", ms(2026, 2, 17), ms(2026, 2, 18)),
        ("wednesday", ms(2026, 2, 18), ms(2026, 2, 19)),
        ("monday", ms(2026, 2, 16), ms(2026, 2, 17)),
        ("thursday", ms(2026, 2, 12), ms(2026, 2, 13)),
        ("this-week", ms(2026, 2, 16), ms(2026, 2, 23)),
        ("last-week", ms(2026, 2, 9), ms(2026, 2, 16)),
        ('"last week"', ms(2026, 2, 9), ms(2026, 2, 16)),
        ("this-month", ms(2026, 2, 1), ms(2026, 3, 1)),
        ("last-month", ms(2026, 1, 1), ms(2026, 2, 1)),
        ("this-year", ms(2026, 1, 1), ms(2027, 1, 1)),
        ("last-year", ms(2025, 1, 1), ms(2026, 1, 1)),
        ("今天", ms(2026, 2, 18), ms(2026, 2, 19)),
        ("昨天", ms(2026, 2, 17), ms(2026, 2, 18)),
        ("前天", ms(2026, 2, 16), ms(2026, 2, 17)),
        ("星期天", ms(2026, 2, 15), ms(2026, 2, 16)),
        ("本周", ms(2026, 2, 16), ms(2026, 2, 23)),
        ("上周", ms(2026, 2, 9), ms(2026, 2, 16)),
        ("本月", ms(2026, 2, 1), ms(2026, 3, 1)),
        ("上个月", ms(2026, 1, 1), ms(2026, 2, 1)),
        ("去年", ms(2025, 1, 1), ms(2026, 1, 1)),
    ],
)
def test_since_begins_with_what_is_named_and_until_includes_it(date: str, first: int, last: int) -> None:
    assert bounds(f"on:{date}") == (first, last)
    assert bounds(f"since:{date}") == (first, None)
    assert bounds(f"until:{date}") == (None, last)


@table(
    ("amount", "moment"),
    [
        ("30m", ms(2026, 2, 18, 12, 0)),
        ("12h", ms(2026, 2, 18, 0, 30)),
        ("3H", ms(2026, 2, 18, 9, 30)),
        ("7d", ms(2026, 2, 11, 12, 30)),
        ("2w", ms(2026, 2, 4, 12, 30)),
        ("3mo", ms(2025, 11, 18, 12, 30)),
        ("1y", ms(2025, 2, 18, 12, 30)),
        ("0d", ms(2026, 2, 18, 12, 30)),
        ("3-days-ago", ms(2026, 2, 15, 12, 30)),
        ('"3 days ago"', ms(2026, 2, 15, 12, 30)),
        ("“2 weeks”", ms(2026, 2, 4, 12, 30)),
        ("3天前", ms(2026, 2, 15, 12, 30)),
        ("３天前", ms(2026, 2, 15, 12, 30)),
        ("2个星期以前", ms(2026, 2, 4, 12, 30)),
        ("1个月", ms(2026, 1, 18, 12, 30)),
    ],
)
def test_an_amount_counts_back_from_now(amount: str, moment: int) -> None:
    assert parse(f"since:{amount}", NOW).since == moment


def test_months_and_years_are_those_of_the_calendar() -> None:
    assert parse("since:1mo", datetime(2026, 3, 31, 9)).since == ms(2026, 2, 28, 9)
    assert parse("since:1mo", datetime(2024, 3, 31, 9)).since == ms(2024, 2, 29, 9)
    assert parse("since:1y", datetime(2024, 2, 29, 9)).since == ms(2023, 2, 28, 9)
    assert parse("since:last-month", datetime(2026, 3, 31)).since == ms(2026, 2, 1)


@table(
    ("date", "first", "last"),
    [
        ('"last tuesday"', ms(2026, 2, 17), ms(2026, 2, 18)),
        ("last-wednesday", ms(2026, 2, 11), ms(2026, 2, 12)),
        ("2月17日", ms(2026, 2, 17), ms(2026, 2, 18)),
        ("十二月", ms(2025, 12, 1), ms(2026, 1, 1)),
        ("上周二", ms(2026, 2, 10), ms(2026, 2, 11)),
        ('"17 Feb"', ms(2026, 2, 17), ms(2026, 2, 18)),
        ("january", ms(2026, 1, 1), ms(2026, 2, 1)),
    ],
)
def test_dates_as_people_say_them_stand_where_dates_are(date: str, first: int, last: int) -> None:
    assert bounds(f"on:{date}") == (first, last)


def test_until_and_on_take_the_whole_day_of_an_amount_of_days() -> None:
    assert bounds("on:3d") == (ms(2026, 2, 15), ms(2026, 2, 16))
    assert bounds("until:1mo") == (None, ms(2026, 1, 19))
    assert bounds("until:2h") == (None, ms(2026, 2, 18, 10, 30) + 1)


def test_of_several_dates_all_apply() -> None:
    assert bounds("since:2026-01 until:2026-02") == (ms(2026, 1, 1), ms(2026, 3, 1))
    assert bounds("since:1d since:7d") == (ms(2026, 2, 17, 12, 30), None)
    assert bounds("on:2026-02 until:2026-02-03") == (ms(2026, 2, 1), ms(2026, 2, 4))
    assert bounds("since:1970-01-01T00:00Z since:1969") == (0, None)


@table(
    "value",
    [
        *("foo", "may", "mar", "a", "now", "weekday", "whenever", "2026-13", "2026-02-30"),
        *("9999", "0000", "99999y", "99999mo", "-7d", "7", "7x", "1.5d", "2026-13-40x", "０x"),
        *("2026-02-18T25:00", "2026-02-18Z", "2026+02:00", "7d,8d", "2026，2025"),
    ],
)
def test_what_is_no_date_is_a_word(value: str) -> None:
    for name in ("since", "until", "on"):
        query = parse(f"{name}:{value} word", NOW)
        assert (query.since, query.until, query.chips) == (None, None, ())
        assert [clause[0].text for clause in query.clauses] == [f"{name}:{value}", "word"]


@table(
    "value",
    [
        *("", "2", "2026-0", "2026-02-18T1", "2026-02-18T14:3", "7", "3-da", '"', '"3 da'),
        *('"3 days a', "“last", "t", "last-", "星期"),
    ],
)
def test_a_date_still_being_typed_is_no_word_yet(value: str) -> None:
    query = parse(f"token since:{value}", NOW, typing=True)
    assert [clause[0].text for clause in query.clauses] == ["token"]
    assert query.since is None


@pytest.mark.parametrize("text", ["since:9999", "on:2026-13", "since:foo", "-since:7d", "-on:"])
def test_what_can_no_more_become_a_date_is_a_word_at_once(text: str) -> None:
    query = parse(text, NOW)
    assert [term.text for term in (*query.terms, *query.excluded)] == [text.removeprefix("-")]


@pytest.fixture
def berlin(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Central European time, as a rule that needs no files of time zones."""
    if not hasattr(time, "tzset"):
        pytest.skip("the zone of a process can't be set here")
    monkeypatch.setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.usefixtures("berlin")
def test_days_begin_at_local_midnight_also_where_clocks_change() -> None:
    hour = 3_600_000
    for day, hours in (("2026-03-28", 24), ("2026-03-29", 23), ("2026-10-25", 25)):
        since, until = bounds(f"on:{day}")
        assert since == ms(*map(int, day.split("-")))
        assert until == since + hours * hour
    monday = datetime(2026, 3, 30, 12)
    assert parse("since:1d", monday).since == ms(2026, 3, 29, 12)
    assert parse("since:2d", monday).since == ms(2026, 3, 28, 12)
    assert parse("since:48h", monday).since == ms(2026, 3, 28, 11)
    assert parse("since:30m", datetime(2026, 3, 29, 3, 10)).since == ms(2026, 3, 29, 1, 40)


@given(value=st.text(), name=st.sampled_from(["since", "until", "on"]))
@example("٣d", "on")
@example("99999y", "since")
@example("0001-01-01T00:00+23:59", "on")
@example("9999-12-31T23:59:59.9999999-23:59", "until")
def test_any_value_is_a_date_or_a_word(value: str, name: str) -> None:
    for text in (f"{name}:{value} end", f'{name}:"{value}" end', f"{name}:{value}"):
        assert parse(text, NOW).text == text


moments = st.datetimes(datetime(1971, 1, 1), datetime(9000, 1, 1))


@given(moment=moments)
def test_a_longer_date_lies_within_a_shorter_one(moment: datetime) -> None:
    written = moment.isoformat(timespec="seconds")
    found = [parse(f"on:{written[:length]}") for length in (4, 7, 10, 13, 16, 19)]
    for outer, inner in pairwise(found):
        both = parse(f"{outer.text} {inner.text}")
        assert (both.since, both.until) == (inner.since, inner.until)
        assert both.since is not None and both.until is not None and both.since < both.until


@given(now=moments, number=st.integers(0, 99_999), unit=st.sampled_from("m h d w mo y".split()))
def test_an_amount_lies_back_or_is_a_word(now: datetime, number: int, unit: str) -> None:
    query = parse(f"since:{number}{unit} end", now)
    if query.since is None:
        assert len(query.clauses) == 2
    else:
        latest = now + timedelta(milliseconds=1)
        assert query.since <= latest.timestamp() * 1000


def test_the_calendar_is_only_loaded_for_a_query_with_a_date() -> None:
    code = (
        "import sys; from memtui.store import parse; parse('token type:x sort:recent is:pinned'); "
        "print('dateutil' in sys.modules, parse('since:7d').since is None)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]
