"""What stands on the terminal before Textual does, and what is left of it afterwards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from memtui.store import Hit
from memtui.store.config import BrowserSettings
from memtui.store.text.display import safe

from ..startup import palette
from ..startup.first_frame import (
    ENTER,
    HIDE_CURSOR,
    LEAVE,
    LIST_SHARE,
    RIGHT_COLUMNS,
    WIDE,
    Paint,
    painted,
    rows,
)

SHOW_CURSOR = "\x1b[?25h"
SAVE, RESTORE, CLEAR_BELOW, DOWN = "\x1b7", "\x1b8", "\x1b[J", "\x1bD"
HEAD_LINES, SHORT_HEAD_LINES, SHORT = 2, 1, 14
"""Lines above the rows; fewer lines than `SHORT` have no title above the list."""


@contextmanager
def shown(
    hits: Sequence[Hit],
    query: str,
    size: tuple[int, int],
    settings: BrowserSettings,
    *,
    lines: int,
    in_line: bool,
) -> Iterator[list[Any]]:
    """Have the query and its hits on a terminal of so many columns and lines while the block runs the
    app; on `lines` of it, or on the whole screen where these are 0. Yield the attributes that the
    terminal had before.

    `in_line` tells that a shell edits its line there: the cursor is where it was afterwards.
    """
    width, height = size
    text = "\r\n".join(frame(hits, query, width, lines or height, settings))
    if not lines:
        start, leave = ENTER + HIDE_CURSOR + "\x1b[2J\x1b[H", LEAVE
        back = ""
    else:
        up = f"\x1b[{lines - 1}A\r"
        # Scrolled first, so that the place that is kept doesn't move.
        place = DOWN * lines + f"\x1b[{lines}A" + SAVE + "\r\n" if in_line else "\r"
        start, leave = HIDE_CURSOR + place + CLEAR_BELOW, SHOW_CURSOR
        text += "\r\n" * (lines - 1 - text.count("\n")) + up
        back = RESTORE if in_line else ""
    with painted(start + text, leave) as before:
        try:
            yield before
        finally:
            write(back)


def frame(hits: Sequence[Hit], query: str, width: int, lines: int, settings: BrowserSettings) -> list[str]:
    """Return the lines of the frame, as many as have something on them."""
    from rich.cells import set_cell_size

    paint = Paint(palette.frame_colours(settings.theme))
    head = SHORT_HEAD_LINES if lines < SHORT else HEAD_LINES
    share = settings.panes.get("search", 100 * LIST_SHARE) / 100
    room = (int(width * share) if width >= WIDE else width) - RIGHT_COLUMNS
    asked = set_cell_size(safe(query), max(0, width - 6)).rstrip()
    results = {0: f"{paint.usual} {paint.accent}❯{paint.usual} {asked}\x1b[K"}
    is_compact = settings.density == "compact"
    for line, row in rows(hits, room, width, is_compact=is_compact):
        if (at := head + line - 1) < lines - 1:
            results[at] = f"{paint.usual} {row}\x1b[K"
    blank = f"{paint.usual}\x1b[K"
    return [results.get(at, blank) for at in range(max(results) + 1)]


def write(text: str) -> None:
    """Send escape sequences to the terminal, where Textual's own go too."""
    import sys

    assert sys.__stderr__ is not None
    sys.__stderr__.write(text)
    sys.__stderr__.flush()
