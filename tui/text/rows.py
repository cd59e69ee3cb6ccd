"""What a row of a list says of a memory: the one-cell symbol before it, of a title that has no room for all
of it the parts that tell it from others, and where that says something, a second line. Imports no Textual,
since the first frame asks it too.

Glyph, colour and word say the same: no colour alone carries meaning.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import accumulate

from rich.cells import cell_len

from memtui.store import Hit, Snippet, in_turn

SYMBOLS = {
    "decision": "◆",
    "bugfix": "●",
    "feature": "✚",
    "refactor": "↻",
    "discovery": "○",
    "finding": "◉",
    "answer": "◎",
    "plan": "▷",
    "change": "✎",
    "note": "▪",
    "error": "✗",
    "prompt": "▸",
    "summary": "∑",
    "fact": "◇",
}
OTHER = "·"
WORD = 9
"""Cells of a type's word in a badge: as many as the longest of ours has."""
WORD_FROM = 100
"""Columns of the terminal from which on a type's word stands beside its glyph."""
PINNED = "★"
STALE = "≠"
ELLIPSIS = "…"
LEAST = 3
"""Characters that are worth a line."""


def second_line(hit: Hit) -> Snippet | None:
    """Return the passage of a hit that its title doesn't say already, with what else its turn says; None
    where one line says it all."""
    line = in_turn(hit, _beyond_title(hit))
    return line if line.text else None


def _beyond_title(hit: Hit) -> Snippet:
    """The passage of a hit; of one that begins with the title only what goes on from there."""
    snippet, title = hit.snippet, hit.row.title.strip()
    said = snippet.text.strip().strip(ELLIPSIS).strip()
    if said in title:
        return Snippet("")
    start = snippet.text.find(said)
    if said.startswith(title):
        start += len(title)
        start += len(snippet.text[start:]) - len(snippet.text[start:].lstrip(" \t\r\n.:;,-–—"))
    else:
        start = 0
    text = snippet.text[start:].rstrip()
    if len(text.strip(ELLIPSIS)) < LEAST:
        return Snippet("")
    spans = [(low - start, high - start) for low, high in snippet.spans if low >= start]
    return Snippet(text, tuple(span for span in spans if span[1] <= len(text)))


NEAR = 6
"""Rows above and below whose titles are looked at for what tells one from another."""
LEFT_OUT = -1
"""Stands for `…` among the places of characters."""

_MARKUP = re.compile(r"^\s*(?:#{1,6}\s+|>\s+|\|\s*)|\*\*|`+|\s*\|\s*$")
_FOLDERS = re.compile(r"(?<![\w:/\\.])(?:[A-Za-z]:|…)?[/\\]?(?:[\w.@~+-]+[/\\]){2,}(?=[\w.])")
_SEPARATOR = re.compile(r"[/\\]")


def shared_beginning(title: str, others: Iterable[str]) -> int:
    """Return how many characters a title has in common with the beginning of the most alike of others."""
    return max((_shared(title, other) for other in others if other != title), default=0)


def _shared(one: str, other: str) -> int:
    differing = (at for at, (left, right) in enumerate(zip(one, other, strict=False)) if left != right)
    return next(differing, min(len(one), len(other)))


def shown_places(title: str, width: int, shared: int = 0) -> list[int]:
    """Return the places of the characters of a title that are shown, `LEFT_OUT` for `…`; none of Markdown's
    marks.

    Where there are more than `width` cells the first folders of paths go, and where it begins with
    `shared` characters as others do, and would be cut before they differ, the middle of these.
    """
    marks = {at for match in _MARKUP.finditer(title) for at in range(*match.span())}
    places = [at for at in range(len(title)) if at not in marks]
    for match in _FOLDERS.finditer(title):
        if _ends(title, places)[-1:] <= [width]:
            return places
        shorter = places
        for end in _SEPARATOR.finditer(title, match.start() + 1, match.end()):
            first = next(index for index, at in enumerate(places) if at >= match.start())
            shorter = [*places[:first], LEFT_OUT, *(at for at in places[first:] if at >= end.start())]
            if _ends(title, shorter)[-1] <= width:
                break
        places = shorter
    ends = _ends(title, places)
    differs = next((index for index, at in enumerate(places) if at >= shared), len(places))
    if not ends or ends[-1] <= width or differs == len(places) or ends[differs] < width:
        return places
    # From the word that differs on, behind as much of the beginning as leaves it room.
    while differs and title[places[differs - 1]].isalnum():
        differs -= 1
    room = max(width // 3, width - 1 - (ends[-1] - ends[differs - 1]))
    head = next(index for index, many in enumerate(ends) if many > room)
    return [*places[:head], LEFT_OUT, *places[differs:]] if head < differs else places


def _ends(title: str, places: Sequence[int]) -> list[int]:
    """The cells that the characters up to each place take."""
    return [*accumulate(1 if at == LEFT_OUT else cell_len(title[at]) for at in places)]
