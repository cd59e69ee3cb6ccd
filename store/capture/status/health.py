"""The health of capture: what waits, what failed, how long hooks take, and when each agent's events
came."""

from __future__ import annotations

from statistics import median, quantiles

from ...platform.clock import DAY_MS, now_ms
from ...records.dataclasses import dataclass
from ...store import Store
from ...tables.queue import item_counts
from ..ingest import spool, spool_state
from ..settings import paused_until

NEWEST_REASON = "SELECT reason FROM quarantine ORDER BY at DESC LIMIT 1"
DAYS = 30
"""Days that an agent's history has."""
SLOW_RUNS = 95
"""Of a hundred runs of a hook so many took no longer than a history's `slowest`."""

RECENT = 60
"""Runs of hooks that the sparkline shows."""

OLD_MS = 3_600_000
"""An event that has waited so long couldn't be stored by anybody."""

SLOW_MS = 100.0
"""What agents' makers ask of a hook at most."""

FEW_RUNS, ENOUGH_RUNS = 20, 100
"""The runs after which a median means something, and a 99th percentile: before that it is but the
slowest run, of a machine that just woke up."""


@dataclass(frozen=True, slots=True)
class Latency:
    """How long `runs` runs of hooks took, in milliseconds: `slowest` is the 99th percentile, `recent`
    the newest runs, oldest first."""

    runs: int
    median: float
    slowest: float
    recent: tuple[float, ...]

    @property
    def is_slow(self) -> bool:
        """Whether hooks take longer than agents should wait, as far as so few runs can tell."""
        is_usual = self.runs >= FEW_RUNS and self.median >= SLOW_MS
        return is_usual or (self.runs >= ENOUGH_RUNS and self.slowest >= SLOW_MS)


@dataclass(frozen=True, slots=True)
class Activity:
    """When an agent's last event came (ms since the epoch, UTC) and how many came today (UTC); None and
    0 where there are none."""

    agent: str
    last_at: int | None
    today: int


@dataclass(frozen=True, slots=True)
class EventHistory:
    """An agent's events of the last days: `by_day` counts those stored each day (UTC), today last;
    `slowest` is the 95th percentile of its newest hooks' durations in milliseconds, None where none was
    measured."""

    by_day: tuple[int, ...] = (0,) * DAYS
    slowest: float | None = None

    @property
    def week(self) -> int:
        """The events of the last seven days, today's among them."""
        return sum(self.by_day[-7:])


@dataclass(frozen=True, slots=True)
class CaptureHealth:
    """The state of capture. Times are ms since the epoch, UTC, `paused_until` in seconds; `waiting`
    counts unstored events, `oldest_at` is the time of the first, `failed` counts those of which nobody
    makes memory unless a person does something, `example` is why the newest of these or the quarantined
    failed, `lost` those that could be written nowhere."""

    waiting: int
    waiting_bytes: int
    oldest_at: int | None
    quarantined: int
    failed: int
    example: str
    lost: int
    last_at: int | None
    latency: Latency | None
    activities: tuple[Activity, ...]
    paused_until: float | None


def capture_health(store: Store) -> CaptureHealth:
    """The health of capture, from the store and its spool."""
    unstored = [segment for segment in spool_state.known_segments(store.db, store.path) if segment.unstored]
    lines = [line.at for line in spool.unstored_lines(unstored)]
    activities = activity(store)
    counts = item_counts(store.db)
    return CaptureHealth(
        waiting=len(lines),
        waiting_bytes=sum(segment.unstored for segment in unstored),
        oldest_at=min(lines, default=None),
        quarantined=counts["quarantined"],
        failed=counts["failed"] + counts["abandoned"],
        example=str(store.db.execute(NEWEST_REASON).get or store.pending.why_given_up()),
        lost=spool.lost_events(store.path),
        last_at=max((item.last_at for item in activities if item.last_at), default=None),
        latency=latency(store),
        activities=activities,
        paused_until=paused_until(store.path),
    )


def activity(store: Store) -> tuple[Activity, ...]:
    """The activity of every agent that ever reported an event, the most recent first."""
    today = now_ms() // DAY_MS
    rows = store.db.execute(
        "SELECT agent, max(last_at), sum(iif(day = ?, events, 0)) FROM agent_days "
        "GROUP BY agent ORDER BY max(last_at) DESC",
        (today,),
    )
    return tuple(Activity(*row) for row in rows)


def histories(store: Store) -> dict[str, EventHistory]:
    """The history of every agent of which anything is known. Costs as little in any memory: it reads no
    memories, only what hooks left, a row an agent and day."""
    first = now_ms() // DAY_MS - DAYS + 1
    sql = "SELECT agent, day, events FROM agent_days WHERE day >= ?"
    by_day: dict[str, list[int]] = {}
    for agent, day, events in store.db.execute(sql, (first,)):
        if day < first + DAYS:
            by_day.setdefault(agent, [0] * DAYS)[day - first] = events
    took: dict[str, list[float]] = {}
    for agent, microseconds in store.db.execute("SELECT agent, microseconds FROM hook_runs"):
        took.setdefault(agent, []).append(microseconds / 1000)
    return {
        agent: EventHistory(
            tuple(by_day.get(agent, [0] * DAYS)),
            _percentile(took[agent], SLOW_RUNS) if agent in took else None,
        )
        for agent in by_day.keys() | took.keys()
    }


def latency(store: Store) -> Latency | None:
    """The latency of the newest thousand runs; None before the first."""
    sql = "SELECT microseconds / 1000.0 FROM hook_runs ORDER BY id DESC LIMIT 1000"
    runs = [float(took) for (took,) in store.db.execute(sql)]
    if not runs:
        return None
    return Latency(len(runs), median(runs), _percentile(runs, 99), tuple(reversed(runs[:RECENT])))


def _percentile(runs: list[float], part: int) -> float:
    """What `part` of a hundred runs took at most; of a single run that one."""
    return quantiles(runs, n=100, method="inclusive")[part - 1] if len(runs) > 1 else runs[0]


def sparkline(values: tuple[float, ...]) -> str:
    """Values as one line of bars, the greatest the highest."""
    bars = "▁▂▃▄▅▆▇█"
    top = max(values, default=0.0) or 1.0
    return "".join(bars[min(7, int(value / top * 7.99))] for value in values)
