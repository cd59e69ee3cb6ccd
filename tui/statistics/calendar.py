"""A calendar of days, a column a week, each day as dense as it has memories or tokens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta

from textual.content import Content

from memtui.store.text.plural import count_noun

from ..text.content import DIM, joined
from .figures import Figures
from .pane import READING, FiguresPane, Place

WEEKDAYS = ("Mon", "", "Wed", "", "Fri", "", "Sun")
LEFT = 5
DENSITIES = "░▒▓█"
NOTHING = "·"
WIDEST = 4
BRACKET = "bold $text-accent"


class Calendar(FiguresPane):
    """The weeks of the range, as many as fit; the others come into view with the cursor."""

    title = "Days"

    in_tokens = False
    """Whether it shows the tokens that were spent, instead of memories."""
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

    def right_title(self, figures: Figures) -> str:
        days = sum(1 for many in figures.memories if many)
        return joined(
            "tokens to discover" if self.in_tokens else "memories",
            f"on {days:,} of {figures.period.days:,} days",
        )

    def told(self, figures: Figures) -> str:
        number = self.cursor[0]
        tokens, sessions = figures.discovered[number], figures.sessions
        day = figures.period.day(number)
        return joined(
            f"{day:%a} {day.day} {day:%b %Y}",
            count_noun(figures.memories[number], "memories"),
            f"{READING if tokens is None else f'{tokens:,}'} tokens to discover",
            count_noun(sessions[number], "sessions") if sessions else None,
        )

    def search_for(self, figures: Figures) -> str:
        return figures.query(day=self.cursor[0])

    def lines(self, figures: Figures, width: int, height: int) -> Iterator[Content]:  # noqa: ARG002
        period = figures.period
        values = figures.tokens if self.in_tokens else figures.memories
        bounds = quartiles(values)
        offset = period.first.weekday()
        weeks = -(-(offset + period.days) // 7)
        cell = max(2, min(WIDEST, (width - LEFT) // weeks))
        fitting = max(1, (width - LEFT) // cell)
        here = (offset + self.cursor[0]) // 7
        start = max(0, min(here - fitting // 2, weeks - fitting))
        shown = range(start, min(weeks, start + fitting))
        yield self._months(figures, shown, cell, offset)
        for row in range(7):
            line = [Content.styled(f" {WEEKDAYS[row]:{LEFT - 1}}", DIM)]
            for week in shown:
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
        yield _legend(bounds, start > 0)

    def _months(self, figures: Figures, shown: range, cell: int, offset: int) -> Content:
        text = [" "] * (LEFT + cell * len(shown) + 8)
        free = 0
        for column, week in enumerate(shown):
            monday = figures.period.first + timedelta(days=week * 7 - offset)
            begins = column == 0 or monday.day <= 7
            place = LEFT + column * cell
            if begins and place >= free:
                name = (
                    f"{monday:%b %Y}" if monday.month == 1 and monday.day <= 7 else f"{monday:%b}"
                )
                if column == 0 and monday.day > 21:
                    continue
                text[place : place + len(name)] = name
                free = place + len(name) + 1
        return Content.styled("".join(text).rstrip(), DIM)


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


def _legend(bounds: Sequence[int], is_more: bool) -> Content:
    parts = [Content.styled(" " * LEFT + f"{NOTHING} none", DIM)]
    for bound in bounds:
        mark = Content.styled(density(bound, bounds), "$text-primary")
        parts.append(Content.assemble("  ", mark, (f" {bound:,}+", DIM)))
    if is_more:
        parts.append(Content.styled("  ← earlier weeks", DIM))
    return Content.assemble(*parts)
