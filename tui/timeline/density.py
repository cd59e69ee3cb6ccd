"""How dense memories are in a timeline's window: columns over time, coloured by type, ending now."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from textual import events
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from ..text.content import DIM
from ..text.glyphs import EIGHTHS, LEVELS, NOTHING, glyph

OTHER = ""
"""Stands for the types that have no colour of their own."""
NOT_LISTED = "┄"
ANCHOR, ANCHOR_BELOW = "▌", "▲"
LISTED, BEYOND = "━", "─"
FAINT = "$foreground 30%"
UNCOLOURED = "$foreground 55%"
"""While the types aren't known yet."""

Segment = tuple[str, int]
"""A style, and how much is in it."""


@dataclass(frozen=True, slots=True)
class Density:
    """`edges` are the moments (ms) that divide the time, one more than there are parts; `totals` say how
    many memories each part has, and `types` how many of each type, None where that isn't known yet.
    `labels` name both ends; what lies between the two times of `listed` is in the list below."""

    edges: Sequence[int]
    totals: Sequence[int]
    labels: tuple[str, str]
    anchor: int
    listed: tuple[int, int]
    types: Sequence[Counter[str] | None]

    def part_of(self, at: int) -> int:
        """Return the part that a moment lies in; the nearest for one outside."""
        return max(0, min(bisect_right(self.edges, at) - 1, len(self.totals) - 1))

    def segments(self, part: int, order: Sequence[str]) -> list[Segment]:
        """Return what a part is made of, in that order of types: the style and number of each."""
        total = self.totals[part]
        known = self.types[part]
        if known is None:
            return [(UNCOLOURED, total)] if total else []
        results = [(colour_of(type), known[type]) for type in order if known[type]]
        others = total - sum(number for _, number in results)
        return [*results, *([(colour_of(OTHER), others)] if others > 0 else [])]


class DensityBar(Widget):
    """Shows a `Density` over its whole width, as high as it is: with more than one line columns of several
    types, and a line below them with both ends and the anchor."""

    DEFAULT_CSS = "DensityBar { height: 1; padding: 0 1; }"

    density: reactive[Density | None] = reactive(None)

    class Resized(Message):
        """It has another width."""

    @dataclass
    class Chosen(Message):
        """A place was clicked: what lies about `at`, ms since the epoch, UTC."""

        at: int

    def cells_for(self, labels: tuple[str, str]) -> int:
        """Return how many parts there is room for between the names of both ends."""
        return max(0, self.size.width - sum(end.cell_length for end in _ends(labels)))

    def on_resize(self, event: events.Resize) -> None:  # noqa: ARG002
        self.post_message(self.Resized())

    def on_click(self, event: events.Click) -> None:
        density, offset = self.density, event.get_content_offset(self)
        if density is None or offset is None:
            return
        part = offset.x - _ends(density.labels)[0].cell_length
        if 0 <= part < len(density.totals):
            self.post_message(self.Chosen((density.edges[part] + density.edges[part + 1]) // 2))

    def render(self) -> Content:
        density = self.density
        if density is None:
            return Content()
        start, end = _ends(density.labels)
        if self.size.height <= 1:
            return Content.assemble(start, *_line(density), end)
        high = self.size.height - 1
        most = max(density.totals, default=0)
        blank = " " * start.cell_length
        scale = f"{most:,} ".rjust(len(blank)) if most else blank
        margins = [scale if len(scale) == len(blank) else blank, *[blank] * (high - 1)]
        lines = [
            Content.assemble((margin, DIM), *cells)
            for margin, cells in zip(margins, columns(density, high), strict=True)
        ]
        return Content("\n").join([*lines, Content.assemble(start, *_axis(density), end)])


def colour_of(type: str) -> str:
    """Return the style of a type's columns."""
    return glyph(type).style.rpartition("bold ")[2]


def columns(density: Density, lines: int) -> list[list[Content]]:
    """Return lines of columns, the highest first: the greatest part fills all of them."""
    most = max(density.totals, default=0)
    sums: Counter[str] = Counter()
    for known in density.types:
        sums.update(known or {})
    order = [type for type, _ in sorted(sums.items(), key=lambda pair: (-pair[1], pair[0]))]
    drawn = [
        list(_column(density.segments(part, order), most, lines)) for part in range(len(density.totals))
    ]
    anchor = density.part_of(density.anchor)
    return [
        _joined(
            ("│", "$text-accent 60%") if part == anchor and cell[0] == " " else cell
            for part, cell in enumerate(column[lines - 1 - line] for column in drawn)
        )
        for line in range(lines)
    ]


def _column(segments: Sequence[Segment], most: int, lines: int) -> Iterator[tuple[str, str]]:
    """Yield the character and the style of each line of a column, the lowest first."""
    total = sum(number for _, number in segments)
    filled = max(1, round(total * lines * 8 / most)) if total else 0
    ends: list[tuple[str, int]] = []
    below = 0
    for style, number in segments:
        below += number
        ends.append((style, round(below * filled / total)))
    for line in range(lines):
        first, last = line * 8, line * 8 + 8
        parts: list[Segment] = []
        start = 0
        for style, end in ends:
            if (within := min(end, last) - max(start, first)) > 0:
                parts.append((style, within))
            start = end
        yield _cell(parts)


def _cell(parts: Sequence[Segment]) -> tuple[str, str]:
    """Return a character with at most two of its parts, from below: a block has but two colours."""
    height = sum(number for _, number in parts)
    if not parts:
        return " ", ""
    if height == 8 and len(parts) > 1:
        (low, number), *others = parts
        upper, _ = max(others, key=lambda pair: pair[1])
        return EIGHTHS[number], f"{low} on {upper}"
    style, _ = max(parts, key=lambda entry: entry[1])
    return EIGHTHS[height], style


def _line(density: Density) -> list[Content]:
    """One line: how much there is by height, and of which type most is by colour."""
    most = max(density.totals, default=0)
    first, last = map(density.part_of, density.listed)
    anchor = density.part_of(density.anchor)

    def cell(part: int) -> tuple[str, str]:
        if part == anchor:
            return ANCHOR, "$text-accent"
        if number := density.totals[part]:
            known = density.types[part]
            named = known.most_common(1)[0][0] if known else OTHER
            style = UNCOLOURED if known is None else colour_of(named)
            return LEVELS[(number - 1) * len(LEVELS) // most], style
        return NOTHING if first <= part <= last else NOT_LISTED, FAINT

    return _joined(cell(part) for part in range(len(density.totals)))


def _axis(density: Density) -> list[Content]:
    first, last = map(density.part_of, density.listed)
    anchor = density.part_of(density.anchor)
    return _joined(
        (ANCHOR_BELOW, "$text-accent")
        if part == anchor
        else (LISTED if first <= part <= last else BEYOND, FAINT)
        for part in range(len(density.totals))
    )


def _joined(cells: Iterator[tuple[str, str]] | Sequence[tuple[str, str]]) -> list[Content]:
    """Join characters of the same style."""
    return [
        Content.styled("".join(text for text, _ in run), style)
        for style, run in groupby(cells, key=lambda cell: cell[1])
    ]


def _ends(labels: tuple[str, str]) -> tuple[Content, Content]:
    return Content.styled(f"◀ {labels[0]} ", DIM), Content.styled(f" {labels[1]} ▶", DIM)
