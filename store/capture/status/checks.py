"""Capture in `mem doctor`: the spool, what could not be stored, how long hooks take, and pauses."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ...database.health import Check
from ...platform.clock import local_time, now_ms
from ...platform.translation import N_, _
from ...store import Store
from ...text.plural import count_noun
from ..settings import pause_end
from .health import OLD_MS, CaptureHealth, capture_health, sparkline
from .spool_checks import spool_checks

SHOWN_RUNS = 40
"""As many bars as stand in a line of a narrow terminal."""


def capture_checks(store: Store) -> list[Check]:
    """Check the spool, the quarantine, lost events and the latency of hooks; say whether capture is
    paused."""
    health = capture_health(store)
    return [*spool_checks(store), *_spool(health), *pause_checks(store.path)]


def _spool(health: CaptureHealth) -> Iterator[Check]:
    age = now_ms() - (health.oldest_at or now_ms())
    events = count_noun(health.waiting, "events")
    size = count_noun(health.waiting_bytes, "bytes")
    yield Check(
        N_("spool"),
        age < OLD_MS,
        _("{events} waiting ({bytes})", events=events, bytes=size)
        if health.oldest_at is None
        else _(
            "{events} waiting ({bytes}), the first since {time}",
            events=events,
            bytes=size,
            time=local_time(health.oldest_at),
        ),
        _("Nobody can store them: see whether the store can be written."),
    )
    last = _("never") if health.last_at is None else local_time(health.last_at)
    yield Check(N_("last event stored"), True, last)
    yield Check(
        N_("quarantine"),
        health.quarantined == 0,
        _("{events} could not be stored", events=count_noun(health.quarantined, "events"))
        + (f" ({health.example})" if health.quarantined else ""),
        _("mem queue list --status quarantined; then mem queue retry or drop"),
    )
    yield Check(
        N_("lost events"),
        health.lost == 0,
        _("{events} could not be written anywhere", events=count_noun(health.lost, "events")),
        _("See that the disk has room and its directory can be written; then remove the file `lost`."),
    )
    if health.latency is not None:
        took = health.latency
        yield Check(
            N_("hook latency"),
            not took.is_slow,
            _(
                "median {median} ms, 99th percentile {slowest} ms of {runs} {bars}",
                median=f"{took.median:.0f}",
                slowest=f"{took.slowest:.0f}",
                runs=count_noun(took.runs, "runs"),
                bars=sparkline(took.recent[-SHOWN_RUNS:]),
            ),
            _("Something slows every start of Python: a full disk or a busy machine."),
        )


def pause_checks(database: Path) -> Iterator[Check]:
    """Say until when hooks remember nothing, where capture is paused."""
    if end := pause_end(database):
        yield Check(N_("paused"), True, _("hooks remember nothing until {end}", end=end))
