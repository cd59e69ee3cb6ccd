"""What there is most of, each with a bar: values with how many memories they have and had over time; and
the models, projects and sessions that cost the most, with their tokens and dollars."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from textual.content import Content

from memtui.store.leaves.statistics.counts import Bar
from memtui.store.leaves.statistics.spending import Cost, SpentBy
from memtui.store.platform.translation import _
from memtui.store.text.plural import count_noun

from ...text.ages import day_of_month, day_of_year, full_day
from ...text.ages import tokens as short
from ...text.content import DIM, fit_title, joined, plain
from ...text.glyphs import bar as bar_of
from ...text.glyphs import glyph, sparkline
from ...text.queries import filter_for
from ...text.rows import shared_beginning
from .figures import CURSOR_TEXT, READING, Figures, FiguresPane, Place

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

    def in_words(self, figures: Figures) -> str:
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


TITLES: dict[SpentBy, str] = {
    "model": _("Cost by model"),
    "project": _("Cost by project"),
    "session": _("Cost by session"),
}
LEAST_NAME = 12
LEAST_BAR = 6
COUNTS = 13
"""Cells of the tokens in and out."""
DOLLARS = 9
WITH_BAR = 44
"""Cells of a pane from which on it has bars."""
LABELS: dict[SpentBy, str] = {"model": _("model"), "project": _("project"), "session": _("session")}


class Costs(FiguresPane):
    """A row a value, the dearest first."""

    def __init__(self, by: SpentBy, *, id: str) -> None:
        super().__init__(id=id)
        self.by = by
        self.title = TITLES[by]

    def rows(self, figures: Figures) -> Sequence[Cost] | None:
        """The values, the dearest first; None while they are being read."""
        return None if figures.spending is None else figures.spending.by[self.by]

    def called(self, figures: Figures, cost: Cost) -> str:
        """Return what a value is called."""
        if self.by == "session" and figures.spending is not None:
            titles = figures.spending.titles
            title = titles.get(int(cost.value[1:]), "")
            is_shared = list(titles.values()).count(title) > 1
            return f"{cost.value} {title}".strip() if is_shared or not title else title
        return cost.value or _("unknown {label}", label=LABELS[self.by])

    def beside(self, figures: Figures) -> str:
        rows = self.rows(figures)
        if rows is None:
            return READING
        shown = min(len(rows), self.content_size.height)
        more = len(rows) - shown
        return _("{shown} and {more} more", shown=f"{shown:,}", more=f"{more:,}") if more else f"{shown:,}"

    def moved(self, figures: Figures, down: int, right: int) -> Place:  # noqa: ARG002
        rows = self.rows(figures) or ()
        return max(0, min(self.cursor[0] + down, len(rows) - 1)), 0

    def in_words(self, figures: Figures) -> str:
        rows = self.rows(figures)
        if not rows:
            return READING if rows is None else _("no transcript counts tokens in this range")
        cost = rows[self.cursor[0]]
        return joined(f"{LABELS[self.by]} {self.called(figures, cost)}", *spent([cost]))

    def search_for(self, figures: Figures) -> str | None:
        if not (rows := self.rows(figures)):
            return None
        cost = rows[self.cursor[0]]
        if self.by == "session":
            return figures.query(f"session:{cost.value}")
        if self.by == "project" and cost.value:
            return figures.query(filter_for("project", cost.value))
        return None

    def lines(self, figures: Figures, width: int, height: int) -> Iterator[Content]:
        rows = self.rows(figures)
        if rows is None:
            return
        if not rows:
            yield Content.styled(" " + _("none"), DIM)
            return
        first = max(0, min(self.cursor[0] - height + 1, len(rows) - height))
        shown = rows[first : first + height]
        room = width - COUNTS - DOLLARS - 3
        longest = max(plain(self.called(figures, cost)).cell_length for cost in shown)
        label = min(longest, max(LEAST_NAME, room - LEAST_BAR - 1)) if width >= WITH_BAR else room
        most = max(round(100 * cost.dollars) for cost in rows)
        names = [self.called(figures, cost) for cost in rows]
        for row, cost in enumerate(shown, first):
            is_here = self.has_focus and self.cursor[0] == row
            drawn = bar_of(round(100 * cost.dollars), most, max(0, room - label - 1))
            yield Content.assemble(
                Content.styled("▌" if is_here else " ", "$text-accent"),
                self.at(
                    fit_title(plain(names[row]), label, shared=shared_beginning(names[row], names)),
                    (row, 0),
                    CURSOR_TEXT,
                ),
                " ",
                self.at(Content.styled(drawn, "$text-primary"), (row, 0)),
                Content.styled(_counts(cost).rjust(COUNTS), DIM),
                self.at(Content(dollars(cost).rjust(DOLLARS)), (row, 0), CURSOR_TEXT),
            )


def dollars(cost: Cost) -> str:
    """Return `$1.20`; `$1.20+` where a part of the tokens has no price, and `?` where all have none."""
    if cost.unpriced and cost.unpriced == cost.tokens:
        return "?"
    return f"${cost.dollars:,.2f}{'+' if cost.unpriced else ''}"


def spent(costs: Sequence[Cost]) -> Iterator[str]:
    """Yield in words what something cost, and its tokens."""
    read = sum(cost.tokens - cost.usage.output for cost in costs)
    cached = sum(cost.usage.cache_read for cost in costs)
    written = sum(cost.usage.output for cost in costs)
    unpriced = sum(cost.unpriced for cost in costs)
    yield f"${sum(cost.dollars for cost in costs):,.2f}"
    yield _(
        "{tokens} tokens in, {cached} of them from the cache",
        tokens=f"{read:,}",
        cached=f"{cached:,}",
    )
    yield _("{tokens} out", tokens=f"{written:,}")
    if unpriced:
        yield _("{tokens} without a price", tokens=f"{unpriced:,}")


def _counts(cost: Cost) -> str:
    read = short(cost.tokens - cost.usage.output) or "0"
    return f"{read} · {short(cost.usage.output) or '0'}"
