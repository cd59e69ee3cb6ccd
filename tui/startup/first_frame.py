"""The newest memories, painted before Textual is imported, which takes longer than anything else.

Textual then paints over it, each title in the place where it stands, without leaving the alternate
screen in between (see `driver`), so nothing flickers. Keys typed meanwhile wait for it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from memtui.store import Hit
from memtui.store.config import BrowserSettings
from memtui.store.platform.system import HAS_POSIX
from memtui.store.platform.translation import _
from memtui.store.text.display import safe

from ..tabs import TABS, Tab, tab_labels
from ..text.ages import WIDTH as AGE
from ..text.rows import OTHER, SYMBOLS, WORD, WORD_FROM, second_line
from . import palette
from .ending import hold

ENTER, LEAVE, HIDE_CURSOR = "\x1b[?1049h", "\x1b[?1049l\x1b[?25h", "\x1b[?25l"
SEARCH = "search"
"""The mode to start in."""
HEAD_LINES = 3
WIDE, LIST_SHARE = 120, 0.54
WITH_FACETS, FACETS = 140, 28
"""Columns from which on the facets stand at the left, and what they take with the border."""
RIGHT_COLUMNS = 22 + AGE
"""What project, tokens and age take of a row; they come with Textual."""


@contextmanager
def shown(
    newest: Sequence[Hit],
    tabs: Sequence[Tab] = TABS,
    settings: BrowserSettings | None = None,
) -> Iterator[list[Any] | None]:
    """Have the frame on the screen while the block starts the app. Yield the attributes (`termios`)
    that the terminal had before, None where there is no frame. `tabs` are the screens that the app
    has, `settings` tell how it looks.

    There is none without memories, on Windows, or where the output is no terminal or a small one. Whatever
    happens in the block, the terminal is left as it was.
    """
    size = terminal_size()
    if not newest or size is None or not HAS_POSIX:
        yield None
        return
    with painted(ENTER + HIDE_CURSOR + frame(newest, *size, tabs, settings), LEAVE) as before:
        yield before


@contextmanager
def painted(text: str, leave: str) -> Iterator[list[Any]]:
    """Have escape sequences painted while the block starts an app, without echo of early keys. Yield the
    attributes (`termios`) that the terminal had before, and has again afterwards; `leave` is written
    where the block fails."""
    import termios
    import tty

    before = termios.tcgetattr(sys.stdin)
    hold()
    try:
        # Otherwise the terminal would echo early keys into the frame.
        tty.setcbreak(sys.stdin, termios.TCSANOW)
        _write(text)
        yield before
    except BaseException:
        _write(leave)
        raise
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSANOW, before)


def frame(
    newest: Sequence[Hit],
    width: int,
    height: int,
    tabs: Sequence[Tab] = TABS,
    settings: BrowserSettings | None = None,
) -> str:
    """Return the escape sequences that paint the frame on a terminal of so many cells."""
    settings = settings or BrowserSettings()
    colours = palette.frame_colours(settings.theme)
    paint = Paint(colours)
    is_compact = settings.density == "compact"
    start = next((tab.mode for tab in tabs if tab.mode == settings.start_screen), SEARCH)
    left = FACETS if width >= WITH_FACETS else 0
    share = settings.panes.get("search", 100 * LIST_SHARE) / 100
    room = (int((width - left) * share) if width >= WIDE else width) - RIGHT_COLUMNS
    lines = [
        f"{paint.usual}\x1b[2J\x1b[1;1H{paint.on_panel}{' ' * width}"
        f"\x1b[1;2H{_top_line(tabs, start, width - 2, paint)}\x1b[0m{paint.usual}",
    ]
    if start == SEARCH:
        lines.append(f"\x1b[2;2H{paint.accent}❯{paint.usual}")
        for line, row in rows(newest, room, width, is_compact=is_compact):
            if line > height - HEAD_LINES:
                break
            lines.append(f"\x1b[{HEAD_LINES + line};{2 + left}H{row}")
    return "".join(lines)


def rows(newest: Sequence[Hit], room: int, width: int, *, is_compact: bool) -> Iterator[tuple[int, str]]:
    """Yield the line (from 1) in which each memory stands in a list, and its sign and title, the title in
    `room` cells; `width` is the terminal's."""
    from rich.cells import set_cell_size

    from ..text.rows import LEFT_OUT, NEAR, shared_beginning, shown_places

    line = 1
    titles = [safe(hit.row.title) for hit in newest]
    for index, (hit, whole) in enumerate(zip(newest, titles, strict=True)):
        shared = shared_beginning(whole, titles[max(0, index - NEAR) : index + NEAR + 1])
        places = shown_places(whole, room, shared)
        title = set_cell_size("".join("…" if at == LEFT_OUT else whole[at] for at in places), room).rstrip()
        sign = SYMBOLS.get(hit.row.type, OTHER)
        if width >= WORD_FROM:
            sign = f"{sign} {set_cell_size(_(safe(hit.row.type)), WORD)}"
        yield line, f"{sign} {title}"
        line += 1 if is_compact or second_line(hit) is None else 2


class Paint:
    """The escape sequences of a theme's colours; those of a terminal's own are none."""

    def __init__(self, colours: palette.FrameColours | None) -> None:
        if colours is None:
            self.usual = self.on_panel = "\x1b[0m"
            self.accent = ""
        else:
            front = _colour(38, colours.foreground)
            self.usual = _colour(48, colours.background) + front
            self.on_panel = _colour(48, colours.panel) + front
            self.accent = _colour(38, colours.accent)


def _top_line(tabs: Sequence[Tab], current: str, width: int, paint: Paint) -> str:
    """The tabs as the header has them, on the colour of the panel, the current one marked."""
    brand, labels = tab_labels(tabs, current, "", width)
    marked = {current: f"\x1b[1;7m{paint.accent}"}
    line = f"\x1b[1m{paint.accent}{brand}"
    for tab, label in zip(tabs, labels, strict=True):
        style = marked.get(tab.mode, "")
        line += f"\x1b[0m{paint.on_panel}{style}{label}"
    return line


def terminal_size() -> tuple[int, int] | None:
    """Return the terminal's columns and lines; None where a frame would not be seen whole."""
    if os.environ.get("TERM", "dumb") == "dumb":
        return None
    if not (sys.stdin.isatty() and sys.__stderr__ and sys.__stderr__.isatty()):
        return None
    width, height = os.get_terminal_size(sys.__stderr__.fileno())
    return (width, height) if width >= 80 and height >= 12 else None


def _colour(layer: int, code: str) -> str:
    red, green, blue = (int(code[place : place + 2], 16) for place in (1, 3, 5))
    return f"\x1b[{layer};2;{red};{green};{blue}m"


def _write(text: str) -> None:
    # Textual's own output goes to stderr too.
    assert sys.__stderr__ is not None
    sys.__stderr__.write(text)
    sys.__stderr__.flush()
