"""The one-cell symbols that stand before a record by its type; imports nothing."""

SYMBOLS = {
    "decision": "◆",
    "bugfix": "●",
    "feature": "✚",
    "refactor": "↻",
    "discovery": "○",
    "change": "✎",
    "note": "▪",
    "error": "✗",
    "prompt": "▸",
    "summary": "∑",
    "fact": "◇",
}
OTHER = "·"
PINNED = "★"
