"""Notes, one a line: whose they are, where they stand, and how they begin."""

from __future__ import annotations

from collections.abc import Callable

from textual.content import Content

from store import Note

from ..ages import age
from ..text import DIM, fit, plain
from .paged_list import PagedList

GAP = Content("  ")


class NoteList(PagedList[Note]):
    """By project and path."""

    def __init__(self, now: Callable[[], int], *, id: str | None = None) -> None:
        super().__init__(key=lambda note: note.id, id=id)
        self._now = now

    def render_row(self, item: Note, width: int, selected: bool) -> list[Content]:
        project = fit(plain(item.project or "everywhere"), 14)
        edited = Content.styled(f"{age(item.updated_at, self._now()):>4}", DIM)
        room = width - 14 - 4 - 4
        path = plain(item.path, "bold" if selected else "")
        if room < 40:
            return [GAP.join([project, fit(path, room), edited])]
        begins = plain(_beginning(item.text), DIM)
        return [
            GAP.join([project, fit(path, room // 2), fit(begins, room - room // 2 - 2), edited])
        ]


def _beginning(text: str) -> str:
    """The first line that says something; the heading only where there is nothing else."""
    lines = [line.strip() for line in text[:2_000].splitlines() if line.strip()]
    said = (line for line in lines if not line.startswith("#"))
    return next(said, lines[0] if lines else "")
