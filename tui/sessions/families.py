"""Families in the list of sessions: below the newest session of one, its tree and its sub-agents."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memtui.store import Family, SessionRow, Subagent


@dataclass(frozen=True, slots=True)
class FamilyLine:
    """A line below the session `head`, which unfolds it: a session of its family, or a sub-agent of that,
    so many steps to the right."""

    head: int
    row: SessionRow
    depth: int
    subagent: Subagent | None = None


def family_lines(family: Family, head: int) -> list[FamilyLine]:
    """Return the lines of a family: its whole tree, or the sub-agents of a session that is alone."""
    return [*_lines(family, head)]


def _lines(family: Family, head: int) -> Iterator[FamilyLine]:
    is_tree = len(family.members) > 1
    for relative in family.members:
        if is_tree:
            yield FamilyLine(head, relative.row, relative.depth)
        for subagent in relative.subagents:
            yield FamilyLine(head, relative.row, relative.depth + is_tree, subagent)


class Unfolded:
    """Where lines are inserted into others: behind which of these, by its index, and which."""

    def __init__(self, lines: dict[int, Sequence[FamilyLine]]) -> None:
        self._at = sorted(lines)
        self._lines = [lines[at] for at in self._at]
        self._before = [0]
        for some in self._lines:
            self._before.append(self._before[-1] + len(some))

    @property
    def count(self) -> int:
        """How many lines are inserted."""
        return self._before[-1]

    def outer(self, inner: int) -> int:
        """Return the index among all of a line that nothing inserted."""
        return inner + self._before[bisect_left(self._at, inner)]

    def inner(self, outer: int) -> int | FamilyLine:
        """Return the index of a line without what is inserted; what was inserted itself."""
        for at, lines, before in zip(self._at, self._lines, self._before, strict=False):
            if outer <= at + before:
                return outer - before
            if outer <= at + before + len(lines):
                return lines[outer - at - before - 1]
        return outer - self.count

    def position(self, line: FamilyLine) -> int | None:
        """Return the index among all of a line that was inserted; None where it isn't any more."""
        for at, lines in zip(self._at, self._lines, strict=True):
            for place, own in enumerate(lines):
                if key_of(own) == key_of(line):
                    return self.outer(at) + place + 1
        return None


def key_of(line: FamilyLine) -> tuple[int, int, str]:
    """Return what a line is known again by."""
    return line.head, line.row.session.id, line.subagent.id if line.subagent else ""
