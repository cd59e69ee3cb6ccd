"""Texts that are read rendered or as they are stored, long ones rendered aside; matches of a phrase are lit
in them, and one of these is gone to."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from textual import work
from textual.content import Content, Span
from textual.style import Style

from memtui.store.platform.translation import _
from memtui.store.search.narrowing import MOST_PLACES, places

from ..protocol import ReadingMode, browser
from ..text.content import MATCH, Passage, Wrapped, joined, wrap_text
from ..text.markdown.code import FIRST, is_whole
from .text_view import GrowingText, TextView, WrappedLines, wrap

CURRENT = "bold $background on $accent"
"""The style of the place that n and N have gone to."""
NUMBER = "found"
Place = tuple[int, int, int]
"""A line, and the first and the last cell but one, as characters of it."""


@dataclass(frozen=True, slots=True)
class LitText:
    """The lines of each passage in `width` cells, and for each match the places that it takes: more
    than one where it goes on in the next line."""

    width: int
    lines: list[list[Content]]
    matches: list[list[Place]]


def lit_text(passages: Sequence[Passage], phrase: str, width: int) -> LitText:
    """Return a text in `width` cells with every match of a phrase lit. Takes its time: not for the
    browser's own thread."""
    counter = _Counter(phrase)
    lit = [replace(passage, content=_Lit(passage.content, counter)) for passage in passages]
    lines = wrap(lit, width)
    matches: list[list[Place]] = [[] for _ in range(counter.found)]
    for at, line in enumerate(line for some in lines for line in some):
        for start, end, number in _numbers(line):
            matches[number].append((at, start, end))
    return LitText(width, lines, [match for match in matches if match])


def matches_in(passages: Sequence[Passage], phrase: str) -> int:
    """Return how many matches there are, the cells of tables left out."""
    texts = (passage.content.plain for passage in passages if isinstance(passage.content, Content))
    return sum(len(places(text, phrase)) for text in texts)


@dataclass(slots=True)
class _Counter:
    phrase: str
    found: int = 0

    def light(self, content: Content) -> Content:
        """A content with its matches lit and numbered."""
        results = places(content.plain, self.phrase, MOST_PLACES - self.found)
        if not results:
            return content
        # Not by `stylize`: each call of it copies all spans.
        spans = list(content.spans)
        for start, end in results:
            number = Style.from_meta({NUMBER: self.found})
            spans += (Span(start, end, MATCH), Span(start, end, number))
            self.found += 1
        return Content(content.plain, spans)


@dataclass(slots=True)
class _Lit:
    """Content, or a table, lit as it is wrapped: a table has no text before."""

    content: Wrapped
    counter: _Counter = field(repr=False)

    def wrap(self, width: int) -> Sequence[Content]:
        if isinstance(self.content, Content):
            return wrap_text(self.counter.light(self.content), width)
        return [self.counter.light(line) for line in self.content.wrap(width)]


Told = Callable[[str, bool], None]
"""Takes what is said of what was found, and whether that is nothing."""


def stepped(at: int, steps: int, many: int) -> tuple[int, str]:
    """Return which of so many matches comes `steps` after one, round and round, and what is said where
    the first follows the last or the other way round; `` elsewhere."""
    at += steps
    if at >= many:
        return at % many, _("on from the top")
    return at % many, _("on from the end") if at < 0 else ""


class TextFind:
    """What is found in a text view, from where it was scrolled to when the finding began."""

    def __init__(self, view: TextView, show: Told) -> None:
        self._view = view
        self._told = show
        self._origin = view.scroll_offset.y
        self._phrase = ""
        self._lit: LitText | None = None
        self._at = 0

    def look_for(self, phrase: str) -> None:
        """Light what holds a phrase, and go to the first of it from where the finding began; of many
        asked for at once only the last is looked for."""
        self._phrase = phrase
        self._view.run_worker(self._look(is_new=True), group="find", exclusive=True)

    def look_again(self) -> None:
        """Look for the same phrase in another text, or in another width."""
        if self._phrase.strip():
            self._view.run_worker(self._look(is_new=False), group="find", exclusive=True)

    def step(self, steps: int) -> None:
        """Go to the next match (1) or the one before (-1), round and round."""
        if self._lit is None or not (many := len(self._lit.matches)):
            return
        self._at, wrapped = stepped(self._at, steps, many)
        self._go(wrapped=wrapped)

    def end(self, *, restore: bool) -> None:
        """Light nothing any more; with `restore` it is scrolled to where it was before."""
        self._view.workers.cancel_group(self._view, "find")
        self._view.find = None
        self._view.show_unlit()
        if restore:
            self._view.scroll_to(y=self._origin, animate=False, force=True)

    def light_current(self, line: int, content: Content) -> Content:
        """Return a line with what of the match that was gone to stands in it lit otherwise."""
        for at, start, end in self._current():
            if at == line:
                content = content.stylize(CURRENT, start, end)
        return content

    async def _look(self, *, is_new: bool) -> None:
        view, phrase, width = self._view, self._phrase, self._view.text_width
        if not phrase.strip() or width <= 0:
            self._lit = None
            view.show_unlit()
            self._told("", False)
            return
        passages_for = view.passages_to_search()
        passages, lit = await asyncio.to_thread(
            lambda: (results := passages_for(phrase), lit_text(results, phrase, width))
        )
        self._lit = lit
        view.show_lit(passages, (width, lit.lines))
        if is_new:
            lines = [match[0][0] for match in lit.matches]
            self._at = next((at for at, line in enumerate(lines) if line >= self._origin), 0)
        self._at = min(self._at, max(0, len(lit.matches) - 1))
        self._go(scroll=is_new)

    def _go(self, *, wrapped: str = "", scroll: bool = True) -> None:
        """Show the current match, and tell which it is."""
        many = len(self._lit.matches) if self._lit is not None else 0
        if not many:
            self._told(_("nothing found"), True)
            return
        line, view = self._current()[0][0], self._view
        top, height = view.scroll_offset.y, max(1, view.size.height)
        if scroll and not top <= line < top + height:
            view.scroll_to(y=max(0, line - height // 3), animate=False, force=True)
        view.refresh()
        more = "+" if many == MOST_PLACES else ""
        self._told(
            joined(
                _("{place} of {places}", place=f"{self._at + 1:,}", places=f"{many:,}{more}"),
                wrapped,
            ),
            False,
        )

    def _current(self) -> list[Place]:
        return self._lit.matches[self._at] if self._lit and self._lit.matches else []


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


def _numbers(line: Content) -> Iterator[tuple[int, int, int]]:
    for span in line.spans:
        if isinstance(span.style, Style) and NUMBER in span.style.meta:
            yield span.start, span.end, span.style.meta[NUMBER]
