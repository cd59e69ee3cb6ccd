"""What stands before a record: a shape, a letter and a colour for its type, each enough alone."""

from __future__ import annotations

from dataclasses import dataclass

from textual.content import Content

from .text import DIM


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
    "decision": Glyph("◆", "D", "$text-accent"),
    "bugfix": Glyph("●", "B", "$text-error"),
    "feature": Glyph("✚", "F", "$text-success"),
    "refactor": Glyph("↻", "R", "$text-secondary"),
    "discovery": Glyph("○", "I", "$text-primary"),
    "change": Glyph("✎", "C", "$text-warning"),
    "note": Glyph("▪", "N", "$foreground"),
    "error": Glyph("✗", "E", "bold $text-error"),
    "prompt": Glyph("▸", "P", "$text-primary"),
    "summary": Glyph("∑", "S", "$text-success"),
    "fact": Glyph("◇", "K", "$text-accent"),
}
OTHER = Glyph("·", "O", DIM)
PINNED = Glyph("★", "*", "$text-warning")


def glyph(type: str) -> Glyph:
    """The glyph of an observation's type, or of another kind of record; `OTHER` for the rest."""
    return GLYPHS.get(type, OTHER)
