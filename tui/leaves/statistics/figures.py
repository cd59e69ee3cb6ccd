"""The figures of a range of days, read part by part; and what every pane of them has: a title, a cursor
that keys and clicks move, and what it stands on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from textual import events
from textual.binding import Binding
from textual.content import Content
from textual.message import Message
from textual.style import Style
from textual.widget import Widget

from memtui.store import Store
from memtui.store.aio import AsyncStore
from memtui.store.config.prices import prices
from memtui.store.leaves.statistics import counts, spending
from memtui.store.leaves.statistics.counts import Busiest, Division, Labels, Period, RangeName
from memtui.store.leaves.statistics.spending import Cost, GivenTokens, Spent, SpentBy
from memtui.store.platform.leaves import has_leaf, leaf
from memtui.store.platform.translation import _
from memtui.store.search.listing.timeline import Slice

from ...keys.bindings import hidden, key
from ...text.content import fit, plain
from ...text.queries import filter_for

MOST_DAYS = 366
DEAREST = 12
"""How many sessions are named, those that cost the most."""


@dataclass(frozen=True, slots=True)
class CostFigures:
    """What agents' models cost in a range: in all, by day, and by model, project and session, the dearest
    first; `titles` of the dearest sessions, by their numbers; `date` is that of the list prices."""

    whole: Cost
    by_day: tuple[Cost, ...]
    by: dict[SpentBy, list[Cost]]
    titles: dict[int, str]
    date: str


@dataclass(slots=True)
class Figures:
    """What is known of a range; None for what is still being read."""

    period: Period
    project: str | None
    memories: list[int]
    """By day, like `sessions` and `discovered`."""
    bytes: int
    """The file's size."""
    sessions: list[int] | None = None
    divisions: dict[str, Division] = field(default_factory=dict)
    growth: list[int] | None = None
    given: GivenTokens | None = None
    of_files: int = 0
    """Tokens of agents' own files that agents were told here, in thirty days."""
    spending: CostFigures | None = None
    discovered: list[int] | None = None
    busiest: Busiest | None = None
    days_with_names: int = 0
    """So many days, the last ones, are in `busiest`."""

    @property
    def tokens(self) -> list[int]:
        """The tokens of discovery by day; 0 for days that are still being read."""
        return self.discovered or [0] * self.period.days

    def query(self, *filters: str | None, step: int | None = None, day: int | None = None) -> str:
        """Return the search for what a figure counts: of a step or of a day, else of all the range."""
        period, dates = self.period, list[str]()
        if day is not None:
            dates = [f"on:{period.day(day)}"]
        elif step is not None:
            first, last = period.days_of_step(step)
            dates = [f"since:{period.day(first)}", f"until:{period.day(last)}"]
        elif period.range != "all":
            dates = [f"since:{period.first}", f"until:{period.day(period.days - 1)}"]
        of = filter_for("project", self.project) if self.project else None
        return " ".join(dict.fromkeys(text for text in (of, *filters, *dates) if text))


async def read(
    store: AsyncStore,
    range: RangeName | None,
    now: int,
    project: str | None,
    show: Callable[[Figures], None],
) -> None:
    """Read all figures and show them after each part; `now` in ms since the epoch. Without a
    range it is that of all memories, of a year at most."""
    figures = await store.run(lambda opened: _begun(opened, range, now, project))
    period, by_day = figures.period, figures.memories
    figures.divisions = await store.run(lambda opened: counts.divisions(opened.db, period, project))
    figures.sessions = await store.run(lambda opened: counts.sessions_by_day(opened.db, period, project))
    figures.growth = await store.run(lambda opened: counts.growth(opened.db, period, by_day, project))
    figures.given = await store.run(lambda opened: spending.given_tokens(opened, period, project))
    figures.spending = await store.run(lambda opened: _spending(opened, period, project))
    figures.discovered = await store.run(
        lambda opened: spending.discovery_by_day(opened.db, period, project)
    )
    # Kept sums answer all of these at once, what follows may take longer; each `show` paints every pane.
    show(figures)
    if has_leaf("files"):
        figures.of_files = await store.run(
            lambda opened: int(leaf("files.overview").tokens_loaded_here(opened, Path.cwd()))
        )
    labels = counts.Labels()
    for days in await store.run(lambda opened: counts.label_slices(opened.db, by_day)):

        def names_of(opened: Store, days: Slice = days) -> Labels:
            return counts.labels_of(opened.db, period, by_day, days, project)

        labels.add(await store.run(names_of))
        figures.busiest = labels.busiest
        figures.days_with_names = period.days - days[0]
        show(figures)


CURSOR = "$text-accent on $accent-muted"
"""The style of a mark where the cursor stands: reversed, a full block would be gone."""
CURSOR_TEXT = "$lit on $accent-muted"
READING = "…"
"""Stands where something is still being read."""
Place = tuple[int, int]


def _move(keys: str, down: int, right: int, tooltip: str, id: str) -> Binding:
    return hidden(keys, f"move({down}, {right})", "Move", tooltip, f"figures.{id}")


