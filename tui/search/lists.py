"""The results of a search: what each is, and on a second line, where that says more, why it was found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual.binding import BindingType
from textual.content import Content
from textual.message import Message

from memtui.store import ListRow

from ..keys.bindings import key
from ..lists.paged_list import PagedList
from ..text.ages import WIDTH as AGE
from ..text.ages import age
from ..text.content import DIM, fit, fit_title, highlighted, plain, right_aligned
from ..text.glyphs import badge, flags
from ..text.symbols import WORD_FROM
from .providers import RELATED, Found

if TYPE_CHECKING:
    from memtui.store.team.marks import TeamMark

PROJECT = 14
ROOM_FOR_WORD, ROOM_FOR_PROJECT = 55, 59
"""Cells of a row from which on there is room for each; for the type's word only where the terminal is
wide too, and for the others beside it."""
ASKED = " › "
"""Stands behind what was asked, before what came of it."""
AHEAD = 20
"""Rows still to come when more are asked for."""


class ResultList(PagedList[Found]):
    """Rows of `Found`; `NearEnd` when the last of them come near."""

    may_have_marks = True
    row_height = 2
    BINDINGS: ClassVar[list[BindingType]] = [
        key("enter", "select", "Open", "Read the selected memory", "results.open", display="⏎"),
        key(
            "f",
            "screen.facets",
            "Go to facets",
            "To the facets, to narrow by type, project, agent, kind or day",
            "results.facets",
            footer="Facets",
        ),
    ]

    @dataclass
    class NearEnd(Message):
        """The view was scrolled near the last row. Replaces an older one still queued."""

        def can_replace(self, message: Message) -> bool:
            return isinstance(message, ResultList.NearEnd)

    def __init__(self, now: Callable[[], int], *, id: str | None = None) -> None:
        super().__init__(key=lambda found: found.hit.row.document_id, id=id)
        self._now = now

    @property
    def row(self) -> ListRow | None:
        """The row under the cursor."""
        return self.item.hit.row if self.item else None

    def ref_of(self, item: Found) -> str | None:
        return None if item.away else item.hit.row.ref

    def mark_of(self, item: Found) -> TeamMark | None:
        return item.away.mark if item.away else super().mark_of(item)

    def title_of(self, item: Found) -> str:
        return item.title.text

    def lines_for(self, item: Found) -> int:
        return 1 if item.second_line is None else 2

    def render_row(self, item: Found, width: int, selected: bool) -> list[Content]:
        row = item.hit.row
        with_word = width >= ROOM_FOR_WORD and self.app.size.width >= WORD_FROM
        sign = badge(row.type, with_word=with_word)
        right = self._columns(row, width - sign.cell_length + 1)
        room = width - sign.cell_length - right.cell_length - 2
        style = "bold" if selected else DIM if row.superseded else ""
        tail = flags(row)
        if item.hit.tier == "related":
            tail += Content.styled(f" {RELATED}", DIM)
        title = fit_title(highlighted(item.title, style), room, tail, self.shared)
        lines = [Content.assemble(sign, " ", title, " ", right)]
        if (line := item.second_line) is not None:
            # Under the title.
            indent = sign.cell_length + 1
            asked, question, _ = line.text.partition(ASKED)
            above = self.above and self.above.second_line
            is_said_above = question and above and above.text.startswith(asked + ASKED)
            said = highlighted(line, DIM)[len(asked + ASKED) if is_said_above else 0 :]
            lines.append(Content(" " * indent) + fit(said, width - indent))
        return lines

    @property
    def is_near_end(self) -> bool:
        """Whether few rows follow those in view."""
        return self.first_row + self.rows_in_view + AHEAD >= self.count

    @property
    def is_at_end(self) -> bool:
        """Whether no row follows those in view."""
        return self.first_row + self.rows_in_view >= self.count

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self._look_ahead()

    def watch_cursor(self, old: int, new: int) -> None:
        super().watch_cursor(old, new)
        self._look_ahead()

    def _look_ahead(self) -> None:
        if self.is_near_end:
            self.post_message(self.NearEnd())

    def _columns(self, row: ListRow, width: int) -> Content:
        when = Content(age(row.created_at, self._now(), self.as_dates))
        parts = []
        if width >= ROOM_FOR_PROJECT:
            parts.append(fit(plain(row.project), PROJECT))
            when = right_aligned(when, AGE)
        parts.append(when)
        return Content(" ").join(parts).stylize(DIM)
