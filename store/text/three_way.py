"""Merging two texts that came of one, line by line: what either side changed is kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import AnyStr

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
    touch. What both added at one place stands there, theirs first, and once what both have."""
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
            del result[len(result) - len(before.lines) :]
            change = _Change(change.start, change.end, tuple(_both(before.lines, change.lines)))
        result += [*lines[place : change.start], *change.lines]
        place = change.end
        before = change
    return b"".join([*result, *lines[place:]])


def _both(first: Sequence[bytes], second: Sequence[bytes]) -> Iterator[bytes]:
    """Yield the lines of both, those once that both have."""
    for tag, start, end, begin, last in opcodes(first, second):
        yield from first[start:end]
        yield from second[begin:last] if tag != "equal" else ()


def split_lines(text: bytes) -> list[bytes]:
    """Return lines with their ends; only `\\n` ends one."""
    *whole, rest = text.split(b"\n")
    return [line + b"\n" for line in whole] + ([rest] if rest else [])


def _changes(base: list[bytes], text: bytes) -> list[_Change]:
    lines = split_lines(text)
    codes = opcodes(base, lines)
    return [
        _Change(start, end, tuple(lines[first:last]))
        for tag, start, end, first, last in codes
        if tag != "equal"
    ]


MOST_PAIRS = 4_000_000
"""Pairs of equal lines that are compared: their number is what a comparison takes."""


def opcodes(old: Sequence[AnyStr], new: Sequence[AnyStr]) -> list[tuple[str, int, int, int, int]]:
    """Return the steps from lines to others, as difflib has them. Where too many of them are equal, all
    that stands between the first and the last that differ is replaced in one step."""
    begin, most = 0, min(len(old), len(new))
    while begin < most and old[begin] == new[begin]:
        begin += 1
    end = 0
    while end < most - begin and old[-1 - end] == new[-1 - end]:
        end += 1
    left: Sequence[AnyStr] = old[begin : len(old) - end]
    right: Sequence[AnyStr] = new[begin : len(new) - end]
    times = Counter(right)
    whole = "replace" if left and right else "insert" if right else "delete"
    steps: list[tuple[str, int, int, int, int]] = [(whole, 0, len(left), 0, len(right))]
    if sum(times[line] for line in left) <= MOST_PAIRS:
        steps = [*SequenceMatcher(None, left, right, autojunk=False).get_opcodes()]
    results = [("equal", 0, begin, 0, begin)] if begin else []
    results += [
        (what, start + begin, last + begin, into + begin, upto + begin)
        for what, start, last, into, upto in steps
    ]
    if end:
        results.append(("equal", len(old) - end, len(old), len(new) - end, len(new)))
    return results
