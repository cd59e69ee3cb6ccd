"""The facts and decisions of the team, one a line."""

from __future__ import annotations

from textual.content import Content

from memtui.store.team.reviewing import Review
from memtui.store.translation import _

from ..lists.paged_list import PagedList
from ..text.content import EMPTY, fit, plain
from ..text.glyphs import glyph

PROJECT = 14
ROOM_FOR_PROJECT = 60


class ReviewList(PagedList[Review]):
    """What each says, its project and its author; of those that somebody disputes, that too."""

    may_have_marks = True

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(key=lambda review: review.uid, id=id)

    def ref_of(self, item: Review) -> str | None:
        return item.id

    def render_row(self, item: Review, width: int, selected: bool) -> list[Content]:
        sign = glyph("fact" if item.id.startswith("f") else "decision").content + " "
        tail = plain(" " + _("disputed"), "$text-warning") if item.disputes else EMPTY
        project = EMPTY
        if width >= ROOM_FOR_PROJECT:
            project = " " + fit(plain(item.project), PROJECT)
        room = width - sign.cell_length - project.cell_length
        title = fit(plain(item.title.split("\n", 1)[0], "bold" if selected else ""), room, tail)
        return [sign + title + project]
