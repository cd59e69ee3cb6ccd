"""What scrolls line by line, and texts of passages that do so: wrapped, their labels in a column."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import ClassVar

from rich.segment import Segment
from textual.binding import BindingType
from textual.content import Content
from textual.geometry import Size
from textual.reactive import Reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from ..bindings import key
from ..text.content import DIM, Passage, fit, plain

GUTTER = 2


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


class TextView(LineView, inherit_bindings=False):
    """A text of passages; only the lines in view are painted."""

    DEFAULT_CSS = "TextView { padding: 0 0 0 1; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        key("up,k", "scroll_up", "Up", "One line up", "text.up", show=False),
        key("down,j", "scroll_down", "Down", "One line down", "text.down", show=False),
        key("pageup,b", "page_up", "Page up", "A screenful up", "text.page-up", show=False),
        key(
            "pagedown,space",
            "page_down",
            "Page down",
            "A screenful down",
            "text.page-down",
            show=False,
        ),
        key("home,g", "scroll_home", "Start", "To the beginning", "text.first", show=False),
        key("end,G", "scroll_end", "End", "To the end", "text.last", show=False),
    ]

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._passages: Sequence[Passage] = ()
        self._lines: list[Content] = []
        self._ends: list[int] = []

    def show(self, passages: Sequence[Passage], *, hold: bool = False) -> None:
        """Show a text from its beginning; with `hold` from where the last one was scrolled to."""
        self._passages = passages
        self._wrap()
        if not hold:
            self.scroll_home(animate=False, force=True)

    def line_at(self, line: int) -> Content:
        """Return a line as it is wrapped, blank beyond the last."""
        return self._lines[line] if line < len(self._lines) else Content()

    def lines_of(self, passages: range) -> range:
        """Return the range of lines that these passages take as they are wrapped."""
        if not passages or passages.stop > len(self._ends):
            return range(0)
        return range(
            self._ends[passages.start - 1] if passages.start else 0, self._ends[passages.stop - 1]
        )

    def on_resize(self) -> None:
        self._wrap()

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        return sum(map(len, self._wrapped(width - self.scrollbar_size_vertical)))

    def render_line(self, y: int) -> Strip:
        base = self.visual_style
        content = self.line_at(self.scroll_offset.y + y)
        segments = [Segment(text, style.rich_style) for text, style in content.render(base, end="")]
        return Strip(segments).adjust_cell_length(self.size.width, base.rich_style)

    def _wrap(self) -> None:
        width = self.scrollable_content_region.width
        # Before the first layout there is no width: a letter a line would be the first to be painted.
        wrapped = self._wrapped(width) if width > 0 else []
        self._lines = [line for lines in wrapped for line in lines]
        self._ends = list(accumulate(map(len, wrapped)))
        self.virtual_size = Size(0, len(self._lines))
        self.refresh()

    def _wrapped(self, width: int) -> list[list[Content]]:
        """The lines of each passage."""
        labels = max((len(one.label) + GUTTER for one in self._passages if one.label), default=0)
        column = labels if labels < width // 2 else 0
        return [list(_lines(passage, width, column)) for passage in self._passages]


def _lines(passage: Passage, width: int, labels: int) -> Iterator[Content]:
    yield from [Content()] * passage.space
    if passage.label and not labels:
        yield plain(passage.label, DIM)
    column = labels if passage.label is not None else 0
    indent = column + passage.mark.cell_length
    first = fit(plain(passage.label or "", DIM), column) + passage.mark
    for number, line in enumerate(passage.content.wrap(max(1, width - indent))):
        yield (Content(" " * indent) if number else first) + line


class GrowingText(TextView):
    """A `TextView` as high as its text, up to its `max-height`."""

    DEFAULT_CSS = "GrowingText { height: auto; }"

    def watch_virtual_size(self, size: Size) -> None:
        super().watch_virtual_size(size)
        # Unlike the other texts, it makes what is below it move.
        self.refresh(layout=True)
