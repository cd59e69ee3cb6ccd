"""Figures over time: a calendar of days, a column a week, each as dense as it has memories or tokens; and
columns, one a stretch of days, of sessions, tokens, cost, and how the memory grew."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Literal

from rich.cells import cell_len, set_cell_size
from textual.content import Content

from memtui.store.platform.translation import _
from memtui.store.text.plural import count_noun

from ...text.ages import MONTHS, WEEKDAYS, day_of_month, full_day, month_of_year
from ...text.ages import tokens as short
from ...text.content import DIM, fit, joined
from ...text.glyphs import columns
from .bars import dollars, spent, step_name
from .figures import READING, Figures, FiguresPane, Place

SHOWN = 0, 2, 4, 6
"""The weekdays that are named."""
LEFT = 2 + max(cell_len(_(WEEKDAYS[number])) for number in SHOWN)
DENSITIES = "░▒▓█"
NOTHING = "·"
LEAST, MOST = 2, 16
"""Cells of a week, with the one between it and the next."""
BRACKET = "bold $text-accent"


Counted = Literal["memories", "tokens", "cost"]
COUNTED: dict[Counted, str] = {
    "memories": _("Memories").lower(),
    "tokens": _("tokens to discover"),
    "cost": _("cost"),
}


class Calendar(FiguresPane):
    """The weeks of the range, as many as fit; the others come into view with the cursor."""

    title = _("Days")

    counted: Counted = "memories"
    """What makes a day dense."""
    _is_placed = False

    def show(self, figures: Figures) -> None:
        before = self.figures
        if before is None or before.period.first != figures.period.first or not self._is_placed:
            self.cursor = (figures.period.days - 1, 0)
            self._is_placed = True
        super().show(figures)

    def moved(self, figures: Figures, down: int, right: int) -> Place:
        number = self.cursor[0] + down + 7 * right
        if not 0 <= number < figures.period.days and (down or right):
            return self.cursor
        return max(0, min(number, figures.period.days - 1)), 0

    def beside(self, figures: Figures) -> str:
        days = sum(1 for many in figures.memories if many)
        return joined(
            COUNTED[self.counted],
            _("on {days} of {all} days", days=f"{days:,}", all=f"{figures.period.days:,}"),
        )

    def in_words(self, figures: Figures) -> str:
        number = self.cursor[0]
        tokens, sessions = figures.discovered, figures.sessions
        day = figures.period.day(number)
        return joined(
            full_day(day),
            count_noun(figures.memories[number], "memories"),
            _(
                "{tokens} tokens to discover",
                tokens=READING if tokens is None else f"{tokens[number]:,}",
            ),
            count_noun(sessions[number], "sessions") if sessions else None,
            self._cost(figures, number),
        )

    def _cost(self, figures: Figures, day: int) -> str | None:
        """What a day cost; None for nothing."""
        if figures.spending is None or not figures.spending.by_day[day].tokens:
            return None
        return dollars(figures.spending.by_day[day])

    def _values(self, figures: Figures) -> Sequence[int]:
        """What makes each day dense: memories, tokens, or cents."""
        if self.counted == "cost":
            by_day = figures.spending.by_day if figures.spending else ()
            return [round(100 * day.dollars) for day in by_day] or [0] * figures.period.days
        return figures.tokens if self.counted == "tokens" else figures.memories

    def search_for(self, figures: Figures) -> str:
        return figures.query(day=self.cursor[0])

    def lines(self, figures: Figures, width: int, height: int) -> Iterator[Content]:  # noqa: ARG002
        period = figures.period
        values = self._values(figures)
        bounds = quartiles(values)
        offset = period.first.weekday()
        weeks = -(-(offset + period.days) // 7)
        room = width - LEFT
        fitting = max(1, min(weeks, room // LEAST))
        here = (offset + self.cursor[0]) // 7
        start = max(0, min(here - fitting // 2, weeks - fitting))
        shown = range(start, start + fitting)
        room = min(room, fitting * MOST)
        edges = [room * column // fitting for column in range(fitting + 1)]
        yield self._months(figures, shown, edges, offset)
        for row in range(7):
            name = f" {_(WEEKDAYS[row])}" if row in SHOWN else ""
            line = [Content.styled(set_cell_size(name, LEFT), DIM)]
            for column, week in enumerate(shown):
                cell = edges[column + 1] - edges[column]
                number = week * 7 + row - offset
                if 0 <= number < period.days:
                    mark = _mark(values[number], bounds, cell - 1)
                    if self.has_focus and number == self.cursor[0]:
                        line[-1] = line[-1][:-1] + Content.styled("[", BRACKET)
                        line += [self.at(mark, (number, 0)), Content.styled("]", BRACKET)]
                    else:
                        line += [self.at(mark, (number, 0)), Content(" ")]
                else:
                    line.append(Content(" " * cell))
            yield Content.assemble(*line)
        yield _legend(bounds, start > 0, in_cents=self.counted == "cost")

    def _months(self, figures: Figures, shown: range, edges: Sequence[int], offset: int) -> Content:
        line = ""
        for column, week in enumerate(shown):
            monday = figures.period.first + timedelta(days=week * 7 - offset)
            begins = column == 0 or monday.day <= 7
            place = LEFT + edges[column]
            if begins and place >= cell_len(line):
                is_first = monday.month == 1 and monday.day <= 7
                name = month_of_year(monday) if is_first else _(MONTHS[monday.month - 1])
                if column == 0 and monday.day > 21:
                    continue
                line = set_cell_size(line, place) + name + " "
        return Content.styled(line.rstrip(), DIM)


def quartiles(values: Sequence[int]) -> list[int]:
    """Return the bounds from which a day is denser, least first: quarters of the days that have any."""
    results = sorted(value for value in values if value > 0)
    return sorted({results[len(results) * part // 4] for part in range(4)}) if results else []


def density(value: int, bounds: Sequence[int]) -> str:
    """Return how dense a value is shown; fewer bounds leave the sparsest out."""
    if value <= 0 or not bounds:
        return NOTHING
    passed = sum(value >= bound for bound in bounds)
    return DENSITIES[len(DENSITIES) - len(bounds) + max(1, passed) - 1]


def _mark(value: int, bounds: Sequence[int], width: int) -> Content:
    mark = density(value, bounds)
    if mark == NOTHING:
        return Content.styled(NOTHING.ljust(width), "$foreground 50%")
    return Content.styled(mark * width, "$text-primary")


def _legend(bounds: Sequence[int], is_more: bool, *, in_cents: bool) -> Content:
    parts = [Content.styled(f"{' ' * LEFT}{NOTHING} {_('none')}", DIM)]
    for bound in bounds:
        mark = Content.styled(density(bound, bounds), "$text-primary")
        least = f"${bound / 100:,.2f}" if in_cents else f"{bound:,}"
        parts.append(Content.assemble("  ", mark, (f" {least}+", DIM)))
    if is_more:
        parts.append(Content.styled("  ← " + _("earlier weeks"), DIM))
    return Content.assemble(*parts)


BETWEEN_DATES = 4
"""Cells between the first and the last date at least."""
WIDEST = 12
"""Cells of a column and of what is between it and the next."""


@dataclass(frozen=True, slots=True)
class Series:
    """Numbers by step of the period; `name` stands before its columns, `style` is their colour."""

    name: str
    values: list[int]
    style: str = "$text-primary"


class Columns(FiguresPane):
    """The cursor stands on a step; each series has a scale of its own."""

    _is_placed = False

    def series(self, figures: Figures) -> list[Series] | None:
        """The numbers; None while they are being read."""
        raise NotImplementedError

    def show(self, figures: Figures) -> None:
        before = self.figures
        if before is None or before.period.steps != figures.period.steps or not self._is_placed:
            self.cursor = (0, len(figures.period.steps) - 1)
            self._is_placed = True
        super().show(figures)

    def moved(self, figures: Figures, down: int, right: int) -> Place:  # noqa: ARG002
        return 0, max(0, min(self.cursor[1] + right, len(figures.period.steps) - 1))

    def search_for(self, figures: Figures) -> str:
        return figures.query(step=self.cursor[1])

    def lines(self, figures: Figures, width: int, height: int) -> Iterator[Content]:
        series = self.series(figures)
        if series is None:
            return
        label = max(cell_len(item.name) for item in series) + 1 if len(series) > 1 else 0
        steps = len(figures.period.steps)
        cell = max(1, min(WIDEST, (width - 1 - label) // steps))
        # Where there is no room between them, they touch.
        column = max(1, cell - 1)
        each = max(1, (height - 1) // len(series))
        for entry in series:
            drawn = columns(entry.values, each)
            for line, marks in enumerate(drawn):
                name = entry.name if line == each - 1 else ""
                parts = [Content.styled(" " + set_cell_size(name, label), DIM)]
                for step, mark in enumerate(marks):
                    parts.append(self.at(Content.styled(mark * column, entry.style), (0, step)))
                    parts.append(Content(" " * (cell - column)))
                yield Content.assemble(*parts)
        period = figures.period
        days = period.first, period.day(period.days - 1)
        start, end = (
            Content.styled(_("{day} {year}", day=day_of_month(day), year=f"{day:%y}"), DIM) for day in days
        )
        least = start.cell_length + BETWEEN_DATES + end.cell_length
        room = min(width - label - 1, max(cell * steps, least))
        yield Content(" " * (label + 1)) + _ends(start, end, room)


class Sessions(Columns):
    """Sessions that began."""

    title = _("Sessions")

    def series(self, figures: Figures) -> list[Series] | None:
        if figures.sessions is None:
            return None
        return [Series("", figures.period.by_step(figures.sessions))]

    def beside(self, figures: Figures) -> str:
        if figures.sessions is None:
            return READING
        number = sum(figures.sessions)
        return _(
            "{count} · {average} a day",
            count=f"{number:,}",
            average=f"{number / figures.period.days:.1f}",
        )

    def in_words(self, figures: Figures) -> str:
        results, step = self.series(figures), self.cursor[1]
        first, last = figures.period.days_of_step(step)
        number = results[0].values[step] if results else 0
        return joined(
            step_name(figures, step),
            count_noun(number, "sessions"),
            _("{average} a day", average=f"{number / (last - first + 1):.1f}") if last > first else None,
        )


class Tokens(Columns):
    """Tokens that were spent to discover something, and those that sessions were given."""

    title = _("Tokens")

    def series(self, figures: Figures) -> list[Series] | None:
        if figures.given is None:
            return None
        content = figures.period.by_step(list(figures.given.by_day))
        results = figures.period.by_step(figures.tokens)
        return [Series(_("spent"), results), Series(_("given"), content, "$text-success")]

    def beside(self, figures: Figures) -> str:
        if figures.given is None:
            return READING
        is_read = figures.discovered is not None
        spent = short(sum(figures.tokens)) or "0"
        given = short(sum(figures.given.by_day)) or "0"
        return _(
            "{spent} to discover · {given} given",
            spent=spent if is_read else spent + READING,
            given=given,
        )

    def in_words(self, figures: Figures) -> str:
        results, step = self.series(figures), self.cursor[1]
        if results is None or figures.given is None:
            return READING
        spent, content = (series.values[step] for series in results)
        took = figures.given.discovered_for
        return joined(
            step_name(figures, step),
            _("{tokens} spent to discover", tokens=f"{spent:,}"),
            _("{tokens} given to sessions", tokens=f"{content:,}"),
            _(
                "what the {contexts} told took {tokens}",
                contexts=count_noun(figures.given.contexts, "contexts"),
                tokens=short(took),
            )
            if took
            else None,
            _("agents' own files told here ≈{tokens} in 30 days", tokens=short(figures.of_files))
            if figures.of_files
            else None,
        )


class SpendingColumns(Columns):
    """What agents' models cost, and the tokens that they wrote."""

    title = _("Cost")

    def series(self, figures: Figures) -> list[Series] | None:
        if figures.spending is None:
            return None
        cents = [round(100 * day.dollars) for day in figures.spending.by_day]
        written = [day.usage.output for day in figures.spending.by_day]
        by_step = figures.period.by_step
        return [
            Series("$", by_step(cents)),
            Series(_("Out").lower(), by_step(written), "$text-success"),
        ]

    def beside(self, figures: Figures) -> str:
        if figures.spending is None:
            return READING
        whole = figures.spending.whole
        return joined(dollars(whole), _("list prices of {date}", date=figures.spending.date))

    def in_words(self, figures: Figures) -> str:
        if figures.spending is None:
            return READING
        step = self.cursor[1]
        first, last = figures.period.days_of_step(step)
        return joined(step_name(figures, step), *spent(figures.spending.by_day[first : last + 1]))


