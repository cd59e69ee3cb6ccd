"""The newest memories, painted before Textual is imported, which takes longer than anything else.

Textual then paints over it, each title in the place where it stands, without leaving the alternate
screen in between (see `driver`), so nothing flickers. Keys typed meanwhile wait for it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from store import ListRow
from store.text.display import safe

from ..text.symbols import OTHER, SYMBOLS
from . import palette

ENTER, LEAVE, HIDE_CURSOR = "\x1b[?1049h", "\x1b[?1049l\x1b[?25h", "\x1b[?25l"
HEAD_LINES, LINES_A_ROW = 3, 2
WIDE, LIST_SHARE = 120, 0.54
RIGHT_COLUMNS = 30
"""What project, tokens and age take of a row; they come with Textual."""


@contextmanager
def shown(newest: Sequence[ListRow]) -> Iterator[bool]:
    """Have the frame on the screen while the block starts the app; whether there is one.

    There is none without memories, or where the output is no terminal or a small one. Whatever
    happens in the block, the terminal is left as it was.
    """
    size = _terminal_size()
    if not newest or size is None:
        yield False
        return
    import termios
    import tty

    before = termios.tcgetattr(sys.stdin)
    try:
        # Otherwise the terminal would echo early keys into the frame.
        tty.setcbreak(sys.stdin, termios.TCSANOW)
        _write(ENTER + HIDE_CURSOR + frame(newest, *size))
        yield True
    except BaseException:
        _write(LEAVE)
        raise
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSANOW, before)


def frame(newest: Sequence[ListRow], width: int, height: int) -> str:
    """Return the escape sequences that paint the frame on a terminal of so many cells."""
    from rich.cells import set_cell_size

    colours = palette.LIGHT if palette.prefers_light() else palette.DARK
    usual = _colour(48, colours["background"]) + _colour(38, colours["foreground"])
    accent = _colour(38, colours["accent"])
    room = (int(width * LIST_SHARE) if width >= WIDE else width) - RIGHT_COLUMNS
    lines = [
        f"{usual}\x1b[2J\x1b[1;1H{_colour(48, colours['panel'])}{' ' * width}"
        f"\x1b[1;3H\x1b[1m{accent}memtui\x1b[0m{usual}",
        f"\x1b[2;2H{accent}❯{usual}",
    ]
    for place, row in enumerate(newest[: (height - HEAD_LINES) // LINES_A_ROW]):
        title = safe(row.title)
        fitted = set_cell_size(title, room).rstrip()
        symbol = SYMBOLS.get(row.type, OTHER)
        lines.append(f"\x1b[{HEAD_LINES + 1 + place * LINES_A_ROW};2H{symbol} {fitted}")
    return "".join(lines)


def _terminal_size() -> tuple[int, int] | None:
    """The terminal's columns and lines; None where a frame would not be seen whole."""
    if os.name != "posix" or os.environ.get("TERM", "dumb") == "dumb":
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
