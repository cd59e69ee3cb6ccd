"""What scrolls line by line, and changes its length without a new layout of the screen."""

from __future__ import annotations

from textual.geometry import Size
from textual.reactive import Reactive
from textual.scroll_view import ScrollView


class LineView(ScrollView, can_focus=True, inherit_bindings=False):
    """Lines as wide as the widget, as many as `virtual_size` is high."""

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    LineView {
        overflow-x: hidden;
        overflow-y: scroll;
        scrollbar-size-vertical: 1;
    }
    """

    # In Textual a change of it lays out the whole screen, ten milliseconds for each key typed. With
    # a scrollbar that always has its place there is nothing to lay out.
    virtual_size = Reactive(Size(0, 0), layout=False)

    def watch_virtual_size(self, size: Size) -> None:
        self.vertical_scrollbar.window_virtual_size = size.height
        self.refresh()
