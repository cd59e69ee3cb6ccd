"""What a screen says while it has nothing to show: a sentence or two, and commands that change that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rich.cells import cell_len
from textual.content import Content
from textual.widget import Widget

from ..text.content import Passage, fit, plain
from .text_view import GUTTER, wrap


class Hint(Widget):
    """Each command has what it does beside it, or below where there is no room."""

    def __init__(self, words: str, commands: Mapping[str, str], *, id: str | None = None) -> None:
        """`commands` are those with what they do."""
        super().__init__(id=id)
        self._words = words
        self._commands = commands

    def render(self) -> Content:
        width = self.size.width
        passages = [Passage(plain(self._words)), *self._told(width)]
        return Content("\n").join(line for lines in wrap(passages, width) for line in lines)

    def _told(self, width: int) -> Iterator[Passage]:
        column = max(map(cell_len, self._commands)) + GUTTER
        for number, (command, does) in enumerate(self._commands.items()):
            space = int(number == 0)
            if column <= width // 2:
                yield Passage(plain(does), mark=fit(plain(command), column), space=space)
            else:
                yield Passage(plain(command), space=space)
                yield Passage(plain(does), mark=Content(" " * GUTTER))
