"""The two lines above a timeline: what it is of, and a histogram of the memories in its window."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual import getters
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from ..parts.headings import Heading
from ..text.ages import clock, day
from ..text.content import DIM, plain
from ..text.glyphs import glyph
from ..text.status import short_id
from .view import TimelineView, WindowSize

LEVELS = "▂▃▄▅▆▇█"
NOTHING = "▁"
UNKNOWN = "┄"
ANCHOR = "▌"


@dataclass(frozen=True, slots=True)
class Density:
    """Times between `since` and `until` (ms), in order; those before `known_from` or after
    `known_to` were not looked at. `labels` name both ends."""

    since: int
    until: int
    times: Sequence[int]
    labels: tuple[str, str]
    known_from: int
    known_to: int
    anchor: int | None = None


class DensityBar(Widget):
    """Shows a `Density` over its whole width."""

    DEFAULT_CSS = "DensityBar { height: 1; padding: 0 1; }"

    density: reactive[Density | None] = reactive(None)

    def render(self) -> Content:
        density = self.density
        if density is None:
            return Content()
        left, right = density.labels
        start, end = Content.styled(f"◀ {left} ", DIM), Content.styled(f" {right} ▶", DIM)
        cells = self.size.width - start.cell_length - end.cell_length
        return Content.assemble(start, *_bars(density, cells), end)


def counts(times: Sequence[int], since: int, until: int, cells: int) -> list[int]:
    """Return how many of the times fall into each of `cells` equal parts of the stretch."""
    found = [0] * cells
    for at in times:
        found[_cell(at, since, until, cells)] += 1
    return found


def _cell(at: int, since: int, until: int, cells: int) -> int:
    place = (at - since) * cells // max(1, until - since)
    return max(0, min(place, cells - 1))


def _bars(density: Density, cells: int) -> list[Content]:
    if cells < 1:
        return []
    since, until = density.since, density.until
    found = counts(density.times, since, until, cells)
    most = max(found)
    known = range(
        _cell(density.known_from, since, until, cells),
        _cell(density.known_to, since, until, cells) + 1,
    )
    bars = [
        Content.styled(LEVELS[(number - 1) * len(LEVELS) // most], "$text-primary")
        if number
        else Content.styled(NOTHING if place in known else UNKNOWN, "$foreground 30%")
        for place, number in enumerate(found)
    ]
    if density.anchor is not None:
        bars[_cell(density.anchor, since, until, cells)] = Content.styled(ANCHOR, "$text-accent")
    return bars


class WindowLines(Vertical):
    """Shows what `Around` tells."""

    DEFAULT_CSS = "WindowLines { height: 2; }"

    heading = getters.query_one(Heading)
    bar = getters.query_one(DensityBar)

    def compose(self) -> ComposeResult:
        yield Heading()
        yield DensityBar()

    def show(self, found: TimelineView, size: WindowSize, now: int) -> None:
        """Show a window as it is at `now`, ms since the epoch, UTC."""
        anchor = found.anchor
        symbol = glyph(anchor.type).content
        self.heading.left = Content.assemble(
            ("around ", DIM), symbol, " ", plain(anchor.title, "bold")
        )
        self.heading.right = Content.assemble(
            (size.label, "bold"), plain(f" · {_extent(found)}", DIM)
        )
        self.bar.density = _density(found, size, now)


def _extent(found: TimelineView) -> str:
    """Of what the window is, and how much of it there is."""
    window, anchor = found.window, found.anchor
    session = found.sessions.get(anchor.session_id or 0)
    of = {
        "session": f"session {short_id(session)}" if session else "no session",
        "project": f"project {anchor.project}" if anchor.project else "no project",
        "all": "everything",
    }
    many = len(window.rows)
    return f"{of[window.scope]} · {f'nearest {many} shown' if window.truncated else many}"


def _density(found: TimelineView, size: WindowSize, now: int) -> Density:
    window = found.window
    times = [row.created_at for row in window.rows]
    ends = window.since, window.until
    known = (times[0], times[-1]) if window.truncated else ends
    at = found.anchor.created_at

    def label(end: int) -> str:
        if size.in_days:
            return day(end, now)
        return clock(end) if day(end) == day(at) else f"{day(end, now)} {clock(end)}"

    return Density(*ends, times, (label(ends[0]), label(ends[1])), *known, at)
