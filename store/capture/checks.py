"""Capture in `mem doctor`: each thing that was looked at, and what to do where it is not well."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from ..clock import now_ms
from ..health import Check
from ..install import AgentState, states
from ..sources.transcripts.finding import found
from ..store import Store
from .health import CaptureHealth, capture_health, sparkline

SILENT_MS = 900_000
"""An agent that wrote its own transcript so long after its last event here is not being heard."""

OLD_MS = 3_600_000
"""An event that has waited so long is one that nobody could store."""

SLOW_MS = 100.0
"""What agents' makers ask of a hook at most."""


def capture_checks(store: Store) -> list[Check]:
    """What the spool, the hooks and the agents look like."""
    return [*_spool(capture_health(store)), *_agents(store)]


def _spool(health: CaptureHealth) -> Iterator[Check]:
    age = now_ms() - (health.oldest_at or now_ms())
    since = "" if health.oldest_at is None else f", the first since {_time(health.oldest_at)}"
    yield Check(
        "spool",
        age < OLD_MS,
        f"{health.waiting} events wait ({health.waiting_bytes:,} bytes){since}",
        "Nobody can store them: see whether the memory can be written.",
    )
    last = "never" if health.last_at is None else _time(health.last_at)
    yield Check("last event stored", True, last)
    yield Check(
        "quarantine",
        health.quarantined == 0,
        f"{health.quarantined} events could not be stored",
        "mem queue list --status quarantined; then mem queue retry or drop",
    )
    yield Check(
        "lost events",
        health.lost == 0,
        f"{health.lost} events could be written nowhere",
        "See that the disk has room and its directory can be written; then remove the file `lost`.",
    )
    if health.latency is not None:
        took = health.latency
        yield Check(
            "hook latency",
            took.slowest < SLOW_MS,
            f"median {took.median:.0f} ms, 99th percentile {took.slowest:.0f} ms "
            f"{sparkline(took.recent)}",
            "Something slows every start of Python: a full disk or a busy machine.",
        )
    if health.paused_until is not None:
        yield Check("paused", True, "hooks remember nothing until `mem resume` or their time")


def _agents(store: Store) -> Iterator[Check]:
    newest: dict[str, int] = {}
    for place in found():
        newest[place.agent] = max(place.newest, newest.get(place.agent, 0))
    for state in states(store):
        if state.installed == "no":
            continue
        yield _agent(state, newest.get(state.agent, 0))


def _agent(state: AgentState, ran_at: int) -> Check:
    """A configured agent: its hooks in order, and heard of since it last ran."""
    name, last = f"agent {state.agent}", state.last_event_at or 0
    if state.installed != "yes":
        return Check(name, False, f"its hooks are {state.installed}", f"mem install {state.agent}")
    is_silent = ran_at - last > SILENT_MS and ran_at > _installed_at(state)
    heard = "nothing yet" if not last else f"last event {_time(last)}, {state.events_today} today"
    if not is_silent:
        return Check(name, True, heard)
    advice = {
        "codex": "Type /hooks in Codex and trust them; `codex exec` silently skips untrusted hooks.",
        "trae": "Turn on Settings, Hooks in Trae.",
    }.get(state.agent, f"Restart the agent; else mem uninstall {state.agent} and install it again.")
    return Check(name, False, f"it ran {_time(ran_at)}, but {heard}", advice)


def _installed_at(state: AgentState) -> int:
    return max(
        (round(path.stat().st_mtime * 1_000) for path in state.files if path.exists()), default=0
    )


def _time(at: int) -> str:
    return f"{datetime.fromtimestamp(at / 1_000):%Y-%m-%d %H:%M}"
