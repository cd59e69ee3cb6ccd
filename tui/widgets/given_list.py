"""What sessions were given, one a line: when, by which agent, which session, and how much."""

from __future__ import annotations

from collections.abc import Callable

from textual.content import Content

from store.context.given_names import NamedGiven

from ..ages import age
from ..given_text import memories
from ..text import DIM, fit, plain
from .paged_list import PagedList

GAP = Content("  ")
AGENT, PROJECT, MEMORIES, TOKENS, AGE = 12, 16, 11, 10, 4
LEAST = 20
"""Cells that the session's name has at least, or else the memories leave, then the project."""


class GivenList(PagedList[NamedGiven]):
    """The newest first."""

    one_project = False
    """Whether all are of one project, which then need not be named."""

    def __init__(self, now: Callable[[], int], *, id: str | None = None) -> None:
        super().__init__(key=lambda item: item.given, id=id)
        self._now = now

    def render_row(self, item: NamedGiven, width: int, selected: bool) -> list[Content]:
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
