"""Capture in `mem doctor`: each thing that was looked at, and what to do where it is not well."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from ..clock import now_ms
from ..health import Check
from ..install import AgentState, states
from ..store import Store
from .health import OLD_MS, CaptureHealth, capture_health, sparkline
from .unheard import remedy, unheard

SHOWN_RUNS = 40
"""As many bars as stand in a line of a narrow terminal."""


def capture_checks(store: Store) -> list[Check]:
    """What the spool, the hooks and the agents look like."""
    return [*_spool(capture_health(store)), *_agents(store)]


def _spool(health: CaptureHealth) -> Iterator[Check]:
    age = now_ms() - (health.oldest_at or now_ms())
    since = "" if health.oldest_at is None else f", the first since {_time(health.oldest_at)}"
    yield Check(
        "spool",
        age < OLD_MS,
        f"{_number(health.waiting, 'event')} waiting ({health.waiting_bytes:,} bytes){since}",
        "Nobody can store them: see whether the memory can be written.",
    )
    last = "never" if health.last_at is None else _time(health.last_at)
    yield Check("last event stored", True, last)
    yield Check(
        "quarantine",
        health.quarantined == 0,
        f"{_number(health.quarantined, 'event')} could not be stored",
        "mem queue list --status quarantined; then mem queue retry or drop",
    )
    yield Check(
        "lost events",
        health.lost == 0,
        f"{_number(health.lost, 'event')} could be written nowhere",
        "See that the disk has room and its directory can be written; then remove the file `lost`.",
    )
    if health.latency is not None:
        took = health.latency
        yield Check(
            "hook latency",
            not took.is_slow,
            f"median {took.median:.0f} ms, 99th percentile {took.slowest:.0f} ms of "
            f"{_number(took.runs, 'run')} {sparkline(took.recent[-SHOWN_RUNS:])}",
            "Something slows every start of Python: a full disk or a busy machine.",
        )
    if health.paused_until is not None:
        yield Check("paused", True, "hooks remember nothing until `mem resume` or their time")


def _agents(store: Store) -> Iterator[Check]:
    found = states(store)
    silent = unheard(store.path, found)
    for state in found:
        if state.installed != "no":
            yield _agent(state, silent.get(state.agent))


def _agent(state: AgentState, ran_at: int | None) -> Check:
    """A configured agent: its hooks in order, and heard of since it last ran."""
    name, last = f"agent {state.agent}", state.last_event_at
    if state.installed != "yes":
        return Check(name, False, f"its hooks are {state.installed}", f"mem install {state.agent}")
    heard = "nothing yet" if not last else f"last event {_time(last)}, {state.events_today} today"
    if ran_at is None:
        return Check(name, True, heard)
    return Check(name, False, f"it ran {_time(ran_at)}, but {heard}", remedy(state.agent))


def _number(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def _time(at: int) -> str:
    return f"{datetime.fromtimestamp(at / 1_000):%Y-%m-%d %H:%M}"
