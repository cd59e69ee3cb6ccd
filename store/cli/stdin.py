"""Text from standard input."""

from __future__ import annotations

import sys


def text_or_stdin(text: str) -> str:
    """The text itself; all of standard input for `-`, without the line break that ends it."""
    if text != "-":
        return text
    return sys.stdin.buffer.read().decode("utf-8", "replace").removesuffix("\n")
