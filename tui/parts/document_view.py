"""Texts that are read rendered or as they are stored, long ones rendered aside."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace

from textual import work

from ..protocol import ReadingMode, browser
from ..text.content import Passage
from ..text.markdown.reading import FIRST, is_whole
from .text_find import matches_in
from .text_view import GrowingText, TextView, WrappedLines, wrap

Render = Callable[[ReadingMode], Sequence[Passage]]
"""Returns the passages of what is shown, its texts read so."""
REST_AFTER = 0.1
"""Seconds that a text stays selected before the rest of it is rendered: whoever browses doesn't wait."""


class DocumentView(TextView):
    """Shows texts as the user reads them: the beginning at once, what is long as soon as it is rendered."""

    _render_passages: Render | None = None
    _reading: ReadingMode | None = None

    def show_document(self, render: Render, *, hold: bool = False) -> None:
        """Show what `render` gives from its beginning, with `hold` from where the view is scrolled to."""
        self._render_passages = render
        self._reading = reading = browser(self).reading
        passages = render(replace(reading, most=FIRST))
        if is_whole(passages):
            self.workers.cancel_node(self)
            self.show(passages, hold=hold)
            return
        if not hold or not self._lines:
            self.show(passages, hold=hold)
        self._show_rest(render, reading)

    def show_other(self, passages: Sequence[Passage]) -> None:
        """Show what is no stored text."""
        self.workers.cancel_node(self)
        self._render_passages = None
        self.show(passages)

    def read_again(self) -> None:
        """Show the same text as it is to be read now, if that changed."""
        if self._render_passages is not None and self._reading != browser(self).reading:
            self.show_document(self._render_passages, hold=True)

    @property
    def is_document(self) -> bool:
        """Whether it shows stored text."""
        return self._render_passages is not None and self.is_on_screen

    def show_unlit(self) -> None:
        if self._render_passages is None:
            super().show_unlit()
        else:
            # Code that was unfolded for a match in it is folded again.
            self.show_document(self._render_passages, hold=True)

    def passages_to_search(self) -> Callable[[str], Sequence[Passage]]:
        render, reading = self._render_passages, browser(self).reading
        if render is None:
            return super().passages_to_search()

        def searched(phrase: str) -> Sequence[Passage]:
            passages = render(reading)
            unfolded = passages if reading.unfolded else render(replace(reading, unfolded=True))
            more = matches_in(unfolded, phrase) > matches_in(passages, phrase)
            return unfolded if more else passages

        return searched

    @work(exclusive=True, group="render")
    async def _show_rest(self, render: Render, reading: ReadingMode) -> None:
        await asyncio.sleep(REST_AFTER)
        width = self.text_width

        def rendered() -> tuple[Sequence[Passage], WrappedLines | None]:
            passages = render(reading)
            return passages, (width, wrap(passages, width)) if width > 0 else None

        passages, wrapped = await asyncio.to_thread(rendered)
        self.show(passages, hold=True, wrapped=wrapped)


class GrowingDocument(DocumentView, GrowingText):
    """A `DocumentView` as high as its text, up to its `max-height`."""

    # Styles come from the first of the two bases only.
    DEFAULT_CSS = "GrowingDocument { height: auto; }"
