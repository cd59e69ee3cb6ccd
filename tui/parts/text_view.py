"""Texts of passages: wrapped, their labels in a column, scrolled line by line; hints where none is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import ClassVar, Protocol

from rich.cells import cell_len
from rich.segment import Segment
from textual.content import Content
from textual.geometry import Size
from textual.reactive import Reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget

from memtui.store.platform.translation import _

from ..keys.bindings import FIND, hidden
from ..text.content import DIM, Passage, fit, joined, plain, wrap_text

GUTTER = 2

WrappedLines = tuple[int, list[list[Content]]]
"""A width in cells, and the lines of each passage in it."""


class Find(Protocol):
    """What is looked for in a text."""

    def look_again(self) -> None:
        """Look for it in another text, or in another width."""

    def light_current(self, line: int, content: Content) -> Content:
        """Return a line with what of the current match stands in it lit."""


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

    title = ""
    """What the title line says; `` where there is none."""

    _titled = ("", "")

    # In Textual a change of it lays out the whole screen, ten milliseconds for each key typed. With
    # a scrollbar that always has its place there is nothing to lay out.
    virtual_size = Reactive(Size(0, 0), layout=False)

    def entitle(self, title: str, beside: str = "") -> None:
        """Have a title line that says what it holds, and `beside` how many; it shows the focus too."""
        self.add_class("pane")
        self.title, self._titled = f"{title} {beside}".rstrip(), (title, beside)
        self.retitle()

    def retitle(self) -> None:
        """Say in the title line, if there is one, whether the other panes are hidden."""
        title, beside = self._titled
        if title:
            zoomed = _("zoomed") if self.has_class("-maximized") else ""
            beside = joined(beside, zoomed)
            self.border_title = Content.assemble(
                " ", plain(title), " ", plain(f"{beside} ", "not bold") if beside else ""
            )

    def watch_virtual_size(self, size: Size) -> None:
        self.vertical_scrollbar.window_virtual_size = size.height
        self.refresh()


class TextView(LineView, inherit_bindings=False):
    """A text of passages; only the lines in view are painted."""

    DEFAULT_CSS = "TextView { padding: 0 0 0 1; }"
    BINDINGS = [
        hidden("up,k", "scroll_up", "Up", "One line up", "text.up"),
        hidden("down,j", "scroll_down", "Down", "One line down", "text.down"),
        hidden("pageup,ctrl+b", "page_up", "Page up", "A screenful up", "text.page-up"),
        hidden("pagedown,space", "page_down", "Page down", "A screenful down", "text.page-down"),
        hidden("home", "scroll_home", "Start", "To the beginning", "text.first"),
        hidden("end,G", "scroll_end", "End", "To the end", "text.last"),
        *FIND,
    ]

    is_searchable: ClassVar[bool] = True
    """Whether words can be found in it."""
    find: Find | None = None
    """What is looked for in the text; None for nothing."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._passages: Sequence[Passage] = ()
        self._wrapped: WrappedLines | None = None
        self._lines: list[Content] = []
        self._ends: list[int] = []

    def show(
        self,
        passages: Sequence[Passage],
        *,
        hold: bool = False,
        wrapped: WrappedLines | None = None,
    ) -> None:
        """Show a text from its beginning; with `hold` from where the last one was scrolled to. `wrapped`
        are its lines where they were made before, to be used if it still has that width."""
        self._passages = passages
        self._wrapped = wrapped
        self._wrap()
        if not hold:
            self.scroll_home(animate=False, force=True)
        if self.find is not None:
            self.find.look_again()

    def show_lit(self, passages: Sequence[Passage], wrapped: WrappedLines) -> None:
        """Show the text, its lines lit by what is looked for in it."""
        self._passages = passages
        self._wrapped = wrapped
        self._wrap()

    def show_unlit(self) -> None:
        """Show the text with nothing lit."""
        self._wrapped = None
        self._wrap()

    def passages_to_search(self) -> Callable[[str], Sequence[Passage]]:
        """Return what gives the whole text in which a phrase is to be looked for, on any thread."""
        passages = self._passages
        return lambda _: passages

    def line_at(self, line: int) -> Content:
        """Return a line as it is wrapped, blank beyond the last."""
        return self._lines[line] if line < len(self._lines) else Content()

    def lines_of(self, passages: range) -> range:
        """Return the range of lines that these passages take as they are wrapped."""
        if not passages or passages.stop > len(self._ends):
            return range(0)
        return range(self._ends[passages.start - 1] if passages.start else 0, self._ends[passages.stop - 1])

    @property
    def text_width(self) -> int:
        """The cells that a line has; 0 before the first layout."""
        return self.scrollable_content_region.width

    def on_resize(self) -> None:
        self._wrap()
        if self.find is not None:
            self.find.look_again()

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        return sum(map(len, self._lines_in(width - self.scrollbar_size_vertical)))

    def render_line(self, y: int) -> Strip:
        base = self.visual_style
        line = self.scroll_offset.y + y
        content = self.line_at(line)
        if self.find is not None:
            content = self.find.light_current(line, content)
        segments = [Segment(text, style.rich_style) for text, style in content.render(base, end="")]
        return Strip(segments).adjust_cell_length(self.size.width, base.rich_style)

    def _wrap(self) -> None:
        # Before the first layout there is no width: a letter a line would be the first to be painted.
        wrapped = self._lines_in(self.text_width) if self.text_width > 0 else []
        self._lines = [line for lines in wrapped for line in lines]
        self._ends = list(accumulate(map(len, wrapped)))
        self.virtual_size = Size(0, len(self._lines))
        self.refresh()

    def _lines_in(self, width: int) -> list[list[Content]]:
        """The lines of each passage, wrapped once for each text and width."""
        if self._wrapped is None or self._wrapped[0] != width:
            self._wrapped = width, self._wrap_in(width)
        return self._wrapped[1]

    def _wrap_in(self, width: int) -> list[list[Content]]:
        """Return the lines of each passage in `width` cells."""
        return wrap(self._passages, width)


