"""The text that an agent gets, its lines numbered, those of one memory marked."""

from __future__ import annotations

from collections.abc import Iterator

from textual.content import Content

from ..text import DIM, plain
from .text_view import GUTTER, Passage, TextView

BAR, NO_BAR = Content.styled("▌", "$text-primary"), Content(" ")
NO_LINES = range(0)


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
