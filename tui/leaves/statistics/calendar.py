"""A calendar of days, a column a week, each day as dense as it has memories or tokens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Literal

from rich.cells import cell_len, set_cell_size
from textual.content import Content

from memtui.store.platform.translation import _
from memtui.store.text.plural import count_noun

from ...text.ages import MONTHS, WEEKDAYS, full_day, month_of_year
from ...text.content import DIM, joined
from .bars import dollars
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

    def told(self, figures: Figures) -> str:
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
