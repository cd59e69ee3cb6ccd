"""Merging two texts that came of one, line by line: what either side changed is kept."""

from __future__ import annotations

from difflib import SequenceMatcher

from ..records.dataclasses import dataclass

MOST_BYTES = 4 << 20
"""Longer texts aren't merged: comparing them would take too long."""


@dataclass(frozen=True, slots=True)
class _Change:
    """From which line of the base up to which, and what stands there instead."""

    start: int
    end: int
    lines: tuple[bytes, ...]


def merged(base: bytes, ours: bytes, theirs: bytes) -> bytes | None:
    """Return what holds the changes of both sides; None where they changed the same lines, or lines that
    touch. What both added at one place stands there twice, theirs first."""
    if ours in (base, theirs):
        return theirs
    if theirs == base:
        return ours
    if max(map(len, (base, ours, theirs))) > MOST_BYTES:
        return None
    lines = split_lines(base)
    changes = sorted(
        [*_changes(lines, theirs), *_changes(lines, ours)],
        key=lambda change: (change.start, change.end),
    )
    result: list[bytes] = []
    place = 0
    before: _Change | None = None
    for change in changes:
        if change == before:
            continue
        if before is not None and change.start <= before.end:
            if not change.start == change.end == before.start == before.end:
                return None
            if result and not result[-1].endswith(b"\n"):
                return None
        result += [*lines[place : change.start], *change.lines]
        place = change.end
        before = change
    return b"".join([*result, *lines[place:]])


def split_lines(text: bytes) -> list[bytes]:
    """Return lines with their ends; only `\\n` ends one."""
    *whole, rest = text.split(b"\n")
    return [line + b"\n" for line in whole] + ([rest] if rest else [])


def _changes(base: list[bytes], text: bytes) -> list[_Change]:
    lines = split_lines(text)
    codes = SequenceMatcher(None, base, lines, autojunk=False).get_opcodes()
    return [
        _Change(start, end, tuple(lines[first:last]))
        for tag, start, end, first, last in codes
        if tag != "equal"
    ]
