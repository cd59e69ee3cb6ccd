"""The help: every key of a screen, as its bindings tell, and what can be typed there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import ClassVar

from rich.segment import Segment
from textual import events, getters, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.geometry import Size
from textual.strip import Strip
from textual.widgets import Input

from memtui.store.platform.translation import _

from ..keys.bindings import hidden, key
from ..parts.dialog import Dialog
from ..parts.line_input import LineInput
from ..parts.text_view import LineView
from ..screen import MemScreen
from ..text.content import DIM, EMPTY, GAP, fit, plain
from ..text.wrapping import wrap_text
from .sections import TYPED, Entry, HelpSection, narrowed, sections_of

LEAST_COLUMN, MOST_COLUMNS = 44, 3
BETWEEN = 3
"""Cells between two columns."""
MOST_LABEL = 16
KEYS = 8
"""Cells of the column of keys, the same in all sections; longer ones stand above what they do."""
NOTHING = _("No key here does that. Ctrl+P lists all that can be done.")


class HelpColumns(LineView, inherit_bindings=False):
    """The first sections stand at the top, each next one where there is room soonest."""

    can_focus = False

    def __init__(self) -> None:
        super().__init__()
        self._sections: Sequence[HelpSection] = ()
        self._lines: list[Content] = []

    def show(self, sections: Sequence[HelpSection]) -> None:
        """Show sections from their beginning."""
        self._sections = sections
        self._lay_out()
        self.scroll_home(animate=False, force=True)

    def on_resize(self) -> None:
        self._lay_out()

    def render_line(self, y: int) -> Strip:
        line = self.scroll_offset.y + y
        content = self._lines[line] if line < len(self._lines) else Content()
        base = self.visual_style
        segments = [Segment(text, style.rich_style) for text, style in content.render(base, end="")]
        return Strip(segments).adjust_cell_length(self.size.width, base.rich_style)

    def _lay_out(self) -> None:
        width = self.scrollable_content_region.width
        self._lines = in_columns(self._sections, width) if width > 0 else []
        self.virtual_size = Size(0, len(self._lines))
        self.refresh()


def in_columns(sections: Sequence[HelpSection], width: int) -> list[Content]:
    """Return the lines of sections side by side in `width` cells."""
    if not sections:
        return [*wrap_text(plain(NOTHING, DIM), width)]
    fitting = (width + BETWEEN) // (LEAST_COLUMN + BETWEEN)
    many = max(1, min(MOST_COLUMNS, fitting, len(sections)))
    column_width = (width - BETWEEN * (many - 1)) // many
    columns: list[list[Content]] = [[] for _ in range(many)]
    for section in sections:
        column = min(columns, key=len)
        if column:
            column.append(Content())
        column.extend(_lines(section, column_width))
    gap = Content(" " * BETWEEN)
    rows = zip_longest(*columns, fillvalue=Content())
    return [gap.join([fit(cell, column_width) for cell in row]) for row in rows]


def _lines(section: HelpSection, width: int) -> Iterator[Content]:
    yield Content.styled(section.title, "bold $text-accent")
    if section.is_brief:
        yield from _flowing(section.entries, width)
        return
    longest = max(item.label.cell_length for item in section.entries)
    labels = min(longest, MOST_LABEL, width // 2) if section.title == TYPED else KEYS
    for entry in section.entries:
        yield from _told(entry, labels, width)


def _told(entry: Entry, labels: int, width: int) -> Iterator[Content]:
    """The entry's sentence beside its label; below it, where that is too long."""
    said = plain(entry.sentence)
    if entry.command:
        said = Content.assemble(said, " · ", plain(entry.command, DIM))
    lines = wrap_text(said, max(1, width - labels - len(GAP)))
    if entry.label.cell_length > labels:
        yield fit(entry.label, width)
        first = Content(" " * labels)
    else:
        first = fit(entry.label, labels)
    for number, line in enumerate(lines):
        yield (Content(" " * labels) if number else first) + GAP + line


def _flowing(entries: Sequence[Entry], width: int) -> Iterator[Content]:
    """The names behind their labels, one after the other."""
    line = Content()
    for entry in entries:
        name = Content.assemble(" ", plain(entry.name, DIM)) if entry.name else EMPTY
        content = entry.label + name
        if line and line.cell_length + len(GAP) + content.cell_length > width:
            yield line
            line = Content()
        line = GAP.join([line, content]) if line else content
    yield line


class HelpInput(LineInput):
    """What narrows the help. The keys that open help and search do their work as long as it is empty."""

    def on_key(self, event: events.Key) -> None:
        """Close at `?`, and take `/` for a wish to type."""
        if not self.value and event.key in ("question_mark", "slash"):
            event.prevent_default()
            event.stop()
            if event.key == "question_mark" and isinstance(self.screen, HelpScreen):
                self.screen.dismiss()


class HelpScreen(Dialog[None]):
    """Made from the bindings of another screen, and of the widgets that are on it now."""

    CSS_PATH = "screen.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        key("escape,f1", "dismiss", "Close", "Back to the screen", "help.close"),
        hidden("up", "scroll('up')", "Up", "One line up", "help.up"),
        hidden("down", "scroll('down')", "Down", "One line down", "help.down"),
        hidden("pageup", "scroll('page_up')", "Page up", "A screenful up", "help.page-up"),
        hidden("pagedown", "scroll('page_down')", "Page down", "A screenful down", "help.page-down"),
    ]  # fmt: skip

    columns = getters.query_one(HelpColumns)

    def __init__(self, screen: MemScreen) -> None:
        super().__init__()
        self._place = screen.place
        self._sections = sections_of(screen)

    def compose(self) -> ComposeResult:
        with Vertical():
            yield HelpInput(placeholder=_("Type to find a key"), compact=True)
            yield HelpColumns()

    def on_mount(self) -> None:
        box = self.query_one(Vertical)
        box.border_title = _("keys · {screen}", screen=_(self._place).lower())
        box.border_subtitle = _("↑ ↓ scroll · esc closes")
        self.columns.show(self._sections)

    def action_scroll(self, way: str) -> None:
        """Scroll by a line or a page, the letters still going to the line above."""
        getattr(self.columns, f"scroll_{way}")(animate=False)

    @on(Input.Changed)
    def _narrow(self, message: Input.Changed) -> None:
        self.columns.show(narrowed(self._sections, message.value))
