"""The tour: one minute of the browser, typed as a person would type it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from itertools import chain
from typing import Any

from textual._compositor import LayoutUpdate
from textual.pilot import Pilot

from memtui.tui.app import MemApp
from screenshots.animation import Frame, Line, line_of

SIZE = (120, 34)
TYPED, READ, LOOK = 0.09, 1.1, 2.4
"""Seconds that a typed letter, a step and a screen are shown."""

Step = tuple[Sequence[str], float]

STEPS: list[Step] = [
    ((), LOOK),
    *(((letter,), TYPED) for letter in "token refresh"),
    ((), READ),
    *((("down",), READ / 2) for _ in range(3)),
    ((), LOOK),
    (("w",), LOOK),
    (("escape",), READ / 2),
    (("t",), LOOK),
    *((("right_square_bracket",), READ) for _ in range(2)),
    (("escape",), READ / 2),
    (("slash", "ctrl+u"), READ / 2),
    *(((letter,), TYPED * 3) for letter in "缓存"),
    ((), LOOK),
    *(((letter,), TYPED) for letter in " type:"),
    ((), LOOK),
    (("escape", "escape", "3"), LOOK),
    (("down",), READ / 2),
    (("enter",), LOOK),
    (("4",), LOOK),
    (("6",), LOOK),
    (("7",), LOOK * 1.5),
    (("1", "ctrl+p"), READ),
    *(((letter,), TYPED) for letter in "export"),
    ((), LOOK),
]
"""Keys pressed at once, and how long what they bring is shown."""


async def play(app: MemApp, settle: Callable[[Pilot[Any]], Awaitable[None]], theme: str) -> list[Frame]:
    """Return what the browser shows, frame by frame, and leave it."""
    frames: list[Frame] = []
    async with app.run_test(size=SIZE) as pilot:
        app.theme = theme
        await settle(pilot)
        for keys, seconds in STEPS:
            for key in keys:
                await pilot.press(key)
                await settle(pilot)
            frames.append(Frame(seconds, lines(app)))
    return _merged(frames)


def background(app: MemApp) -> tuple[str, str]:
    """Return the colours of plain text and of what lies behind it, as `#rrggbb`."""
    variables = app.get_css_variables()
    return variables["foreground"].lower(), variables["background"].lower()


def lines(app: MemApp) -> tuple[Line, ...]:
    """Return what the terminal shows, from top to bottom."""
    colors = background(app)
    update = app.screen._compositor.render_update(full=True, screen_stack=app._background_screens)
    assert isinstance(update, LayoutUpdate)
    return tuple(line_of(chain.from_iterable(chops), *colors) for chops in update.strips)


def _merged(frames: Sequence[Frame]) -> list[Frame]:
    """Return the frames, those that show the same as the one before being added to its time."""
    merged: list[Frame] = []
    for frame in frames:
        if merged and merged[-1].lines == frame.lines:
            merged[-1] = Frame(merged[-1].seconds + frame.seconds, frame.lines)
        else:
            merged.append(frame)
    return merged
