"""Patterns of what people and agents say, in which an apostrophe is one however it is written."""

from __future__ import annotations

from ..late_pattern import late_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

APOSTROPHES = "'’‘ʼ＇"
"""The plain one, and those that keyboards and agents write in its place."""
QUOTES = '"“”„＂'


def spoken_pattern(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Return a pattern that is compiled when it is first used, in which a plain apostrophe stands for a
    typographic one too, and a plain quotation mark for a typographic one."""
    return late_pattern(pattern, flags, with_typographic)


def with_typographic(pattern: str) -> str:
    """Return a pattern with all forms of an apostrophe or a quotation mark in place of each plain one; that
    of "n't" may be missing."""
    parts: list[str] = []
    in_class = is_escaped = False
    for place, letter in enumerate(pattern):
        same = APOSTROPHES if letter == "'" else QUOTES if letter == '"' else ""
        if same:
            if is_escaped:
                parts.pop()
            # Who types "dont" means no other word.
            is_left_out = letter == "'" and parts[-1:] == ["n"] and pattern[place + 1 : place + 2] == "t"
            parts.append(same if in_class else f"[{same}]" + "?" * is_left_out)
        else:
            if not is_escaped and letter in "[]":
                in_class = letter == "["
            parts.append(letter)
        is_escaped = letter == "\\" and not is_escaped
    return "".join(parts)
