"""The text that an agent gets, and how much of its budget of tokens is taken."""

from __future__ import annotations

from collections.abc import Iterator

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from ..parts.text_view import GUTTER, TextView
from ..text.content import DIM, Passage, edges, plain

BAR, NO_BAR = Content.styled("▌", "$text-primary"), Content(" ")
NO_LINES = range(0)

NEAR = 0.9
"""From this part of the budget on it is told as a warning."""
SHORTEST, LONGEST = 8, 40
"""Cells of the bar."""
GAP = 2
TAKEN, LEFT = "━", "─"


class ContextText(TextView):
    """The numbers tell a line that is wrapped from two; of the text nothing is left out or added."""

    _text = ""
    _selected = NO_LINES

    def show_text(self, text: str, *, hold: bool = False) -> None:
        """Show a text; with `hold` from where the last one was scrolled to."""
        if text != self._text:
            self._text = text
            self.show(list(_passages(text)), hold=hold)

    def show_words(self, words: str) -> None:
        """Show that there is no text, and why."""
        self._text = ""
        self.show([Passage(plain(words))])

    def select(self, lines: range) -> None:
        """Mark these lines of the text, from 0, and scroll as little as brings them into view."""
        self._selected = lines
        self.refresh()
        if found := self.lines_of(lines):
            lowest = found.stop - self.size.height
            if not lowest <= self.scroll_offset.y <= found.start:
                y = min(found.start, max(lowest, self.scroll_offset.y))
                self.scroll_to(y=y, animate=False, force=True)

    def on_resize(self) -> None:
        super().on_resize()
        self.select(self._selected)

    def line_at(self, line: int) -> Content:
        content = super().line_at(line)
        if line not in self.lines_of(self._selected):
            return content
        bar = _digits(self._text) + GUTTER
        return content[:bar] + BAR + content[bar + 1 :].stylize("bold")


def _passages(text: str) -> Iterator[Passage]:
    lines = text.split("\n")
    for at, line in enumerate(lines):
        is_fence = at < 2 or at == len(lines) - 1
        style = DIM if is_fence else "$text-primary" if line.startswith("## ") else ""
        number = str(at + 1).rjust(_digits(text))
        yield Passage(plain(line, style, newlines=True), number, NO_BAR)


def _digits(text: str) -> int:
    return len(str(text.count("\n") + 1))


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
