"""The results of a search: two lines each, what it is and why it was found."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import ClassVar

from textual.binding import BindingType
from textual.content import Content
from textual.message import Message

from store import Hit, ListRow

from ..bindings import key
from ..lists.paged_list import PagedList
from ..text.ages import age, tokens
from ..text.content import DIM, fit, highlighted, joined, plain
from ..text.glyphs import glyph, pin
from .providers import RELATED, Found

PROJECT, TOKENS, AGE = 14, 5, 4
ROOM_FOR_PROJECT, ROOM_FOR_TOKENS = 60, 70
AHEAD = 20
"""Rows still to come when more are asked for."""


class ResultList(PagedList[Found]):
    """Rows of `Found`; `NearEnd` when the last of them come near."""

    row_height = 2
    BINDINGS: ClassVar[list[BindingType]] = [
        key("enter", "select", "Open", "Read the selected memory", "results.open", display="⏎"),
        key(
            "f",
            "screen.facets",
            "Facets",
            "To the facets, to narrow by type, project, agent, kind or day",
            "results.facets",
        ),
        key(
            "escape",
            "screen.leave_results",
            "Query",
            "Back to the query line",
            "results.query",
            show=False,
        ),
    ]

    @dataclass
    class NearEnd(Message):
        """The view was scrolled near the last row. Replaces an older one still queued."""

        def can_replace(self, message: Message) -> bool:
            return isinstance(message, ResultList.NearEnd)

    def __init__(self, now: Callable[[], int], *, id: str | None = None) -> None:
        super().__init__(key=_document, id=id)
        self._now = now

    @property
    def row(self) -> ListRow | None:
        """The row under the cursor."""
        return self.item.hit.row if self.item else None

    def render_row(self, item: Found, width: int, selected: bool) -> list[Content]:
        row = item.hit.row
        right = self._columns(row, width)
        room = width - right.cell_length - 3
        title = fit(highlighted(item.title, "bold" if selected else ""), room, pin(row))
        mark = RELATED if item.hit.tier == "related" else " "
        return [
            Content.assemble(glyph(row.type).content, " ", title, " ", right),
            fit(Content.assemble((mark, DIM), " ", _reason(item.hit)), width),
        ]

    @property
    def is_near_end(self) -> bool:
        """Whether few rows follow those in view."""
        return self.first_row + self.rows_in_view + AHEAD >= self.count

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        if self.is_near_end:
            self.post_message(self.NearEnd())

    def _columns(self, row: ListRow, width: int) -> Content:
        parts = []
        if width >= ROOM_FOR_PROJECT:
            parts.append(fit(plain(row.project), PROJECT))
        if width >= ROOM_FOR_TOKENS:
            parts.append(Content(tokens(row.tokens).rjust(TOKENS)))
        parts.append(Content(age(row.created_at, self._now()).rjust(AGE)))
        return Content(" ").join(parts).stylize(DIM)


def _document(found: Found) -> Hashable:
    return found.hit.row.document_id


def _reason(hit: Hit) -> Content:
    """The passage that was found; where the title has said it all, what kind of memory it is."""
    said = hit.snippet.text.strip()
    if not said or hit.row.title.strip().startswith(said):
        return plain(joined(hit.kind, hit.row.agent), DIM)
    return highlighted(hit.snippet, DIM)
