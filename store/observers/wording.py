"""Words for a line: cut to what fits, and lists of files said shortly."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from . import tools

LINE = 120
"""Characters of a title."""
WORD = 48
"""Characters of one word of a command, and of a line that an edit changed."""

FIRST = re.compile(r"^[#>*\-\s\d.]*(\S.*)$", re.MULTILINE)
PURPOSES = (
    "description",
    "instruction",
    "instructions",
    "explanation",
    "toolSummary",
    "justification",
)


def purpose_of(given: Mapping[str, Any]) -> str:
    """What the agent said that it does this for; "" where it said nothing."""
    return one_line(tools.said(given, PURPOSES))


def first_line(text: str) -> str:
    """The first line of a text that says something, without marks of headings and lists."""
    found = FIRST.search(text[:2_000])
    return found[1].strip() if found else ""


def one_line(text: str) -> str:
    """A text on one line, short enough for a title."""
    return cut(" ".join(text[: 4 * LINE].split()), LINE)


def cut(text: str, size: int) -> str:
    """A text of at most so many characters."""
    return text if len(text) <= size else text[: size - 1].rstrip() + "…"


def listed(paths: Sequence[str]) -> str:
    """The first three files, and how many more there are."""
    more = f" and {len(paths) - 3} more" if len(paths) > 3 else ""
    return ", ".join(paths[:3]) + more


def sought_in(sought: str, places: Sequence[str]) -> str:
    """What was searched for, and where."""
    return f"Searched for “{cut(' '.join(sought.split()), 72)}”" + (
        f" in {listed(places)}" if places else ""
    )
