"""How thick the memories lie over a stretch of time: a histogram one line high."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from ..text import DIM

LEVELS = "▂▃▄▅▆▇█"
NOTHING = "▁"
UNKNOWN = "┄"
ANCHOR = "▌"


@dataclass(frozen=True, slots=True)
class Density:
    """Times between `since` and `until` (ms), in order; those before `known_from` or after
    `known_to` were not looked at. `labels` name both ends."""

    since: int
    until: int
    times: Sequence[int]
    labels: tuple[str, str]
    known_from: int
    known_to: int
    anchor: int | None = None


class DensityBar(Widget):
    """Shows a `Density` over its whole width."""

    DEFAULT_CSS = "DensityBar { height: 1; padding: 0 1; }"

    density: reactive[Density | None] = reactive(None)

    def render(self) -> Content:
        density = self.density
        if density is None:
            return Content()
        left, right = density.labels
        start, end = Content.styled(f"◀ {left} ", DIM), Content.styled(f" {right} ▶", DIM)
        cells = self.size.width - start.cell_length - end.cell_length
        return Content.assemble(start, *_bars(density, cells), end)


def counts(times: Sequence[int], since: int, until: int, cells: int) -> list[int]:
    """How many of the times fall into each of so many equal parts of the stretch."""
    found = [0] * cells
    for at in times:
        found[_cell(at, since, until, cells)] += 1
    return found


def _cell(at: int, since: int, until: int, cells: int) -> int:
    place = (at - since) * cells // max(1, until - since)
    return max(0, min(place, cells - 1))


def _bars(density: Density, cells: int) -> list[Content]:
    if cells < 1:
        return []
    since, until = density.since, density.until
    found = counts(density.times, since, until, cells)
    most = max(found)
    known = range(
        _cell(density.known_from, since, until, cells),
        _cell(density.known_to, since, until, cells) + 1,
    )
    bars = [
        Content.styled(LEVELS[(number - 1) * len(LEVELS) // most], "$text-primary")
        if number
        else Content.styled(NOTHING if place in known else UNKNOWN, "$foreground 30%")
        for place, number in enumerate(found)
    ]
    if density.anchor is not None:
        bars[_cell(density.anchor, since, until, cells)] = Content.styled(ANCHOR, "$text-accent")
    return bars
