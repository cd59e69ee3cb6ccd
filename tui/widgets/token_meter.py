"""How much of a budget of tokens is taken: a bar, the figures, and what didn't fit."""

from __future__ import annotations

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from ..text import DIM, edges, plain

NEAR = 0.9
"""From this part of the budget on it is told as a warning."""
SHORTEST, LONGEST = 8, 40
"""Cells of the bar."""
GAP = 2
TAKEN, LEFT = "━", "─"


class TokenMeter(Widget):
    """`1,234 of 2,000 tokens` behind a bar; `left_over` at the right end, where there is room."""

    DEFAULT_CSS = "TokenMeter { height: 1; padding: 0 1; }"

    taken: reactive[int] = reactive(0)
    budget: reactive[int] = reactive(0)
    left_over: reactive[str] = reactive("")

    @property
    def is_near(self) -> bool:
        """Whether hardly anything more will fit."""
        return self.taken >= NEAR * self.budget

    def render(self) -> Content:
        if not self.budget:
            return Content()
        width, words = self.size.width, f" {self.taken:,} of {self.budget:,} tokens"
        room = width - len(words)
        right = self.left_over if room - len(self.left_over) - GAP >= SHORTEST else ""
        cells = max(SHORTEST, min(LONGEST, width // 3, room - len(right) - GAP))
        filled = min(cells, round(cells * self.taken / self.budget))
        style = "$text-warning" if self.is_near else "$text-success"
        left = Content.assemble(
            (TAKEN * filled, style),
            (LEFT * (cells - filled), "$foreground 30%"),
            plain(words, f"bold {style}" if self.is_near else "bold"),
        )
        return edges(left, plain(right, DIM), width)
