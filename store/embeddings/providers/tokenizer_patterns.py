"""Which patterns of a model's tokenizer may take for ever: its package has no limit of time, and can't be
interrupted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

UNBOUNDED = "*+"
MANY = 50
"""A repetition that may be so often is taken for one without bound."""
CLASSES = "wWdDsShHpPXRNO"
"""Letters that stand for many characters behind a backslash."""


def patterns_of(part: Any) -> Iterator[str]:
    """Yield the regular expressions of a tokenizer's part, as its JSON has it."""
    if isinstance(part, dict):
        pattern = part.get("pattern")
        if isinstance(pattern, dict) and isinstance(pattern.get("Regex"), str):
            yield pattern["Regex"]
    for inner in part.values() if isinstance(part, dict) else part:
        if isinstance(inner, dict | list):
            yield from patterns_of(inner)


def may_take_for_ever(pattern: str) -> bool:
    """Return whether a repetition without bound repeats what can match one text in several ways: itself a
    repetition, or alternatives that begin alike."""
    groups = [_Group(is_atomic=True)]
    last: _Group | None = None
    at = 0
    while at < len(pattern):
        sign, end = pattern[at], at + 1
        closed, last = last, None
        if sign == "(":
            groups.append(_Group(is_atomic=pattern.startswith("(?>", at)))
            end = _behind_opening(pattern, at)
        elif sign == ")" and len(groups) > 1:
            last = groups.pop()
            groups[-1].repeats |= last.is_ambiguous
        elif sign == "|":
            groups[-1].begins_anew()
        elif bounds := _repetition(pattern, at):
            end, is_unbounded = bounds
            is_possessive = pattern.startswith("+", end)
            if is_unbounded and not is_possessive:
                if closed is not None and closed.is_ambiguous:
                    return True
                groups[-1].repeats = True
            end += pattern.startswith(("+", "?"), end)
        else:
            end = _behind_atom(pattern, at)
            groups[-1].add(pattern[at:end])
        at = end
    return False


class _Group:
    """What is known of a group while its pattern is read."""

    def __init__(self, *, is_atomic: bool) -> None:
        self._is_atomic = is_atomic
        self.repeats = False
        self._beginnings: list[str] = []
        self._is_at_beginning = True
        self._overlaps = False

    @property
    def is_ambiguous(self) -> bool:
        """Whether it may match one text in several ways."""
        return not self._is_atomic and (self.repeats or self._overlaps)

    def begins_anew(self) -> None:
        """Note that another alternative follows."""
        self._is_at_beginning = True
        if not self._beginnings:
            self._beginnings.append("")

    def add(self, atom: str) -> None:
        """Note an atom."""
        if not self._is_at_beginning:
            return
        self._is_at_beginning = False
        is_wide = atom[0] in ".[" or (atom[0] == "\\" and atom[1:2] in CLASSES)
        if self._beginnings and (is_wide or {atom, "."} & {*self._beginnings}):
            self._overlaps = True
        self._beginnings.append("." if is_wide else atom)


def _repetition(pattern: str, at: int) -> tuple[int, bool] | None:
    """Return where a repetition ends that begins here, and whether it has no bound; None for none."""
    if pattern[at] in UNBOUNDED:
        return at + 1, True
    if pattern[at] == "?":
        return at + 1, False
    end = pattern.find("}", at)
    inner = pattern[at + 1 : end] if pattern[at] == "{" and end > 0 else ""
    low, comma, high = inner.partition(",")
    if not (low.isdecimal() or (comma and high.isdecimal())):
        return None
    return end + 1, bool(comma) and (not high or int(high) > MANY)


def _behind_opening(pattern: str, at: int) -> int:
    """Return the place behind what opens a group: `(?<name>`, `(?i:`, `(?!`."""
    if not pattern.startswith("(?", at):
        return at + 1
    end = at + 2
    while end < len(pattern) and (pattern[end].isalnum() or pattern[end] in "-_<>=!:'#~|"):
        end += 1
        if pattern[end - 1] in ":>=!":
            break
    return end


def _behind_atom(pattern: str, at: int) -> int:
    """Return the place behind a character, an escape or a set of characters."""
    if pattern[at] == "\\":
        named = pattern[at + 1 : at + 3] in ("p{", "P{", "x{")
        end = pattern.find("}", at) if named else at + 1
        return (end if end > 0 else at + 1) + 1
    if pattern[at] != "[":
        return at + 1
    depth, end = 0, at
    while end < len(pattern):
        depth += {"[": 1, "]": -1}.get(pattern[end], 0)
        end += 2 if pattern[end] == "\\" else 1
        if depth == 0:
            break
    return end
