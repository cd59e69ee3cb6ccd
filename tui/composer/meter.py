"""How much of its budget of tokens a context takes, section by section."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate

from textual.content import Content
from textual.geometry import Size
from textual.reactive import reactive
from textual.widget import Widget

from memtui.store.context.preview import Preview, PreviewItem
from memtui.store.platform.translation import N_, _

from ..text.content import DIM, edges, plain

ASKED_FOR = ("Chosen", "Pinned")
"""The sections that are told whatever else is."""
FRAME = N_("Opening")
"""What is told before the first memory, and the names of the sections."""
STYLES = {
    FRAME: "$dim",
    "Chosen": "$secondary",
    "Pinned": "$primary",
    "The last session": "$type-answer",
    "Decisions": "$success",
    "Held true": "$type-fact",
    "Left and done": "$type-summary",
    "Last sessions": "$type-summary",
    "Found and answered": "$type-answer",
    "Notes": "$type-note",
    "Lately": "$type-change",
}
"""The colour of each section in the meter, and of the mark before its name."""
OTHER = "$dim"
MARK = "■"
TAKEN, LEFT = "━", "─"
GAP = 2
SHORTEST = 8
"""Cells of the bar where it stands beside the words."""


@dataclass(frozen=True, slots=True)
class Share:
    """The tokens that a section takes."""

    section: str
    tokens: int

    @property
    def label(self) -> Content:
        """Its mark, its name and its tokens."""
        return Content.assemble(section_mark(self.section), _(self.section), (f" {self.tokens:,}", DIM))


def section_mark(section: str) -> Content:
    """Return the mark of a section in its colour, and a blank."""
    return Content.styled(f"{MARK} ", STYLES.get(section, OTHER))


def tokens_by_section(items: Iterable[PreviewItem]) -> dict[str, int]:
    """Return how many tokens the sections take of which anything is told, in their order."""
    taken: dict[str, int] = {}
    for item in items:
        if item.lines:
            taken[item.section] = taken.get(item.section, 0) + item.tokens
    return taken


def shares(preview: Preview) -> tuple[Share, ...]:
    """Return what each section of a context takes, in order; what is left is the opening's."""
    taken = tokens_by_section(preview.items)
    frame = preview.tokens - sum(taken.values())
    parts = ({FRAME: frame} if frame > 0 else {}) | taken
    return tuple(Share(section, tokens) for section, tokens in parts.items())


def is_missed(item: PreviewItem) -> bool:
    """Whether a memory was chosen or pinned, and has no room."""
    return item.form == "no room" and item.section in ASKED_FOR


def is_over(preview: Preview) -> bool:
    """Whether more is wanted than the budget holds: what was chosen or pinned has no room in it."""
    return preview.tokens > preview.profile.budget or any(map(is_missed, preview.items))


class TokenMeter(Widget):
    """`1,234 of 2,000 tokens` with `left_over` at the right end; a bar of the sections as long as the
    screen is wide, and what each of them takes, where there is room for all of that. On a low screen the
    bar stands beside the words."""

    DEFAULT_CSS = "TokenMeter { height: auto; padding: 0 1; }"

    taken: reactive[int] = reactive(0)
    budget: reactive[int] = reactive(0)
    left_over: reactive[str] = reactive("")
    shares: reactive[tuple[Share, ...]] = reactive(())
    is_over: reactive[bool] = reactive(False)
    """Whether more is wanted than there is room for."""

    def watch_shares(self) -> None:
        # To lay out the whole screen takes long, and is seldom needed.
        if len(list(self._lines(self.size.width))) != self.size.height:
            self.refresh(layout=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        return len(list(self._lines(width))) or 1

    def render(self) -> Content:
        return Content("\n").join(self._lines(self.size.width))

    def _lines(self, width: int) -> Iterator[Content]:
        if not self.budget:
            return
        style = "bold $text-warning" if self.is_over else "bold"
        words = plain(
            _("{taken} of {budget} tokens", taken=f"{self.taken:,}", budget=f"{self.budget:,}"),
            style,
        )
        is_low = not self.screen.has_class("-tall")
        right = plain(self.left_over, DIM)
        if is_low:
            room = width - words.cell_length - 1
            if room - right.cell_length - GAP < SHORTEST:
                right = Content()
            right = right.pad_left(GAP) if right else right
            yield self._bar(max(0, room - right.cell_length)) + " " + words + right
            return
        yield edges(words, right, width)
        yield self._bar(width)
        legend = Content(" " * GAP).join(share.label for share in self.shares)
        if legend.cell_length <= width:
            yield legend

    def _bar(self, cells: int) -> Content:
        """The sections in order, each as long as the part of the budget that it takes."""
        whole = max(self.budget, self.taken, 1)
        ends = [round(cells * end / whole) for end in accumulate(item.tokens for item in self.shares)]
        parts = [
            (TAKEN * (end - start), STYLES.get(share.section, OTHER))
            for share, start, end in zip(self.shares, [0, *ends], ends, strict=False)
        ]
        filled = ends[-1] if ends else 0
        return Content.assemble(*parts, (LEFT * (cells - filled), "$foreground 30%"))
