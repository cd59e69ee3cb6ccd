"""What models, projects and sessions cost: the dearest, each with its tokens and its dollars."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from textual.content import Content

from memtui.store.platform.translation import _
from memtui.store.search.statistics import Cost, SpentBy

from ..text.ages import tokens as short
from ..text.content import DIM, fit_title, joined, plain
from ..text.queries import filter_for
from ..text.sparkline import bar as bar_of
from ..text.titles import shared_beginning
from .figures import Figures
from .pane import CURSOR_TEXT, READING, FiguresPane, Place

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

    def told(self, figures: Figures) -> str:
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
