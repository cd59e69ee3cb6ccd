"""A text with all that holds a phrase lit, and where that is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from textual.content import Content, Span
from textual.style import Style

from memtui.store.search.finding.words import MOST_PLACES, places

from ..text.content import MATCH, Passage, Wrapped
from ..text.wrapping import wrap_text
from .text_view import wrap

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


def _numbers(line: Content) -> Iterator[tuple[int, int, int]]:
    for span in line.spans:
        if isinstance(span.style, Style) and NUMBER in span.style.meta:
            yield span.start, span.end, span.style.meta[NUMBER]
