"""How capture is doing, in words: a few for the header, passages for its screen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isinf
from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual.content import Content

from memtui.store.capture.health import OLD_MS, CaptureHealth, Latency, sparkline
from memtui.store.platform.translation import _
from memtui.store.text.plural import count_noun

from ..protocol import Capture
from .ages import UNKNOWN, ago, clock, day, full, span
from .content import DIM, Passage, plain

if TYPE_CHECKING:
    from memtui.store.records.sharing import AutomaticPlace

WARNING = "⚠ "
WARNED = "bold $text-warning"
SHORT_MS = 5_000
"""What has waited for less is on its way, and not worth a word."""
DAY_MS = 86_400_000


def warnings(capture: Capture, now: int) -> list[str]:
    """Return what needs the user, in few words each; nothing when all is well."""
    results = [_("events can't be stored")] if capture.trouble else []
    if (health := capture.health) is None:
        return results
    if health.failed:
        results.append(_("{events} failed", events=count_noun(health.failed, "events")))
    if failed := health.quarantined + health.lost:
        results.append(_("{events} not stored", events=count_noun(failed, "events")))
    if health.oldest_at is not None and now - health.oldest_at >= OLD_MS:
        results.append(waiting(health, now))
    if capture.silent:
        if (many := len(capture.silent)) > 1:
            results.append(_("{count} agents aren't heard", count=many))
        else:
            results.append(_("{agent} isn't heard", agent=next(iter(capture.silent))))
    return results


def waiting(health: CaptureHealth, now: int) -> str:
    """`3 events waiting 12s`; `` where none has waited for longer than a moment."""
    if health.oldest_at is None or now - health.oldest_at < SHORT_MS:
        return ""
    return _(
        "{events} waiting {time}",
        events=count_noun(health.waiting, "events"),
        time=span(now - health.oldest_at),
    )


def paused(health: CaptureHealth, now: int) -> str:
    """`paused until 14:30`, `paused` when for good, `` when capture is on."""
    until = health.paused_until
    if until is None:
        return ""
    if isinf(until):
        return _("paused")
    end = round(until * 1000)
    return _("paused until {time}", time=clock(end) if end - now < DAY_MS else day(end, now))


def synced(machines: Sequence[AutomaticPlace], now: int) -> str:
    """Return how it stands with the machines that are met by themselves, in a few words: those that could
    not be met, else what waits for them, else when all were met; `` for none."""
    if failed := [machine for machine in machines if machine.trouble]:
        many = count_noun(len(failed), "machines") if len(failed) > 1 else failed[0].name
        return WARNING + _("{machines} not met", machines=many)
    if waiting := sum(machine.waiting for machine in machines):
        return _("{rows} to sync", rows=count_noun(waiting, "rows"))
    times = [machine.met_at for machine in machines if machine.met_at]
    return _("synced {age}", age=ago(min(times), now)) if times else ""


def met(team: AutomaticPlace, now: int) -> str:
    """Return how it stands with the team, in a few words: that it could not be met, else what waits for it,
    else when it was met."""
    if team.trouble:
        return _("⚠ {team} not met", team=team.name)
    if team.met_at is None:
        return _("{team} never met", team=team.name)
    if team.waiting:
        rows = count_noun(team.waiting, "rows")
        return _("{rows} for {team}", rows=rows, team=team.name)
    return _("{team} met {when}", team=team.name, when=ago(team.met_at, now))


def capture_passages(capture: Capture, now: int, width: int) -> Iterator[Passage]:
    """Yield all about capture; `width` cells are there for the line of bars, and for sentences."""
    if capture.trouble:
        words = _(
            "{trouble} Events from hooks are kept until they can be stored.",
            trouble=capture.trouble,
        )
        yield Passage(Content.assemble((WARNING, WARNED), plain(words)))
    if (health := capture.health) is None:
        return
    yield from _failures(health, width)
    yield Passage(_waiting(health, now, width), _("Waiting"))
    yield Passage(_last(health, now), _("Last event"))
    yield from _latency(health.latency, width)
    yield Passage(_switch(health, now), _("Capture"))
    if capture.machines:
        yield Passage(
            Content.assemble(synced(capture.machines, now) or _("never"), (_(" · s shows them"), DIM)),
            _("Machines"),
        )
    if capture.team is not None:
        yield Passage(Content.assemble(met(capture.team, now), (_(" · s shows it"), DIM)), _("Team"))
    globs = " · ".join(capture.excluded)
    yield Passage(
        plain(globs)
        if globs
        else Content.assemble(_("nothing"), (" · ", DIM), ("mem exclude GLOB", "$text-accent")),
        _("Excluded"),
    )


def _waiting(health: CaptureHealth, now: int, width: int) -> Content:
    if not health.waiting or health.oldest_at is None:
        return Content(_("nothing"))
    waited = max(0, now - health.oldest_at)
    events = count_noun(health.waiting, "events")
    words = _("{events}, the first for {time}", events=events, time=span(waited))
    return _warned(words, "mem doctor", width) if waited >= OLD_MS else plain(words)


def _last(health: CaptureHealth, now: int) -> Content:
    if health.last_at is None:
        return Content(_("none yet"))
    agent = next(
        (activity.agent for activity in health.activities if activity.last_at == health.last_at), ""
    )
    parts = (ago(health.last_at, now), agent, full(health.last_at))
    return plain(" · ".join(part for part in parts if part not in ("", UNKNOWN)))


def _latency(latency: Latency | None, width: int) -> Iterator[Passage]:
    if latency is None:
        yield Passage(Content(_("nothing measured yet")), _("Hooks take"))
        return
    words = _(
        "{median} median · {slowest} 99th percentile",
        median=milliseconds(latency.median),
        slowest=milliseconds(latency.slowest),
    )
    content = _warned(words, "mem doctor", width) if latency.is_slow else Content(words)
    yield Passage(content, _("Hooks take"))
    if width > 0:
        yield Passage(Content.styled(sparkline(latency.recent[-width:]), "$primary"), "")


def _failures(health: CaptureHealth, width: int) -> Iterator[Passage]:
    if not health.quarantined and not health.lost:
        yield Passage(Content(_("nothing")), _("Not stored"))
    if health.quarantined:
        words = _("{events} in quarantine", events=count_noun(health.quarantined, "events"))
        yield Passage(_warned(words, "mem queue list", width), _("Not stored"))
    if health.failed:
        words = _("{events} failed", events=count_noun(health.failed, "events"))
        yield Passage(_warned(words, "mem queue retry --all", width), _("Failed"))
    if health.example:
        yield Passage(plain(health.example, DIM), "")
    if health.lost:
        words = _("{events} could not be written anywhere", events=count_noun(health.lost, "events"))
        yield Passage(_warned(words, "mem doctor", width), _("Lost"))


def _switch(health: CaptureHealth, now: int) -> Content:
    if words := paused(health, now):
        return Content.assemble((words, WARNED), (_(" · P resumes"), DIM))
    return Content.assemble(_("on"), (_(" · P pauses"), DIM))


def _warned(words: str, command: str, width: int) -> Content:
    """Return what is amiss and the command that helps, on a line of its own where both don't fit."""
    fits = cell_len(f"{WARNING}{words} · {command}") <= width
    between = (" · " if fits else "\n", DIM)
    return Content.assemble((f"{WARNING}{words}", WARNED), between, (command, "$text-accent"))


def milliseconds(value: float) -> str:
    """Return a duration as `14.6 ms`, without the fraction from 100 ms on."""
    return f"{value:.1f} ms" if value < 100 else f"{value:,.0f} ms"