class FiguresPane(Widget, can_focus=True):
    """Subclasses give `title`, `beside`, `lines`, `moved`, `in_words` and `search_for`."""

    BINDINGS = [
        key(
            "enter",
            "search",
            "Search",
            "The memories that the figure counts",
            "figures.search",
            display="⏎",
        ),
        _move("left,h", 0, -1, _("The week before; in bars the stretch of days before"), "left"),
        _move("right,l", 0, 1, _("The next week; in bars the next stretch of days"), "right"),
        _move("up,k", -1, 0, _("The day before; the bar above"), "up"),
        _move("down,j", 1, 0, _("The next day; the bar below"), "down"),
    ]

    @dataclass
    class Moved(Message):
        """The cursor stands elsewhere, or what it stands on has other figures."""

        pane: FiguresPane

    @dataclass
    class Asked(Message):
        """A figure was chosen, which is this search."""

        query: str

    title = ""
    figures: Figures | None = None
    cursor: Place = (0, 0)

    def show(self, figures: Figures) -> None:
        """Show the figures; the cursor stays, if there is anything where it stands."""
        self.figures = figures
        self.cursor = self.moved(figures, 0, 0)
        self.retitle()
        self.refresh()
        self._tell()

    def beside(self, figures: Figures) -> str:
        """What stands beside the title."""
        raise NotImplementedError

    def retitle(self) -> None:
        """Have the line above the pane say what it shows."""
        beside = READING if self.figures is None else self.beside(self.figures)
        self.border_title = Content.assemble(
            " ", plain(self.title), " ", plain(f"{beside} ", "not bold") if beside else ""
        )

    def on_mount(self) -> None:
        self.add_class("pane")
        self.retitle()

    def on_resize(self) -> None:
        # How many rows there is room for stands there too.
        self.retitle()

    def lines(self, figures: Figures, width: int, height: int) -> Iterator[Content]:
        """Yield what stands below the title."""
        raise NotImplementedError

    def moved(self, figures: Figures, down: int, right: int) -> Place:
        """Return where the cursor goes, or has to go where there is nothing below it any more."""
        raise NotImplementedError

    def in_words(self, figures: Figures) -> str:
        """Return the figures at the cursor, in words."""
        raise NotImplementedError

    def search_for(self, figures: Figures) -> str | None:
        """Return the search for what the cursor stands on; None where there is none."""
        raise NotImplementedError

    def action_move(self, down: int, right: int) -> None:
        """Move the cursor."""
        if self.figures is not None:
            self._go(self.moved(self.figures, down, right))

    def action_search(self) -> None:
        """Search for what the figure counts."""
        if self.figures is None:
            return
        if query := self.search_for(self.figures):
            self.post_message(self.Asked(query))
        else:
            self.notify(_("There is no search for this."), severity="warning")

    def on_click(self, event: events.Click) -> None:
        if (place := event.style.meta.get("place")) and self.figures is not None:
            self._go(place)

    def watch_has_focus(self, _has_focus: bool) -> None:
        super().watch_has_focus(_has_focus)
        self.refresh()
        self._tell()

    def _go(self, place: Place) -> None:
        self.cursor = place
        self.refresh()
        self._tell()

    def _tell(self) -> None:
        if self.has_focus:
            self.post_message(self.Moved(self))

    def at(self, content: Content, place: Place, cursor: str = CURSOR) -> Content:
        """A part of a line that a click leads to, in the style `cursor` where the cursor stands on it."""
        if self.has_focus and place == self.cursor:
            content = content.stylize(cursor)
        return content.stylize(Style.from_meta({"place": place}))

    def render(self) -> Content:
        width, height = self.content_size
        if self.figures is None:
            return Content()
        lines = self.lines(self.figures, width, height)
        return Content("\n").join(fit(line, width) for line in lines)


def _begun(store: Store, range: RangeName | None, now: int, project: str | None) -> Figures:
    period = counts.period_of(store.db, range or "all", now, project)
    if range is None and period.days > MOST_DAYS:
        period = counts.period_of(store.db, "year", now, project)
    by_day = counts.memories_by_day(store.db, period, project)
    size = counts.file_size(store.db)
    return Figures(period, project, by_day, size)


def _spending(store: Store, period: Period, project: str | None) -> CostFigures:
    listed, spent = prices(), spending.spending(store.db, period, project)
    days: list[list[Spent]] = [[] for _ in range(period.days)]
    for item in spent:
        days[item.day].append(item)
    by: dict[SpentBy, list[Cost]] = {
        "model": spending.costs(spent, listed, "model"),
        "project": spending.costs(spent, listed, "project"),
        "session": spending.costs(spent, listed, "session")[:DEAREST],
    }
    return CostFigures(
        spending.cost(spent, listed),
        tuple(spending.cost(day, listed) for day in days),
        by,
        store.sessions.titles(int(cost.value[1:]) for cost in by["session"]),
        listed.date,
    )
