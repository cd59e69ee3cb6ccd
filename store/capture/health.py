"""How capture is doing: what waits, what failed, how long hooks take, when each agent's events came; and
all of it as checks of `mem doctor`, with what keeps hooks or readers from using the spool."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from shutil import disk_usage
from statistics import median, quantiles

from ..database.health import Check
from ..platform.clock import DAY_MS, local_time, now_ms
from ..platform.paths import spool_directory
from ..platform.system import posix
from ..platform.translation import N_, _
from ..records.dataclasses import dataclass
from ..store import Store
from ..tables.queue import item_counts
from ..text.plural import count_noun
from .hook_process import LARGEST_SETTING
from .ingest import spool, spool_state
from .settings import pause_end, paused_until

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

SHOWN_RUNS = 40
"""As many bars as stand in a line of a narrow terminal."""

SETTINGS = ("paused", "pauses", "excluded", "lost")
OTHERS = 0o077
MOST_NAMED = 3


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


def spool_checks(store: Store) -> Iterator[Check]:
    """Check the files in the spool and in the fallbacks, and say which were cut or replaced after they had
    been stored."""
    spool.narrow(store.path)
    owner = owner_of(store.path)
    faults = [fault for place in spool.folders(store.path) for fault in file_faults(place, owner)]
    result = _("; ").join(faults[:MOST_NAMED])
    if len(faults) > MOST_NAMED:
        result = _("{items} and {number} more", items=result, number=len(faults) - MOST_NAMED)
    yield Check(
        N_("spool files"),
        not faults,
        result or _("intact"),
        _("Hooks or readers can't use it. Move it away, or give it back to yourself."),
    )
    if anew := spool_state.read_anew(store.db):
        path, at = anew[0]
        result = _("{path} was cut or replaced, and read again at {time}", path=path, time=local_time(at))
        if len(anew) > 1:
            result += _(" ({number} more)", number=len(anew) - 1)
        yield Check(N_("spool read again"), True, result)


def directory_check(database: Path) -> Check:
    """Check the directory of a store's spool, whether it can be opened or not."""
    folder = spool_directory(database)
    wrong = directory_fault(folder, owner_of(database))
    return Check(
        N_("spool directory"),
        not wrong,
        wrong or str(folder),
        _("Events go to another directory meanwhile. Put this right, then run `mem doctor` again."),
    )


def owner_of(database: Path) -> int:
    """The user whom a memory belongs to."""
    try:
        return database.stat().st_uid
    except OSError:
        return posix.geteuid()


def directory_fault(folder: Path, owner: int) -> str:
    """What keeps hooks from writing to the spool's directory or lets others in; `` for nothing."""
    if folder.is_symlink():
        return _("{folder} is a link, not a directory", folder=folder)
    try:
        status = folder.stat()
    except FileNotFoundError:
        above = next((path for path in folder.parents if path.exists()), folder.parent)
        if os.access(above, os.W_OK | os.X_OK):
            return ""
        return _("{folder} can't be made", folder=folder)
    except OSError as error:
        return _("{folder} can't be reached ({error})", folder=folder, error=error.strerror)
    if not stat.S_ISDIR(status.st_mode):
        return _("{folder} is a file, not a directory", folder=folder)
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        return _("{folder} can't be written", folder=folder)
    if status.st_uid != owner:
        return _("{folder} belongs to another user", folder=folder)
    room = disk_usage(folder)
    return _("the disk of {folder} is full", folder=folder) if room.total and not room.free else ""


def file_faults(folder: Path, owner: int) -> Iterator[str]:
    """What is wrong with each file of a spool that hooks append to or read."""
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        is_segment = bool(spool.SEGMENT.fullmatch(entry.name))
        if not is_segment and entry.name not in SETTINGS:
            continue
        try:
            status = entry.stat(follow_symlinks=not is_segment)
        except OSError as error:
            yield _("{path} can't be reached ({error})", path=entry.path, error=error.strerror)
            continue
        if not stat.S_ISREG(status.st_mode):
            yield _("{path} is not a regular file", path=entry.path)
        elif not os.access(entry.path, os.R_OK | os.W_OK):
            yield _("{path} can't be read and written", path=entry.path)
        elif status.st_uid != owner:
            yield _("{path} belongs to another user", path=entry.path)
        elif status.st_mode & OTHERS:
            yield _(
                "others can use {path} (mode {mode})",
                path=entry.path,
                mode=f"{stat.S_IMODE(status.st_mode):04o}",
            )
        elif entry.name in ("paused", "excluded") and status.st_size > LARGEST_SETTING:
            yield _(
                "{path} is too large ({size} bytes): hooks store nothing",
                path=entry.path,
                size=f"{status.st_size:,}",
            )