def wrap(passages: Sequence[Passage], width: int) -> list[list[Content]]:
    """Return the lines of each passage in `width` cells."""
    labels = max((cell_len(item.label) + GUTTER for item in passages if item.label), default=0)
    column = labels if labels < width // 2 else 0
    return [list(_lines(passage, width, column)) for passage in passages]


def _lines(passage: Passage, width: int, labels: int) -> Iterator[Content]:
    yield from [Content()] * passage.space
    if passage.label and not labels:
        yield plain(passage.label, DIM)
    column = labels if passage.label is not None else 0
    # Of what lies deep within lists the bullets nearest to the text are shown, and room for words.
    mark, lead = passage.mark, passage.lead
    if len(mark) > (most := max(2, (width - column) // 2)):
        mark, lead = mark[-most:], lead[-most:] if lead else None
    room = max(1, width - column - mark.cell_length)
    first = fit(plain(passage.label or "", DIM), column) + mark
    others = Content(" " * column) + (lead or Content(" " * mark.cell_length))
    for number, line in enumerate(wrap_text(passage.content, room)):
        if passage.background:
            line = line.pad_right(max(0, room - line.cell_length))
            line = line.stylize_before(passage.background)
        yield (others if number else first) + line


class GrowingText(TextView):
    """A `TextView` as high as its text, up to its `max-height`."""

    DEFAULT_CSS = "GrowingText { height: auto; }"

    def watch_virtual_size(self, size: Size) -> None:
        super().watch_virtual_size(size)
        # Unlike the other texts, it makes what is below it move.
        self.refresh(layout=True)


class Hint(Widget):
    """What a screen says while it has nothing to show: a sentence or two, and commands that change that.

    Each command has what it does beside it, or below where there is no room."""

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
