"""What to do where a query finds nothing: what was understood, and what a key would change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from string import ascii_lowercase
from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.style import Style
from textual.widget import Widget

from store import Count, Query

from ..bindings import key
from ..text import DIM, plain
from ..understood import understood

LABELS = 9
LONGEST = 240
"""Cells for what was understood, so that the ways on stay in view."""
KEY = "="
"""The screen's own, which shows related hits again."""


@dataclass(frozen=True, slots=True)
class Way:
    """Another query, what it does in words, and how much it would find."""

    words: str
    text: str
    count: Count


@dataclass(frozen=True, slots=True)
class Nothing:
    """A query without hits, and the ways on from it.

    `related` counts the related hits that were left out; None where none were.
    """

    query: Query
    ways: Sequence[Way]
    related: Count | None = None


class NoHits(Widget, can_focus=True):
    """Each way on has a letter, and a click takes it too; Enter takes the first."""

    BINDINGS: ClassVar[list[BindingType]] = [
        key("enter", "take(0)", "Take the first", "Take the first way on", "nothing.take"),
        key(
            "escape",
            "screen.leave_results",
            "Query",
            "Back to the query line",
            "nothing.query",
            show=False,
        ),
    ]

    nothing: reactive[Nothing | None] = reactive(None)

    @dataclass
    class Taken(Message):
        """A way on was chosen; `text` is its query."""

        text: str

    def render(self) -> Content:
        return Content("\n").join(self._lines())

    def on_key(self, event: events.Key) -> None:
        if event.character and event.character in ascii_lowercase[: self._many]:
            event.stop()
            self.action_take(ascii_lowercase.index(event.character))

    def on_click(self, event: events.Click) -> None:
        if (index := event.style.meta.get("way")) is not None:
            self.action_take(index)

    def action_take(self, index: int) -> None:
        """Search on with another query."""
        if self.nothing and index < self._many:
            self.post_message(self.Taken(self.nothing.ways[index].text))

    @property
    def _many(self) -> int:
        return len(self.nothing.ways) if self.nothing else 0

    def _lines(self) -> Iterator[Content]:
        if self.nothing is None:
            return
        yield Content.styled("No memory matches.", "bold")
        yield Content()
        for label, what in understood(self.nothing.query):
            told = what.truncate(LONGEST, ellipsis=True)
            yield Content.styled(label.ljust(LABELS), DIM) + told
        yield Content()
        for index, way in enumerate(self.nothing.ways):
            hits = f"{way.count} {'hit' if way.count.value == 1 else 'hits'}"
            line = _way(ascii_lowercase[index], way.words, hits)
            yield line.stylize(Style.from_meta({"way": index}))
        if (related := self.nothing.related) and related.value:
            line = _way(KEY, "related hits too", f"{related} related")
            yield line.stylize(Style.from_meta({"@click": "screen.exact(False)"}))
        if self.nothing.ways and not self.has_focus:
            yield Content()
            yield Content.styled("↓ and then one of these letters takes it.", DIM)


def _way(key: str, words: str, found: str) -> Content:
    return Content.assemble((key, "bold $accent"), "  ", plain(words), "  ", (found, DIM))
