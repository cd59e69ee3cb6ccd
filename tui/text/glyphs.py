"""What stands before a record: a shape, a letter and a colour for its type, each enough alone."""

from __future__ import annotations

from dataclasses import dataclass

from textual.content import Content

from store import Fact, ListRow

from . import symbols
from .content import DIM, EMPTY
from .symbols import SYMBOLS


@dataclass(frozen=True, slots=True)
class Glyph:
    """`symbol` and `letter` are one cell wide; `style` is made of theme variables."""

    symbol: str
    letter: str
    style: str

    @property
    def content(self) -> Content:
        """The symbol in its colour."""
        return Content.styled(self.symbol, self.style)


GLYPHS = {
    "decision": Glyph(SYMBOLS["decision"], "D", "$text-accent"),
    "bugfix": Glyph(SYMBOLS["bugfix"], "B", "$text-error"),
    "feature": Glyph(SYMBOLS["feature"], "F", "$text-success"),
    "refactor": Glyph(SYMBOLS["refactor"], "R", "$text-secondary"),
    "discovery": Glyph(SYMBOLS["discovery"], "I", "$text-primary"),
    "change": Glyph(SYMBOLS["change"], "C", "$text-warning"),
    "note": Glyph(SYMBOLS["note"], "N", "$foreground"),
    "error": Glyph(SYMBOLS["error"], "E", "bold $text-error"),
    "prompt": Glyph(SYMBOLS["prompt"], "P", "$text-primary"),
    "summary": Glyph(SYMBOLS["summary"], "S", "$text-success"),
    "fact": Glyph(SYMBOLS["fact"], "K", "$text-accent"),
}
OTHER = Glyph(symbols.OTHER, "O", DIM)
PINNED = Glyph(symbols.PINNED, "*", "$text-warning")


def glyph(type: str) -> Glyph:
    """Return the glyph of an observation's type, or of another kind of record; else `OTHER`."""
    return GLYPHS.get(type, OTHER)


def pin(record: ListRow | Fact) -> Content:
    """Return what stands behind the title of a pinned record; nothing behind another."""
    return Content.assemble(" ", PINNED.content) if record.pinned else EMPTY
