"""The one-cell symbols that stand before a record by its type; imports nothing.

Glyph, colour and word say the same: no colour alone carries meaning.
"""

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
