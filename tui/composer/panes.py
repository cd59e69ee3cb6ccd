"""The panes of the composer: what may go into the context, and the text that an agent gets."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from textual.content import Content

from memtui.store.context.log_entries import NamedLogEntry
from memtui.store.context.preview import PreviewItem
from memtui.store.platform.translation import _

from ..lists.columns import Column, ColumnList
from ..lists.grouped import GroupedList
from ..parts.text_view import GUTTER, TextView
from ..text.ages import WIDTH, age
from ..text.content import DIM, GAP, Passage, edges, plain, right_aligned
from ..text.glyphs import glyph, signs
from ..text.paths import short
from .text import TOLD, file_name, is_missed, memories, section_mark, tokens_by_section

TICK, NO_TICK, NO_ROOM = "[✓] ", "[ ] ", "[–] "
TOKEN_CELLS = 6


@dataclass(frozen=True, slots=True)
class Section:
    """The line above a section's first memory: its name, and the tokens that it takes."""

    name: str
    tokens: int


Row = Section | PreviewItem


class PreviewList(GroupedList[Row]):
    """The cursor passes over the sections' lines."""

    has_heads = True

    def __init__(self) -> None:
        super().__init__(_key)

    @property
    def preview_item(self) -> PreviewItem | None:
        """The memory under the cursor."""
        return row if isinstance(row := self.current, PreviewItem) else None

    def is_item(self, row: Row) -> bool:
        return isinstance(row, PreviewItem)

    async def show(self, items: Sequence[PreviewItem], *, hold: bool = False) -> None:
        """Show other memories; with `hold` the cursor stays with the one it is on, and a list at its
        top stays there."""
        at_top = self.scroll_offset.y == 0
        await self.set_rows(list(_rows(items)), hold=hold)
        if at_top and self.cursor < self.rows_in_view:
            self.scroll_to(y=0, animate=False, force=True)

    def render_heads(self, width: int) -> Content:
        right = GAP.join([Content(_("As")), right_aligned(Content(_("Tokens")), TOKEN_CELLS)])
        return edges(Content(" " * len(TICK) + _("Memory")), right, width)

    def render_row(self, item: Row, width: int, selected: bool) -> list[Content]:
        if isinstance(item, Section):
            name = section_mark(item.name) + plain(_(item.name))
            tokens = Content(f"{item.tokens:,}".rjust(TOKEN_CELLS) if item.tokens else "")
            return [edges(name, tokens, width).stylize_before("$text-primary")]
        tick = {"out": NO_TICK, "no room": NO_ROOM}.get(item.form, TICK)
        left = Content.assemble((tick, "" if tick == TICK else DIM), glyph(item.name.type).content, " ")
        style = "bold" if selected else "" if item.lines else DIM
        title = plain(item.name.title or _("untitled"), style)
        pinned = signs(item.name.pinned, item.name.stale)
        right = Content.assemble(
            " ",
            (
                _how(item),
                "$text-warning" if is_missed(item) else TOLD[item.form],
            ),
            GAP,
            (f"{item.tokens:,}".rjust(TOKEN_CELLS), DIM if not item.lines else ""),
        )
        return [left + edges(title, right, width - left.cell_length, pinned)]


def _how(item: PreviewItem) -> str:
    """Return how a memory is told in a few letters, nothing where it is told in full."""
    if item.file:
        return _("in {file}", file=file_name(item))
    return "" if item.form == "full" else _(item.form)


def _rows(items: Sequence[PreviewItem]) -> Iterator[Row]:
    tokens = tokens_by_section(items)
    section = None
    for item in items:
        if item.section != section:
            section = item.section
            yield Section(section, tokens.get(section, 0))
        yield item


def _key(row: Row) -> Hashable:
    return row.ref if isinstance(row, PreviewItem) else (row.name,)


