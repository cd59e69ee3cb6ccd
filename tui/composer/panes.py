"""The text that an agent gets."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from textual.content import Content

from memtui.store.translation import _

from ..parts.text_view import GUTTER, TextView
from ..text.content import DIM, Passage, plain
from ..text.paths import short

BAR, NO_BAR = Content.styled("▌", "$text-primary"), Content(" ")
NO_LINES = range(0)

OwnFiles = tuple[tuple[str, int], ...]
"""The paths of files that an agent is told besides, and about their tokens."""


class ContextText(TextView):
    """The numbers tell a line that is wrapped from two; of the text nothing is left out or added."""

    _text = ""
    _files: OwnFiles = ()
    _selected = NO_LINES

    def show_text(self, text: str, files: OwnFiles = (), *, hold: bool = False) -> None:
        """Show a text, and below it the paths and tokens of the agent's own files; with `hold` from where
        the last one was scrolled to."""
        if (text, files) != (self._text, self._files):
            self._text, self._files = text, files
            self.show([*_passages(text), *_besides(files)], hold=hold)

    def show_words(self, words: str) -> None:
        """Show that there is no text, and why."""
        self._text, self._files = "", ()
        self.show([Passage(plain(words))])

    def select(self, lines: range) -> None:
        """Mark these lines of the text, from 0, and scroll as little as brings them into view.

        A pane that isn't shown has a size of another layout: it scrolls when it gets its own.
        """
        self._selected = lines
        self.refresh()
        self._bring_into_view(self.scroll_offset.y)

    def on_resize(self) -> None:
        super().on_resize()
        # From the top: where a layout on the way to this one was scrolled to says nothing.
        self._bring_into_view(0)

    def _bring_into_view(self, y: int) -> None:
        """Scroll to where the marked lines are seen, as near to line `y` as can be."""
        if self.is_on_screen and (lines := self.lines_of(self._selected)):
            y = min(lines.start, max(lines.stop - self.size.height, y))
            if y != self.scroll_offset.y:
                self.scroll_to(y=y, animate=False, force=True)

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


def _besides(files: OwnFiles) -> Iterator[Passage]:
    for at, (path, tokens) in enumerate(files):
        line = Content.assemble(
            ("" if at else _("besides, Claude Code's own files: "), DIM),
            plain(short(Path(path))),
            ("  " + _("≈{tokens} tokens", tokens=f"{tokens:,}"), DIM),
        )
        yield Passage(line, space=0 if at else 1)


def _digits(text: str) -> int:
    return len(str(text.count("\n") + 1))
