"""Capture in `mem doctor`: each thing that was looked at, and what to do where it is not well."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from ..capture.settings import pause_told
from ..capture.status.health import OLD_MS, CaptureHealth, capture_health, sparkline
from ..clock import now_ms
from ..database.health import Check
from ..errors import ConfigurationError
from ..store import Store
from . import AgentState, repository, states
from .silent_agents import remedy, reports_to, silent_agents

SHOWN_RUNS = 40
"""As many bars as stand in a line of a narrow terminal."""


def capture_checks(store: Store) -> list[Check]:
    """What the spool, the hooks and the agents look like."""
    return [
        *_spool(capture_health(store)),
        *_paused(store.path),
        *_agents(store.path, states(store)),
    ]


def checks_without_memory(database: Path) -> list[Check]:
    """What agents' hooks look like before there is a memory; empty where no agent has any for it."""
    try:
        project = repository(Path.cwd())
    except ConfigurationError:
        project = None
    found = states(project=project)
    if not any(_makes_memory(state, database) for state in found):
        return []
    return [
        Check("memory", True, f"none at {database} yet; the first event of an agent makes it"),
        *_paused(database),
        *_agents(database, found),
    ]


def _makes_memory(state: AgentState, database: Path) -> bool:
    return state.in_project == "yes" or (state.installed != "no" and reports_to(state, database))


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


def _paused(database: Path) -> Iterator[Check]:
    if told := pause_told(database):
        yield Check("paused", True, f"hooks remember nothing until {told}")


def _agents(database: Path, found: list[AgentState]) -> Iterator[Check]:
    silent = silent_agents(database, found)
    for state in found:
        if state.installed != "no":
            yield _agent(state, silent.get(state.agent))


def _agent(state: AgentState, ran_at: int | None) -> Check:
    """A configured agent: its hooks in order, and heard of since it last ran."""
    name, last = f"agent {state.agent}", state.last_event_at
    if state.installed != "yes":
        mending = f"mend {state.files[0]}"
        advice = mending if state.installed == "unreadable" else f"mem install {state.agent}"
        return Check(name, False, f"its hooks are {state.installed}", advice)
    heard = "nothing yet" if not last else f"last event {_time(last)}, {state.events_today} today"
    if ran_at is None:
        return Check(name, True, heard)
    return Check(name, False, f"it ran {_time(ran_at)}, but {heard}", remedy(state.agent))


def _number(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def _time(at: int) -> str:
    return f"{datetime.fromtimestamp(at / 1_000):%Y-%m-%d %H:%M}"