class ContextLogList(ColumnList[NamedLogEntry]):
    """The newest first."""

    least = 20

    def __init__(self, now: Callable[[], int]) -> None:
        super().__init__(key=lambda item: item.given)

        def tokens(item: NamedLogEntry, _selected: bool) -> Content:
            return Content(_("{tokens} tok", tokens=f"{item.given.tokens:,}"))

        def when(item: NamedLogEntry, _selected: bool) -> Content:
            return Content.styled(age(item.given.at, now(), self.as_dates), DIM)

        self.columns = (
            Column(_("Agent"), lambda item, _selected: plain(item.given.agent), 12),
            Column(_("Session"), lambda item, selected: plain(_titled(item), "bold" if selected else "")),
            Column(
                _("Project"),
                lambda item, _selected: plain(item.given.project, DIM),
                16,
                leaves=2,
                is_project=True,
            ),
            Column(
                _("Told"),
                lambda item, _selected: Content.styled(memories(item), DIM),
                11,
                is_number=True,
                leaves=1,
            ),
            Column(_("Tokens"), tokens, 10, is_number=True),
            Column(_("When"), when, WIDTH, is_number=True),
        )


def _titled(item: NamedLogEntry) -> str:
    title = item.title or item.given.session or _("unnamed")
    if item.given.is_start:
        return title
    return _("{title} · at a {occasion}", title=title, occasion=_(item.given.occasion))


BAR, NO_BAR = Content.styled("▌", "$text-primary"), Content(" ")
NO_LINES = range(0)

OwnFiles = tuple[tuple[str, int], ...]
"""The paths of files that an agent is told besides, and about their tokens."""


class ContextText(TextView):
    """The numbers tell a line that is wrapped from two; of the text nothing is left out or added."""

    _text = ""
    _files: OwnFiles = ()
    _selected = NO_LINES

    def show_text(self, text: str, files: OwnFiles = (), *, hold: bool = False) -> None:
        """Show a text, and below it the paths and tokens of the agent's own files; with `hold` from where
        the last one was scrolled to."""
        if (text, files) != (self._text, self._files):
            self._text, self._files = text, files
            self.show([*_passages(text), *_besides(files)], hold=hold)

    def show_words(self, words: str) -> None:
        """Show that there is no text, and why."""
        self._text, self._files = "", ()
        self.show([Passage(plain(words))])

    def select(self, lines: range) -> None:
        """Mark these lines of the text, from 0, and scroll as little as brings them into view.

        A pane that isn't shown has a size of another layout: it scrolls when it gets its own.
        """
        self._selected = lines
        self.refresh()
        self._bring_into_view(self.scroll_offset.y)

    def on_resize(self) -> None:
        super().on_resize()
        # From the top: where a layout on the way to this one was scrolled to says nothing.
        self._bring_into_view(0)

    def _bring_into_view(self, y: int) -> None:
        """Scroll to where the marked lines are seen, as near to line `y` as can be."""
        if self.is_on_screen and (lines := self.lines_of(self._selected)):
            y = min(lines.start, max(lines.stop - self.size.height, y))
            if y != self.scroll_offset.y:
                self.scroll_to(y=y, animate=False, force=True)

    def line_at(self, line: int) -> Content:
        content = super().line_at(line)
        if line not in self.lines_of(self._selected):
            return content
        bar = _digits(self._text) + GUTTER
        return content[:bar] + BAR + content[bar + 1 :].stylize("bold")


def _passages(text: str) -> Iterator[Passage]:
    lines = text.split("\n")
    for at, line in enumerate(lines):
        is_fence = at < 2 or at == len(lines) - 1
        style = DIM if is_fence else "$text-primary" if line.startswith("## ") else ""
        number = str(at + 1).rjust(_digits(text))
        yield Passage(plain(line, style, newlines=True), number, NO_BAR)


def _besides(files: OwnFiles) -> Iterator[Passage]:
    for at, (path, tokens) in enumerate(files):
        line = Content.assemble(
            ("" if at else _("besides, Claude Code's own files: "), DIM),
            plain(short(Path(path))),
            ("  " + _("≈{tokens} tokens", tokens=f"{tokens:,}"), DIM),
        )
        yield Passage(line, space=0 if at else 1)


def _digits(text: str) -> int:
    return len(str(text.count("\n") + 1))
