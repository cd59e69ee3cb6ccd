"""The values with the most memories, each with a bar and with how many they were over time."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from textual.content import Content

from memtui.store.platform.translation import _
from memtui.store.search.statistics import Bar
from memtui.store.text.plural import count_noun

from ..text.ages import day_of_month, day_of_year, full_day
from ..text.content import DIM, fit_title, joined, plain
from ..text.glyphs import glyph
from ..text.queries import filter_for
from ..text.sparkline import bar as bar_of
from ..text.sparkline import sparkline
from .figures import Figures
from .pane import CURSOR_TEXT, READING, FiguresPane, Place

SHORTEST = 4
"""Cells of the longest bar at least, beside a long name."""
LEAST_WITH_TIME = 34
"""Cells of a pane that also shows the values over time."""


class Bars(FiguresPane):
    """A row a value. The cursor stands on a row, or within it on a stretch of days: its place is the row
    and the number of the step plus one, 0 for the whole range."""

    def __init__(self, name: str, title: str, *, id: str) -> None:
        super().__init__(id=id)
        self.name_of, self.title = name, title

    def rows(self, figures: Figures) -> tuple[Bar, ...] | None:
        """The values, most first; None while they are being read."""
        if self.name_of in ("file", "concept"):
            busiest = figures.busiest
            if busiest is None:
                return None
            results = busiest.files if self.name_of == "file" else busiest.concepts
            return tuple(Bar(value, many, ()) for value, many in results)
        division = figures.divisions.get(self.name_of)
        return division.bars if division else None

    def beside(self, figures: Figures) -> str:
        rows = self.rows(figures)
        if rows is None:
            return READING
        if self.name_of in ("file", "concept"):
            last, all = figures.days_with_names, figures.period.days
            return (
                ""
                if last == all
                else _("{reading} of the last {days} days", reading=READING, days=f"{last:,}")
            )
        shown = min(len(rows), max(0, self.content_size.height))
        more = len(rows) - shown + figures.divisions[self.name_of].more
        return _("{shown} and {more} more", shown=f"{shown:,}", more=f"{more:,}") if more else f"{shown:,}"

    def moved(self, figures: Figures, down: int, right: int) -> Place:
        rows = self.rows(figures) or ()
        row = max(0, min(self.cursor[0] + down, len(rows) - 1))
        steps = len(rows[row].by_step) if rows else 0
        return row, max(0, min(self.cursor[1] + right, steps))

    def told(self, figures: Figures) -> str:
        rows = self.rows(figures)
        if not rows:
            return READING if rows is None else _("nothing in this range")
        row, step = self.cursor
        bar = rows[row]
        name = self.called(bar)
        if bar.value:
            name = f"{_(self.name_of)} {name}"
        if not step:
            share = 100 * bar.memories / max(1, sum(figures.memories))
            return joined(
                name,
                count_noun(bar.memories, "memories"),
                _("{share} % of the range", share=f"{share:.0f}"),
            )
        return joined(name, step_name(figures, step - 1), count_noun(bar.by_step[step - 1], "memories"))

    def called(self, bar: Bar) -> str:
        """Return what a value is called."""
        if not bar.value:
            return _("no {label}", label=_(self.name_of))
        return _(bar.value) if self.name_of == "type" else bar.value

    def search_for(self, figures: Figures) -> str | None:
        rows = self.rows(figures)
        if not rows:
            return None
        row, step = self.cursor
        filter = filter_for(self.name_of, rows[row].value) if rows[row].value else None
        return figures.query(filter, step=step - 1 if step else None) if filter else None

    def lines(self, figures: Figures, width: int, height: int) -> Iterator[Content]:
        rows = self.rows(figures)
        if rows is None:
            return
        if not rows:
            yield Content.styled(" " + _("none"), DIM)
            return
        first = max(0, min(self.cursor[0] - height + 1, len(rows) - height))
        most = max(bar.memories for bar in rows)
        digits = max(len(f"{bar.memories:,}") for bar in rows)
        steps = len(rows[0].by_step)
        is_worth = any(sum(many > 0 for many in bar.by_step) > 1 for bar in rows)
        over_time = min(steps, width // 3) if is_worth and width >= LEAST_WITH_TIME else 0
        room = width - digits - 3 - (over_time + 1 if over_time else 0)
        longest = max(plain(self.called(bar)).cell_length for bar in rows)
        longest += 2 if self.name_of == "type" else 0
        label = max(6, min(longest, room - max(SHORTEST, room // 4)))
        for row in range(first, min(len(rows), first + height)):
            yield self._row(rows[row], row, label, room - label, most, digits, over_time)

    def _row(
        self, bar: Bar, row: int, label: int, width: int, most: int, digits: int, over_time: int
    ) -> Content:
        sign = [glyph(bar.value).content, Content(" ")] if self.name_of == "type" else []
        name = fit_title(Content.assemble(*sign, plain(self.called(bar))), label)
        is_here = self.has_focus and self.cursor[0] == row
        drawn = Content.styled(bar_of(bar.memories, most, max(0, width)), "$text-primary")
        parts = [
            Content.styled("▌" if is_here else " ", "$text-accent"),
            self.at(name + " ", (row, 0), CURSOR_TEXT),
            self.at(drawn, (row, 0)),
            self.at(Content(f" {bar.memories:>{digits},}"), (row, 0), CURSOR_TEXT),
        ]
        if over_time:
            parts.append(Content(" "))
            edges = [len(bar.by_step) * place // over_time for place in range(over_time + 1)]
            values = [sum(bar.by_step[start:end]) for start, end in pairwise(edges)]
            for place, mark in enumerate(sparkline(values)):
                start, end = edges[place] + 1, edges[place + 1]
                step = self.cursor[1] if is_here and start <= self.cursor[1] <= end else start
                parts.append(self.at(Content.styled(mark, "$text-secondary"), (row, step)))
        return Content.assemble(*parts)


def step_name(figures: Figures, step: int) -> str:
    """Return which days a step is, as short as it can be said."""
    period = figures.period
    first, last = (period.day(number) for number in period.days_of_step(step))
    if first == last:
        return full_day(first)
    start = day_of_month(first) if first.year == last.year else day_of_year(first)
    return _("{first} to {last}", first=start, last=day_of_year(last))
