"""Mend exported SVG: no fonts from the network, and characters of two cells as wide as that.

The exporter gives each text the width of its character count, so Chinese comes out squeezed to
half. Each text is split into runs of equal width, and each run is put where its cells are.
"""

from __future__ import annotations

import re
from html import escape, unescape
from itertools import groupby

from rich.cells import cell_len

CELL = 12.2
"""The exporter's width of one cell, in its own units."""
FONT = re.compile(r"\s*@font-face \{.*?\}", re.DOTALL)
TEXT = re.compile(
    r'<text class="(?P<class>[^"]*)" x="(?P<x>[^"]*)" y="(?P<y>[^"]*)" '
    r'textLength="[^"]*" clip-path="(?P<clip>[^"]*)">(?P<text>[^<]*)</text>'
)


def mend(svg: str) -> str:
    """The picture in the reader's own monospace font, every character in its cells."""
    return TEXT.sub(_split, FONT.sub("", svg))


def _split(match: re.Match[str]) -> str:
    text = unescape(match["text"])
    if cell_len(text) == len(text):
        return match.group()
    parts, place = [], float(match["x"])
    for _, run in groupby(text, key=lambda character: cell_len(character) > 1):
        part = "".join(run)
        width = cell_len(part) * CELL
        parts.append(
            f'<text class="{match["class"]}" x="{place:g}" y="{match["y"]}" '
            f'textLength="{width:g}" clip-path="{match["clip"]}">'
            f"{escape(part).replace(chr(32), '&#160;').replace(chr(160), '&#160;')}</text>"
        )
        place += width
    return "".join(parts)
