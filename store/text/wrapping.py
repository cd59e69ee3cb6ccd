"""Where lines of a width end. English breaks between words; Chinese and what is written like it between any
two characters, but not before what closes nor after what opens.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise

from .late_pattern import late_pattern

WIDE = "ᄀ-ᅟ⺀-〿぀-鿿ꥠ-ꥼ가-힣豈-﫿︰-﹯＀-｠￠-￦\U0001f300-\U0003fffd"
OPENS = "([{“‘（［｛〈《「『【〔〖"
CLOSES = r""")\]}”’…·,.;:!?%、。〉》」』】〕〗！），．：；？］｝～"""
# Compiled where a text is wide: that takes milliseconds, which no English `--help` pays for.
HAS_WIDE = late_pattern(f"[{WIDE}]")
PIECE = late_pattern(
    rf"[{re.escape(OPENS)}]*(?:[{WIDE}]|[^\s{WIDE}]+?(?=[\s{WIDE}{re.escape(OPENS)}]|$)|\s)"
    rf"[{CLOSES}]*\s*"
)
BESIDE = re.compile(r" *(?:\S+(?: \S+)* {2,})?")
"""What stands before the text of a line of a help: blanks, and with more of them after it a name."""
UNFOLDED = 10_000
"""A width at which no line of a help is folded."""


def has_wide(text: str) -> bool:
    """Return whether a text holds a character of two cells."""
    return not text.isascii() and HAS_WIDE.search(text) is not None


def breaks(text: str, width: int, cells: Callable[[str], int]) -> Iterator[int]:
    """Yield the places, as counts of characters, at which a line of text goes on in the next one. `cells`
    counts how many a text takes."""
    room = width
    for piece in PIECE.finditer(text):
        needed = cells(piece[0].rstrip())
        if needed > room and room < width:
            yield piece.start()
            room = width
        if needed <= room:
            room -= cells(piece[0])
            continue
        for at, character in enumerate(piece[0].rstrip(), piece.start()):
            if (taken := cells(character)) > room:
                yield at
                room = width
            room -= taken


def lines(text: str, width: int) -> list[str]:
    """Return the lines of a text that are at most so many cells wide."""
    places = [0, *breaks(text, width, _cells), len(text)]
    return [text[start:end].rstrip() for start, end in pairwise(places)]


def folded(help: str, width: int) -> str:
    """Return a help whose lines are `UNFOLDED` with lines of at most so many cells, which go on where
    their text began."""
    return "\n".join(_folded(line, width) for line in help.split("\n"))


def _folded(line: str, width: int) -> str:
    match = BESIDE.match(line)
    beside = match[0] if match else ""
    parts = lines(line[len(beside) :], width - _cells(beside))
    return beside + ("\n" + " " * _cells(beside)).join(parts)


def _cells(text: str) -> int:
    return len(text) + len(HAS_WIDE.findall(text))
