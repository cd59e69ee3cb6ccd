"""Lines of a width. English breaks between words; Chinese and what is written like it between any two
characters, but not before what closes nor after what opens.

Textual takes a run of Chinese for one long word: it goes to a line of its own, and is cut wherever that
ends.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual.content import Content

from memtui.store.text.wrapping import breaks, has_wide

from .content import Wrapped

TAB = 8


def wrap_text(content: Wrapped, width: int) -> Sequence[Content]:
    """Return the lines of a text, or of a table, each at most `width` cells wide."""
    if not isinstance(content, Content) or not has_wide(content.plain):
        return content.wrap(width)
    lines: list[Content] = []
    for line in content.split("\n", allow_blank=True):
        spaced = line.expand_tabs(TAB)
        lines += (item.rstrip() for item in spaced.divide(list(breaks(spaced.plain, width, cell_len))))
    return lines
