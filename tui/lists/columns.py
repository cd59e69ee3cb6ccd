"""A list whose rows are columns: each is declared once, with its head, its cells and when it gives way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Generic, TypeVar

from textual.content import Content

from ..text.content import EMPTY, GAP, edges, in_column, plain
from .paged_list import PagedList

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Column(Generic[T]):
    """`cell` returns what an item has there, given whether it is selected. Without a `width` the column
    shares the cells that the others leave. Of those that give way the one with the lowest `leaves` goes
    first; `is_project` names the project, which may be the same for all."""

    head: str
    cell: Callable[[T, bool], Content]
    width: int = 0
    is_number: bool = False
    leaves: int = 0
    is_project: bool = False


class ColumnList(PagedList[T]):
    """A line an item, of `columns`."""

    has_heads = True
    least: ClassVar[int] = 0
    """Cells that the columns without a width have at least, or else others give way."""
    lead: ClassVar[int] = 0
    """Cells of the sign before the first column."""

    columns: Sequence[Column[T]] = ()
    one_project = False
    """Whether all are of one project, which then need not be named."""

    def sign(self, item: T) -> Content:  # noqa: ARG002
        """Return what stands before the first column."""
        return EMPTY

    def remark(self, item: T) -> Content:  # noqa: ARG002
        """Return what stands at the end of the column without a width, which gives way to it."""
        return EMPTY

    def render_heads(self, width: int) -> Content:
        return self._line(width, lambda column: plain(column.head), Content(" " * self.lead))

    def render_row(self, item: T, width: int, selected: bool) -> list[Content]:
        return [
            self._line(
                width, lambda column: column.cell(item, selected), self.sign(item), self.remark(item)
            )
        ]

    def _line(
        self, width: int, cell: Callable[[Column[T]], Content], sign: Content, remark: Content = EMPTY
    ) -> Content:
        shown = [column for column in self.columns if not (self.one_project and column.is_project)]
        for leaving in sorted(
            filter(lambda column: column.leaves, shown), key=lambda column: column.leaves
        ):
            if self._room(shown, width) >= self.least:
                break
            shown.remove(leaving)
        room, sharing = self._room(shown, width), sum(not column.width for column in shown)
        cells = []
        for column in shown:
            if column.width:
                cells.append(in_column(cell(column), column.width, is_number=column.is_number))
            else:
                share = max(0, room // sharing)
                cells.append(edges(cell(column), remark, share))
                room, sharing = room - share - len(GAP), sharing - 1
        return sign + GAP.join(cells)

    def _room(self, shown: Sequence[Column[T]], width: int) -> int:
        """The cells of the columns without a width, and of the gaps between these."""
        return width - self.lead - sum(column.width + len(GAP) for column in shown if column.width)
