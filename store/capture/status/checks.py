"""Capture in `mem doctor`: the spool, what could not be stored, how long hooks take, and pauses."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ...clock import local_time, now_ms
from ...database.health import Check
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
    since = "" if health.oldest_at is None else f", the first since {local_time(health.oldest_at)}"
    yield Check(
        "spool",
        age < OLD_MS,
        f"{count_noun(health.waiting, 'events')} waiting "
        f"({count_noun(health.waiting_bytes, 'bytes')}){since}",
        "Nobody can store them: see whether the store can be written.",
    )
    last = "never" if health.last_at is None else local_time(health.last_at)
    yield Check("last event stored", True, last)
    yield Check(
        "quarantine",
        health.quarantined == 0,
        f"{count_noun(health.quarantined, 'events')} could not be stored",
        "mem queue list --status quarantined; then mem queue retry or drop",
    )
    yield Check(
        "lost events",
        health.lost == 0,
        f"{count_noun(health.lost, 'events')} could not be written anywhere",
        "See that the disk has room and its directory can be written; then remove the file `lost`.",
    )
    if health.latency is not None:
        took = health.latency
        yield Check(
            "hook latency",
            not took.is_slow,
            f"median {took.median:.0f} ms, 99th percentile {took.slowest:.0f} ms of "
            f"{count_noun(took.runs, 'runs')} {sparkline(took.recent[-SHOWN_RUNS:])}",
            "Something slows every start of Python: a full disk or a busy machine.",
        )


def pause_checks(database: Path) -> Iterator[Check]:
    """Say until when hooks remember nothing, where capture is paused."""
    if end := pause_end(database):
        yield Check("paused", True, f"hooks remember nothing until {end}")
