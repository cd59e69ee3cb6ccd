"""Lines of a width. English breaks between words; Chinese and what is written like it between any two
characters, but not before what closes nor after what opens.

Textual takes a run of Chinese for one long word: it goes to a line of its own, and is cut wherever that
ends.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rich.cells import cell_len
from textual.content import Content

from .content import Wrapped

WIDE = "ᄀ-ᅟ⺀-〿぀-鿿ꥠ-ꥼ가-힣豈-﫿︰-﹯＀-｠￠-￦\U0001f300-\U0003fffd"
OPENS = "([{“‘（［｛〈《「『【〔〖"
CLOSES = r""")\]}”’…·,.;:!?%、。〉》」』】〕〗！），．：；？］｝～"""
HAS_WIDE = re.compile(f"[{WIDE}]")
PIECE = re.compile(
    rf"[{re.escape(OPENS)}]*(?:[{WIDE}]|[^\s{WIDE}]+?(?=[\s{WIDE}{re.escape(OPENS)}]|$)|\s)"
    rf"[{CLOSES}]*\s*"
)
TAB = 8


def wrap_text(content: Wrapped, width: int) -> Sequence[Content]:
    """Return the lines of a text, or of a table, each at most `width` cells wide."""
    if not isinstance(content, Content) or not HAS_WIDE.search(content.plain):
        return content.wrap(width)
    lines: list[Content] = []
    for line in content.split("\n", allow_blank=True):
        spaced = line.expand_tabs(TAB)
        lines += (item.rstrip() for item in spaced.divide(list(_breaks(spaced.plain, width))))
    return lines


def _breaks(text: str, width: int) -> Iterator[int]:
    """Yield the places, as counts of characters, at which a line of text goes on in the next one."""
    room = width
    for piece in PIECE.finditer(text):
        needed = cell_len(piece[0].rstrip())
        if needed > room and room < width:
            yield piece.start()
            room = width
        if needed <= room:
            room -= cell_len(piece[0])
            continue
        for at, character in enumerate(piece[0].rstrip(), piece.start()):
            if (cells := cell_len(character)) > room:
                yield at
                room = width
            room -= cells
