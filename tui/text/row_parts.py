"""What a row of a list says of a memory: the one-cell symbol before it, and where that says something, a
second line. Imports no Textual, since the first frame asks it too.

Glyph, colour and word say the same: no colour alone carries meaning."""

from __future__ import annotations

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
