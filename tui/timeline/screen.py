"""The timeline: what happened around a moment, the whole screen high, with lines above that say of what."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass
from functools import partial

from textual import getters, on, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from memtui.store import ListRow, Query, Record, Scope, Store
from memtui.store.aio import AsyncStore
from memtui.store.platform.translation import N_, _
from memtui.store.search.listing.timeline import slices

from ..finding.places import Dates
from ..keys.bindings import FOLLOW, hidden, key
from ..lists.rows import FollowingView
from ..memory import Detail
from ..parts.frame import Heading
from ..parts.split import Split
from ..parts.text_view import Hint
from ..screen import MemScreen
from ..text.ages import clock, day, day_and_clock
from ..text.content import DIM, plain
from ..text.glyphs import GLYPHS, glyph
from ..text.records import Surroundings
from .density import Density, DensityBar
from .lists import USUAL, TimelinePane, TimelineView, WindowSize, filling_size, timeline_view
from .moments import Moment

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


END = 1 << 62
"""A time (ms) that nothing has yet."""
EMPTY = _("There are no memories yet, so there is nothing to put in order.")
COMMANDS = {
    _('mem add "What I learned"'): _("stores one"),
    "mem import": _("brings in what your agents remember already"),
    "memtui --demo": _("shows a made-up store to look around in"),
}


class TimelineScreen(MemScreen):
    """Around `anchor`; without one, around what was selected when its mode was last entered."""

    CSS_PATH = "screen.tcss"
    BINDINGS = [
        key(
            "left_square_bracket",
            "resize_window(-1)",
            "Narrower window",
            "A shorter stretch of time",
            "timeline.another",
            display="[ ]",
            footer="Window",
        ),
        hidden(
            "right_square_bracket",
            "resize_window(1)",
            "Wider window",
            "A longer stretch of time",
            "timeline.wider",
        ),
        FOLLOW,
        key("s", "scope", "Scope", "Its session, its project, or everything", "timeline.scope"),
        key("J", "step(1)", "Anchor", "Around the next observation", "timeline.later", display="J K"),
        hidden("K", "step(-1)", "Anchor", "Around the one before", "timeline.earlier"),
    ]

    place = N_("Timeline")
    mode = "timeline"

    lines = getters.query_one(WindowLines)
    pane = getters.query_one(TimelinePane)
    detail = getters.query_one(Detail)

    def __init__(
        self, anchor: ListRow | None = None, minutes: float | None = None, scope: Scope = "project"
    ) -> None:
        super().__init__()
        self._anchor = anchor
        self._follows_selection = anchor is None
        self._was_left = False
        self._found: TimelineView | None = None
        self._steps = 0
        self._minutes = minutes
        self._scope = scope
        self._fits_window = False

    def body(self) -> ComposeResult:
        yield WindowLines()
        with Split("timeline"):
            yield TimelinePane()
            yield Detail()
        yield Hint(EMPTY, COMMANDS, id="empty")

    @property
    def row(self) -> ListRow | None:
        return self.pane.row if self.is_mounted else None

    def on_mount(self) -> None:
        self.detail.entitle(_("Memory"))
        self._anchor = self._anchor or self.browser.selection
        self.pane.window_size, self.pane.scope = self._window_size(), self._scope
        self._load()

    def _window_size(self) -> WindowSize:
        if self._minutes is not None:
            return WindowSize.for_minutes(self._minutes)
        name = self.browser.settings.timeline_window
        self._fits_window = not name
        return WindowSize.named(name) if name else USUAL

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in ("resize_window", "scope", "step"):
            return not self.has_class("-empty")
        return super().check_action(action, parameters)

    def on_screen_suspend(self) -> None:
        self._was_left = self.app.current_mode != self.mode

    def on_screen_resume(self) -> None:
        chosen = self.browser.selection
        if self._follows_selection and self._was_left and chosen != self.row:
            self._anchor = chosen
            self._load()
        self._was_left = False

    def store_changed(self) -> None:
        self._load(hold=not self.pane.holds_newest)

    def action_resize_window(self, steps: int) -> None:
        """Look further, or less far, around the same anchor."""
        self._fits_window = False
        self.pane.step_window(steps)
        self._load(hold=True, fill=steps > 0)

    def action_scope(self) -> None:
        """What happened in the anchor's session, in its project, or anywhere."""
        self.pane.step_scope()
        self._load(hold=True, fill=True)

    def action_step(self, step: int) -> None:
        """Make a later or earlier observation the anchor."""
        self.pane.pause()
        self._steps += step
        self._load()

    @property
    def followed(self) -> FollowingView | None:
        return self.pane if self.is_mounted and self._anchor is not None else None

    def show_newest(self, rows: FollowingView) -> None:  # noqa: ARG002
        self._load()

    @property
    def has_dates(self) -> bool:
        return self._anchor is not None and self.focused is self.pane

    async def go_to_dates(self, dates: Dates) -> str:
        """Make the memory nearest to some dates the anchor, in the same project or anywhere."""
        anchor, since, until = self._anchor, dates.since, dates.until
        scope: Scope = "all" if self.pane.scope == "all" else "project"
        row = await self.browser.reader.run(lambda store: store.nearest(since, until, anchor, scope))
        if row is None:
            return _("There is nothing to go to.")
        self._go_around(row)
        if since <= row.created_at < until:
            return ""
        now = self.browser.now()
        date, nearest = dates.named(now), day(row.created_at, now)
        if scope == "all":
            return _("Nothing on {date}: the nearest is of {nearest}.", date=date, nearest=nearest)
        return _(
            "Nothing on {date} in this project: the nearest is of {nearest}.",
            date=date, nearest=nearest,
        )  # fmt: skip

    def _go_around(self, row: ListRow) -> None:
        """Make a memory the anchor; the newest isn't gone to any more."""
        self._anchor = row
        self.pane.pause()
        self._load()

    def action_timeline(self) -> None:
        """The same view around the selected moment, on a screen of its own."""
        if self.row is not None and self.row != self._anchor:
            pane = self.pane
            another = TimelineScreen(self.row, pane.window_size.minutes, pane.scope)
            self.browser.open_over(another)

    @on(TimelinePane.Highlighted)
    def _select(self, message: TimelinePane.Highlighted) -> None:
        if self.is_current and isinstance(message.item, Moment):
            self.browser.selection = message.item.row
            self._read(message.item)

    @on(TimelinePane.Selected)
    def _open(self, message: TimelinePane.Selected) -> None:
        match message.item:
            case Moment(row, session):
                self.browser.show_memory(row, session)

    @work(exclusive=True, group="timeline")
    async def _load(self, hold: bool = False, fill: bool = False) -> None:
        anchor, steps, pane = self._anchor, self._steps, self.pane
        size, scope = pane.window_size, pane.scope
        to_newest = pane.holds_newest
        fitted = self.app.size.height if self._fits_window and not hold else 0

        def view(store: Store) -> tuple[TimelineView | None, WindowSize]:
            wide: Scope = "all" if scope == "all" else "project"
            at = anchor
            if to_newest or anchor is None:
                at = store.nearest(END, END, anchor, wide)
            chosen = filling_size(store, at, scope, fitted) if fitted and at is not None else size
            return timeline_view(store, at, steps=steps, minutes=chosen.minutes, scope=scope), chosen

        result, pane.window_size = await self.browser.reader.run(view)
        # Not sooner: a key pressed meanwhile cancels this, and its steps are still to be made.
        self._steps, self._fits_window = 0, False
        self.set_class(result is None, "-empty")
        self.refresh_bindings()
        if result is not None:
            self._anchor = result.anchor
            self.lines.show(result.anchor)
            pane.extent = result.extent
            self._found = result
            self._count()
            await pane.show_view(result, hold=hold, fill=fill)
        await self.show_sought()

    async def move_selection(self, ref: str, row: ListRow | None) -> None:  # noqa: ARG002
        await self.pane.move_to_ref(ref)

    @on(DensityBar.Resized)
    def _count_again(self) -> None:
        self._count()

    @on(DensityBar.Chosen)
    @work(exclusive=True, group="chosen")
    async def _go_to(self, message: DensityBar.Chosen) -> None:
        """Make what is nearest to a place of the bar the anchor."""
        at, anchor, scope = message.at, self._anchor, self.pane.scope
        row = await self.browser.reader.run(lambda store: store.nearest(at, at + 1, anchor, scope))
        if row is not None:
            self._go_around(row)

    @work(exclusive=True, group="density")
    async def _count(self) -> None:
        if (view := self._found) is not None:
            now, size = self.browser.now(), self.pane.window_size
            bar = self.lines.bar
            ends = ends_of(view, size, now)
            async for density in densities(self.browser.counter, view, ends, bar.cells_for(ends.labels)):
                bar.density = density

    @work(exclusive=True, group="detail")
    async def _read(self, moment: Moment) -> None:
        has_marks = self.browser.team_marks.is_on

        def found(store: Store) -> tuple[Record, Surroundings]:
            record = store.record_of(moment.row)
            return record, Surroundings.of(store, record, has_marks=has_marks)

        record, beside = await self.browser.side.run(found)
        self.detail.show_record(record, moment.row, moment.session, Query(), self.browser.now(), beside)
