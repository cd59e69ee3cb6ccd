"""Opening the merge room, from whichever screen is in front."""

from __future__ import annotations

from typing import Any

from textual.app import App

from memtui.store import ListRow

from ..protocol import browser
from ..screen import MemScreen
from .screen import MergeScreen

MARKED = 2
"""So many marked memories are made one."""


def open_merge_room(app: App[Any]) -> None:
    """Push a screen that makes the marked memories one; with fewer than two marked, one that shows what is
    like the memory in hand, or all that is alike where there is none."""
    front = app.screen
    if not isinstance(front, MemScreen) or isinstance(front, MergeScreen) or browser(app).read_only:
        return
    marked, of = tuple(front.marks), ""
    if len(marked) < MARKED:
        marked, of = (), next(iter(front.chosen), "")

    def done(ref: str, row: ListRow | None) -> None:
        front.marks = {}
        front.seek(ref, row)

    browser(app).open_over(MergeScreen(marked, done, of))
