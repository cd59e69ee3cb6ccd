"""What a context is made of, one a line, and what sessions were given, one a line."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass

from textual.content import Content

from store.context.log_entries import NamedLogEntry
from store.context.preview import PreviewItem

from ..lists.grouped import GroupedList
from ..lists.paged_list import PagedList
from ..text.ages import age
from ..text.content import DIM, EMPTY, GAP, edges, fit, plain
from ..text.glyphs import PINNED, glyph
from .text import TOLD, memories

TICK, NO_TICK = "[✓] ", "[ ] "
TOKEN_CELLS = 6


@dataclass(frozen=True, slots=True)
class Section:
    """The line above a section's first memory."""

    name: str


Row = Section | PreviewItem

AGENT, PROJECT, MEMORIES, TOKENS, AGE = 12, 16, 11, 10, 4
LEAST = 20
"""Cells that the session's name has at least, or else the memories leave, then the project."""


class PreviewList(GroupedList[Row]):
    """The cursor passes over the sections' lines."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(_key, id=id)

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

    def render_row(self, item: Row, width: int, selected: bool) -> list[Content]:
        if isinstance(item, Section):
            return [plain(item.name, "$text-primary")]
        is_out = item.form == "out"
        left = Content.assemble(
            (NO_TICK if is_out else TICK, DIM if is_out else ""), glyph(item.name.type).content, " "
        )
        style = "bold" if selected else "" if item.lines else DIM
        title = plain(item.name.title or "untitled", style)
        pinned = Content.assemble(" ", PINNED.content) if item.name.pinned else EMPTY
        right = Content.assemble(
            " ",
            ("" if item.form == "full" else item.form, TOLD[item.form]),
            (f"{item.tokens:,}".rjust(TOKEN_CELLS), DIM if not item.lines else ""),
        )
        return [left + edges(title, right, width - left.cell_length, pinned)]


def _rows(items: Sequence[PreviewItem]) -> Iterator[Row]:
    section = None
    for item in items:
        if item.section != section:
            section = item.section
            yield Section(section)
        yield item


def _key(row: Row) -> Hashable:
    return row.ref if isinstance(row, PreviewItem) else row


class ContextLogList(PagedList[NamedLogEntry]):
    """The newest first."""

    one_project = False
    """Whether all are of one project, which then need not be named."""

    def __init__(self, now: Callable[[], int], *, id: str | None = None) -> None:
        super().__init__(key=lambda item: item.given, id=id)
        self._now = now

    def render_row(self, item: NamedLogEntry, width: int, selected: bool) -> list[Content]:
        given = item.given
        name = plain(item.title or given.session or "unnamed", "bold" if selected else "")
        right = {
            "project": fit(plain(given.project, DIM), PROJECT),
            "memories": Content.styled(memories(item).rjust(MEMORIES), DIM),
            "tokens": Content(f"{given.tokens:,} tok".rjust(TOKENS)),
            "age": Content.styled(age(given.at, self._now()).rjust(AGE), DIM),
        }
        if self.one_project:
            del right["project"]
        for leaving in ("memories", "project"):
            if _room(width, right) < LEAST:
                right.pop(leaving, None)
        room = _room(width, right)
        return [GAP.join([fit(plain(given.agent), AGENT), fit(name, room), *right.values()])]


def _room(width: int, right: dict[str, Content]) -> int:
    """Cells that are left for the session's name."""
    return width - AGENT - len(GAP) - sum(cell.cell_length + len(GAP) for cell in right.values())
