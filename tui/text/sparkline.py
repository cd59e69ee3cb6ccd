"""Numbers as columns of blocks, on one line or on several, and as bars."""

from __future__ import annotations

from collections.abc import Sequence

LEVELS = "▂▃▄▅▆▇█"
"""Of what is there, least first."""
NOTHING = "▁"
EIGHTHS = " ▁▂▃▄▅▆▇█"


def sparkline(values: Sequence[int]) -> str:
    """Return a character a number, as high as it is beside the greatest."""
    most = max(values, default=0)
    return "".join(LEVELS[(value - 1) * len(LEVELS) // most] if value > 0 else NOTHING for value in values)


def columns(values: Sequence[int], height: int) -> list[str]:
    """Return lines, the highest first, of a character a number; the greatest fills all of them."""
    most = max(values, default=0)
    filled = [max(1, round(value * height * 8 / most)) if most and value > 0 else 0 for value in values]
    return [
        "".join(EIGHTHS[max(0, min(8, each - line * 8))] for each in filled)
        for line in range(height - 1, -1, -1)
    ]


def bar(value: int, most: int, width: int) -> str:
    """Return `width` cells of a bar as long as a number is beside the greatest, `most`; of what is there
    at least a sliver."""
    # A line leaves room above and below: blocks of rows beneath each other would be one.
    halves = max(1, round(value * width * 2 / most)) if value and most else 0
    return ("━" * (halves // 2) + "╸" * (halves % 2)).ljust(width)[:width]
