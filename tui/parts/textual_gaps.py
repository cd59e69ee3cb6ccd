"""Where Textual gets wide characters and Alt with a digit wrong, and has no public hook to mend it; leaving
the terminal to another program, and screens while something is still being read for them."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import Any, TypeVar, cast

import textual.screen
from rich.cells import cell_len
from textual._ansi_sequences import ANSI_SEQUENCES_KEYS
from textual._compositor import Compositor
from textual.app import App, SuspendNotSupported
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from memtui.store import StoreError

NOTHING = Strip([], 0)


class WholeCharacters(Compositor):
    """Textual cuts what lies on top at the edges of all that lies below, and a character of two cells that
    is cut becomes blanks. It has no public hook."""

    def _render_chops(
        self, crop: Region, is_rendered_line: Callable[[int], bool]
    ) -> Sequence[Mapping[int, Strip]]:
        cuts = self.cuts
        lines: list[dict[int, Strip | None]] = [dict.fromkeys(line[:-1]) for line in cuts]
        for region, clip, strips in self._get_renders(crop):
            shown = region.intersection(clip)
            first, last = region.column_span
            for y, strip in zip(shown.line_range, strips, strict=False):
                if not is_rendered_line(y):
                    continue
                line = lines[y]
                within = [cut for cut in cuts[y] if first <= cut <= last]
                if len(within) > 2 and not strip.text.isascii():
                    for cut in _inside(strip, shown.x):
                        at = within.index(cut) if cut in within else 0
                        # Both halves have to be seen.
                        if at and line.get(within[at - 1], strip) is None is line.get(cut, strip):
                            line[cut] = NOTHING
                            del within[at]
                pieces = strip.divide([cut - shown.x for cut in within[1:]])
                for cut, piece in zip(within, pieces, strict=False):
                    if line.get(cut) is None:
                        line[cut] = piece
        return lines  # type: ignore[return-value]


textual.screen.Compositor = WholeCharacters  # type: ignore[attr-defined]


class AltDigit(Enum):
    """Alt and a digit as terminals send them, by the names that bindings have for them; Textual takes some
    for the signs of one terminal."""

    ONE, TWO, THREE, FOUR, FIVE, SIX, SEVEN, EIGHT, NINE = (f"alt+{n}" for n in range(1, 10))


for _key in AltDigit:
    cast("dict[str, Any]", ANSI_SEQUENCES_KEYS)[f"\x1b{_key.value[-1]}"] = (_key,)


T = TypeVar("T")


class LeavingError(StoreError):
    """The browser can't be suspended here."""


def leave_for(app: App[Any], run: Callable[[], T]) -> T:
    """Run a program in the terminal while the browser is suspended, and paint it anew. Raises what the
    program's start does, and LeavingError."""
    try:
        with app.suspend():
            return run()
    except SuspendNotSupported as error:
        raise LeavingError("This terminal can't be left for another program.") from error
    finally:
        app.refresh()


def is_of_what_is_gone(error: BaseException) -> bool:
    """Return whether an error arose in a widget, or for one, that is being removed or has been."""
    owners = (frame.f_locals.get("self") for frame, _ in traceback.walk_tb(error.__traceback__))
    return any(
        # A screen's children go before the screen itself does. Textual has no public name for it.
        widget._pruning or not widget.is_attached
        for widget in owners
        if isinstance(widget, Widget)
    )


def _inside(strip: Strip, x: int) -> list[int]:
    """The places in the middle of wide characters of a strip that begins at `x`."""
    results = []
    for character in strip.text:
        width = cell_len(character)
        if width == 2:
            results.append(x + 1)
        x += width
    return results
