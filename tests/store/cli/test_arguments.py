"""Moments and spans as they are given and shown."""

from datetime import datetime

import pytest
import typer

from memtui.store.cli.arguments import LAST_MS, minutes, moment
from memtui.store.platform.clock import local_time


@pytest.mark.parametrize(
    ("text", "meant"), [("30m", 30), ("45", 45), ("2h", 120), ("1.5H", 90), ("1d", 1440), ("90 min", 90)]
)
def test_a_span_is_so_many_minutes(text: str, meant: float) -> None:
    assert minutes(text) == meant


@pytest.mark.parametrize("text", ["", "h", "-5m", "5 weeks", "nan", "１０x"])
def test_other_spans_are_wrong_usage(text: str) -> None:
    with pytest.raises(typer.BadParameter):
        minutes(text)


def test_an_endless_span_is_cut() -> None:
    assert minutes("9" * 400 + "d") == LAST_MS / 60_000


def test_a_moment_with_a_zone_is_taken_in_that_zone() -> None:
    assert moment("2026-02-18T12:00:00Z") == moment("2026-02-18T14:00:00+02:00")


def test_moments_outside_the_calendar_are_wrong_usage() -> None:
    for text in ("1969-01-01", "9" * 15, "9999y"):
        with pytest.raises(typer.BadParameter):
            moment(text)


def test_any_stored_moment_can_be_shown() -> None:
    assert local_time(moment("2026-02-18T14:30")) == "2026-02-18 14:30"
    assert local_time(0) == f"{datetime.fromtimestamp(0):%Y-%m-%d %H:%M}"
    assert local_time(1 << 62) == str(1 << 62)
    assert local_time(-(1 << 62)) == str(-(1 << 62))
