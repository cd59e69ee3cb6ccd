"""The wording that titles share: lines, paths and purposes, cut to the room that a title has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...text.late_pattern import late_pattern
from . import tools

LINE = 70
"""Characters of a title."""
SUBTITLE = 120
"""Characters of the line below it."""
SOUGHT = 24
"""Characters of what was searched for, beside where."""
PATH = 34
"""Characters of a path in a title; of a longer one the last two names are told, or as much as fits."""
WORD = 48
"""Characters of one word of a command, and of a line that an edit changed."""
MARKED = late_pattern(r"^(?:(?:[#>*+•–-]+|\d{1,3}[.)]|\[[ xX]\])[ \t]+|\*\*)+")
"""Marks of headings and lists before a line's words."""
PURPOSES = (
    "description",
    "instruction",
    "instructions",
    "explanation",
    "toolSummary",
    "justification",
)
SEPARATOR = late_pattern(r"([\\/])")


def purpose_of(given: Mapping[str, Any]) -> str:
    """Return the purpose that the agent gave for a tool use, on one line; "" where it gave none."""
    return one_line(MARKED.sub("", tools.first_text(given, PURPOSES).lstrip()).replace("`", ""))


def first_line(text: str) -> str:
    """Return the first line of a text with a word in it, without marks of headings and lists."""
    for line in text[:2_000].splitlines():
        plain = MARKED.sub("", line.strip()).replace("**", "").strip()
        if any(map(str.isalnum, plain)):
            return plain
    return ""


def one_line(text: str) -> str:
    """Return a text on one line of at most `SUBTITLE` characters."""
    return cut(" ".join(text[: 4 * SUBTITLE].split()), SUBTITLE)


def cut(text: str, size: int) -> str:
    """Return a text of at most `size` characters, with an ellipsis where it was cut."""
    return text if len(text) <= size else text[: size - 1].rstrip() + "…"


def list_files(paths: Sequence[str]) -> str:
    """Return the first files, as far as there is room for them, and how many more there are."""
    shown = [*map(_short, paths[:1])]
    for path in paths[1:3]:
        if sum(map(len, shown)) + len(_short(path)) > PATH:
            break
        shown.append(_short(path))
    more = f" and {len(paths) - len(shown)} more" if len(paths) > len(shown) else ""
    return ", ".join(shown) + more


def _short(path: str) -> str:
    """Return a path of at most `PATH` characters: its last names, the beginning left out."""
    if len(path) <= PATH:
        return path
    end = "".join(SEPARATOR.split(path)[-4:])
    return f"…{end if len(end) < PATH else path[1 - PATH :]}"


def searched_for(sought: str, places: Sequence[str]) -> str:
    """Return a title that says what was searched for, and where."""
    words = " ".join(sought.split())
    if not places:
        return f"Searched for “{cut(words, WORD)}”"
    # A long path says less than what was looked for.
    where = list_files(places)
    room = LINE - len(f"Searched for “” in {where}")
    return f"Searched for “{cut(words, max(room, SOUGHT))}” in {where}"
