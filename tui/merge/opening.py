"""Opening the merge room, from whichever screen is in front."""

from __future__ import annotations

from typing import Any

from textual.app import App

from memtui.store import ListRow

from ..protocol import browser
from ..screen import MemScreen
from .screen import MergeScreen

ONE = "One memory is marked: mark another (Space), and m makes them one."


def open_merge_room(app: App[Any]) -> None:
    """Push a screen that makes the marked memories one, or, with none marked, shows what is alike."""
    front = app.screen
    if not isinstance(front, MemScreen) or isinstance(front, MergeScreen) or browser(app).read_only:
        return
    if len(front.marks) == 1:
        app.notify(ONE)
        return

    def done(ref: str, row: ListRow | None) -> None:
        front.marks = {}
        front.seek(ref, row)

    browser(app).open_over(MergeScreen(tuple(front.marks), done))
