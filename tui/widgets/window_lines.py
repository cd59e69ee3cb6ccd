"""The two lines above a timeline: what it is of, and how thick the memories lie in its window."""

from __future__ import annotations

from textual import getters
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from ..ages import clock, day
from ..around import Around
from ..glyphs import glyph
from ..status import short_id
from ..text import DIM, plain
from ..zoom import Zoom
from .density import Density, DensityBar
from .heading import Heading


class WindowLines(Vertical):
    """Shows what `Around` tells."""

    DEFAULT_CSS = "WindowLines { height: 2; }"

    heading = getters.query_one(Heading)
    bar = getters.query_one(DensityBar)

    def compose(self) -> ComposeResult:
        yield Heading()
        yield DensityBar()

    def show(self, found: Around, zoom: Zoom, now: int) -> None:
        """Show a window as it is at `now`, ms since the epoch, UTC."""
        anchor = found.anchor
        symbol = glyph(anchor.type).content
        self.heading.left = Content.assemble(
            ("around ", DIM), symbol, " ", plain(anchor.title, "bold")
        )
        self.heading.right = Content.assemble(
            (zoom.label, "bold"), plain(f" · {_extent(found)}", DIM)
        )
        self.bar.density = _density(found, zoom, now)


def _extent(found: Around) -> str:
    """Of what the window is, and how much of it there is."""
    window, anchor = found.window, found.anchor
    session = found.sessions.get(anchor.session_id or 0)
    of = {
        "session": f"session {short_id(session)}" if session else "no session",
        "project": f"project {anchor.project}" if anchor.project else "no project",
        "all": "everything",
    }
    many = len(window.entries)
    return f"{of[window.scope]} · {f'nearest {many} shown' if window.truncated else many}"


def _density(found: Around, zoom: Zoom, now: int) -> Density:
    window = found.window
    times = [entry.created_at for entry in window.entries]
    ends = window.since, window.until
    known = (times[0], times[-1]) if window.truncated else ends
    at = found.anchor.created_at

    def label(end: int) -> str:
        if zoom.in_days:
            return day(end, now)
        return clock(end) if day(end) == day(at) else f"{day(end, now)} {clock(end)}"

    return Density(*ends, times, (label(ends[0]), label(ends[1])), *known, at)
