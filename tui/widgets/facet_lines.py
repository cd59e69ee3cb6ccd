"""The facets: how the results divide by type, project, agent and kind; a click narrows to one."""

from __future__ import annotations

from dataclasses import dataclass

from textual import events
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.style import Style
from textual.widget import Widget

from store import Facets

from ..glyphs import GLYPHS, glyph
from ..query_text import filter_for
from ..text import DIM, plain

NAMES = ("type", "project", "agent", "kind")
NAME_WIDTH = 9
LONGEST = 24


class FacetLines(Widget):
    """A line for each facet, the commonest values first, as many as there is room for."""

    facets: reactive[Facets] = reactive(dict)

    @dataclass
    class Chosen(Message):
        """A value was clicked; `filter` is what narrows the query to it."""

        filter: str

    def render(self) -> Content:
        return Content("\n").join(self._line(name) for name in NAMES if self.facets.get(name))

    def on_click(self, event: events.Click) -> None:
        if filter := event.style.meta.get("filter"):
            self.post_message(self.Chosen(filter))

    def _line(self, name: str) -> Content:
        line = Content.styled(name.ljust(NAME_WIDTH), DIM)
        for value, count in self.facets.get(name, []):
            part = _value(name, value, count)
            if line.cell_length + part.cell_length > self.size.width:
                break
            line += part
        return line


def _value(name: str, value: str, count: int) -> Content:
    sign = Content.assemble(glyph(value).content, " ") if value in GLYPHS else Content()
    label = plain(value or "none")
    if label.cell_length > LONGEST:
        label = label.truncate(LONGEST, ellipsis=True)
    part = Content.assemble(sign, label, " ", (f"{count:,}", DIM))
    filter = filter_for(name, value)
    return (part.stylize(Style.from_meta({"filter": filter})) if filter else part) + "   "
