"""The figures of a range of days, read part by part."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from memtui.store import Store, ToldTokens, told_tokens
from memtui.store.aio import AsyncStore
from memtui.store.search import statistics
from memtui.store.search.statistics import (
    Busiest,
    Cost,
    Division,
    Labels,
    Period,
    RangeName,
    Spent,
    SpentBy,
)

from ..text.queries import filter_for

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
    told: ToldTokens | None = None
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


def _begun(store: Store, range: RangeName | None, now: int, project: str | None) -> Figures:
    period = statistics.period_of(store.db, range or "all", now, project)
    if range is None and period.days > MOST_DAYS:
        period = statistics.period_of(store.db, "year", now, project)
    by_day = statistics.memories_by_day(store.db, period, project)
    size = statistics.file_size(store.db)
    return Figures(period, project, by_day, size)


async def read(
    store: AsyncStore,
    range: RangeName | None,
    now: int,
    project: str | None,
    show: Callable[[Figures], None],
) -> None:
    """Read all figures and show them after each part; `now` in ms since the epoch. Without a
    range it is that of all memories, of a year at most."""
    figures = await store.run(lambda item: _begun(item, range, now, project))
    period, by_day = figures.period, figures.memories
    figures.divisions = await store.run(lambda one: statistics.divisions(one.db, period, project))
    figures.sessions = await store.run(lambda entry: statistics.sessions_by_day(entry.db, period, project))
    figures.growth = await store.run(lambda one: statistics.growth(one.db, period, by_day, project))
    figures.told = await store.run(lambda one: told_tokens(one, period, project))
    figures.spending = await store.run(lambda entry: _spending(entry, period, project))
    figures.discovered = await store.run(lambda one: statistics.discovery_by_day(one.db, period, project))
    # Kept sums answer all of these at once, what follows may take longer; each `show` paints every pane.
    show(figures)
    figures.of_files = await store.run(_told_of_files)
    labels = statistics.no_labels()
    for days in await store.run(lambda one: statistics.label_slices(one.db, by_day)):
        labels.add(await store.run(_labelled(period, by_day, days, project)))
        figures.busiest = labels.busiest
        figures.days_with_names = period.days - days[0]
        show(figures)


def _told_of_files(store: Store) -> int:
    # The screen stands before what reads agents' files is imported.
    from memtui.store.files.overview import tokens_told_here

    return tokens_told_here(store, Path.cwd())


def _spending(store: Store, period: Period, project: str | None) -> CostFigures:
    listed, spent = statistics.prices(), statistics.spending(store.db, period, project)
    days: list[list[Spent]] = [[] for _ in range(period.days)]
    for item in spent:
        days[item.day].append(item)
    by: dict[SpentBy, list[Cost]] = {
        "model": statistics.costs(spent, listed, "model"),
        "project": statistics.costs(spent, listed, "project"),
        "session": statistics.costs(spent, listed, "session")[:DEAREST],
    }
    return CostFigures(
        statistics.cost(spent, listed),
        tuple(statistics.cost(day, listed) for day in days),
        by,
        store.sessions.titles(int(cost.value[1:]) for cost in by["session"]),
        listed.date,
    )


def _labelled(
    period: Period, by_day: list[int], days: tuple[int, int], project: str | None
) -> Callable[[Store], Labels]:
    return lambda store: statistics.labels_of(store.db, period, by_day, days, project)