class Growth(Columns):
    """How many memories there were at the end of each stretch of days."""

    title = _("Growth")

    def series(self, figures: Figures) -> list[Series] | None:
        return None if figures.growth is None else [Series("", figures.growth)]

    def beside(self, figures: Figures) -> str:
        if figures.growth is None:
            return READING
        now = count_noun(figures.growth[-1], "memories")
        return now if figures.project is not None else f"{now} · {_size(figures.bytes)}"

    def in_words(self, figures: Figures) -> str:
        if figures.growth is None:
            return READING
        step = self.cursor[1]
        first, last = figures.period.days_of_step(step)
        new = sum(figures.memories[first : last + 1])
        held, all = figures.growth[step], figures.growth[-1]
        is_whole = figures.project is None and all
        return joined(
            step_name(figures, step),
            _("{memories} at its end", memories=count_noun(held, "memories")),
            _("{count} new", count=f"{new:,}"),
            _(
                "about {size} of {all}",
                size=_size(figures.bytes * held // all),
                all=_size(figures.bytes),
            )
            if is_whole
            else None,
        )


def _size(number: int) -> str:
    for least, unit in ((1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB")):
        if number >= least:
            return f"{number / least:.1f} {unit}"
    return f"{number} B"


def _ends(left: Content, right: Content, width: int) -> Content:
    """A line with something at both ends; without `right` where there is no room for both."""
    room = width - right.cell_length
    return fit(left, room) + right if left.cell_length < room else fit(left, width)
