"""One line that names what is below it, with what is worth knowing at its right end."""

from __future__ import annotations

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from ..text import edges


class Heading(Widget):
    """The left end gives way to the right one."""

    DEFAULT_CSS = "Heading { height: 1; padding: 0 1; }"

    left: reactive[Content] = reactive(Content())
    right: reactive[Content] = reactive(Content())

    def render(self) -> Content:
        return edges(self.left, self.right, self.size.width)
