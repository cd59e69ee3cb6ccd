"""The lines above a timeline: what it is of, and how dense the memories in its window are."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass
from functools import partial

from textual import getters
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from memtui.store import ListRow, Store
from memtui.store.aio import AsyncStore
from memtui.store.translation import _

from ..parts.headings import Heading
from ..text.ages import clock, day, day_and_clock
from ..text.content import DIM, plain
from ..text.glyphs import GLYPHS, glyph
from .density import Density, DensityBar
from .view import TimelineView, WindowSize

ROWS = 50_000
"""So many memories are divided by type at once."""


class WindowLines(Vertical):
    """Shows what a timeline is around, and, as soon as it is counted, how dense it is."""

    DEFAULT_CSS = "WindowLines { height: auto; }"

    heading = getters.query_one(Heading)
    bar = getters.query_one(DensityBar)

    def compose(self) -> ComposeResult:
        yield Heading()
        yield DensityBar()

    def show(self, anchor: ListRow) -> None:
        """Say what a window is around."""
        symbol = glyph(anchor.type).content
        self.heading.left = Content.assemble((_("around "), DIM), symbol, " ", plain(anchor.title, "bold"))


def ends_of(view: TimelineView, size: WindowSize, now: int) -> Ends:
    """Return the ends of what a window's density shows: it ends now, unless the anchor is still to come."""
    window, at = view.window, view.anchor.created_at
    since, until = window.since, min(window.until, max(now, at))

    def label(end: int) -> str:
        if size.in_days:
            return day(end, now)
        return clock(end) if day(end) == day(at) else day_and_clock(end, now)

    return Ends(since, until, (label(since), _("now") if until == now else label(until)))


@dataclass(frozen=True, slots=True)
class Ends:
    """The first and the last moment, ms since the epoch, UTC, and what each is called."""

    since: int
    until: int
    labels: tuple[str, str]

    def edges(self, parts: int, last: int) -> list[int]:
        """Return the moments that divide the time into equal parts, with one after `last` at the end: a
        clock may have been wrong, and what it dated is counted with the newest."""
        length = self.until - self.since
        inner = [self.since + length * part // parts for part in range(parts)]
        return [*inner, max(self.until, last) + 1]


async def densities(
    store: AsyncStore, view: TimelineView, ends: Ends, parts: int
) -> AsyncIterator[Density]:
    """Yield how dense a window is, in so many parts: of very many memories first how many there are, and
    then by type, the newest first."""
    # It is needed by no other screen.
    from memtui.store.search.statistics import slices

    window, anchor = view.window, view.anchor
    if parts < 1:
        return
    edges, scope = ends.edges(parts, window.until), window.scope
    totals = await store.run(lambda store: store.density(anchor, edges, scope))
    times = [row.created_at for row in window.rows] or [anchor.created_at]
    listed = (times[0], times[-1]) if window.truncated else (ends.since, ends.until)
    types: list[Counter[str] | None] = [None] * parts
    runs = list(slices(totals, ROWS))
    for first, last in runs:
        if len(runs) > 1:
            yield Density(edges, totals, ends.labels, anchor.created_at, listed, tuple(types))
        ask = partial(
            Store.density_by_type,
            row=anchor,
            edges=edges[first : last + 2],
            scope=scope,
            types=tuple(GLYPHS),
        )
        types[first : last + 1] = await store.run(ask)
    yield Density(edges, totals, ends.labels, anchor.created_at, listed, tuple(types))
