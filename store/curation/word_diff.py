"""What changed between two texts, word by word."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import groupby
from typing import Any, Literal

from ..platform.translation import _
from ..records.rows import SHOWN_KINDS
from ..text.language.scripts import UNSPACED
from ..text.late_pattern import late_pattern

Change = Literal["same", "removed", "added"]

LineChange = Literal["same", "removed", "added", "changed"]

TOKEN = late_pattern(rf"\s+|[{UNSPACED}]|[^\W_]+|.", re.DOTALL)

MOST_TOKENS = 20_000
"""Texts of more words than that are compared line by line."""


LONGEST_SAME = 160
"""Of longer passages that are the same only the ends are shown."""


def word_diff(before: str, after: str) -> list[tuple[Change, str]]:
    """Return the runs of two texts that are the same, were removed, and were added, in order. Those
    that are no addition make `before`, those that are no removal `after`."""
    # Not worth its import where nothing is compared.
    from rapidfuzz.distance import Indel

    old, new = TOKEN.findall(before), TOKEN.findall(after)
    if len(old) + len(new) > MOST_TOKENS:
        old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    runs: list[tuple[Change, str]] = []
    for step in Indel.opcodes(old, new):
        gone = "".join(old[step.src_start : step.src_end])
        come = "".join(new[step.dest_start : step.dest_end])
        if step.tag == "equal":
            runs.append(("same", gone))
            continue
        runs += [("removed", gone)] if gone else []
        runs += [("added", come)] if come else []
    return _tidy(runs)


def line_diff(before: str, after: str) -> list[tuple[LineChange, list[tuple[Change, str]]]]:
    """Return the lines of two texts in order: those that are the same, were removed or added, and those
    that say something else of the same (begin with the same two words), as runs of words."""
    # Not worth its import where nothing is compared.
    from ..text.three_way import opcodes

    old, new = before.splitlines(), after.splitlines()
    results: list[tuple[LineChange, list[tuple[Change, str]]]] = []
    for tag, start, end, into, upto in opcodes(old, new):
        if tag == "equal":
            results += [("same", [("same", line)]) for line in old[start:end]]
            continue
        come = {_subject(line): line for line in new[into:upto] if _subject(line)}
        gone = {_subject(line): line for line in old[start:end] if _subject(line)}
        results += [
            ("removed", [("removed", line)]) for line in old[start:end] if _subject(line) not in come
        ]
        for line in new[into:upto]:
            if (was := gone.get(_subject(line))) is not None:
                results.append(("changed", word_diff(was, line)))
            else:
                results.append(("added", [("added", line)]))
    return results


def _subject(line: str) -> str:
    words = line.split(maxsplit=2)
    return " ".join(words[:2]) if len(words) > 1 and words[0] == "-" else ""


def field_diff(
    name: str, before: Any, after: Any, time: Callable[[int], str], *, between: str = " "
) -> list[tuple[Change, str]]:
    """Return what became of a record's field as runs: of a list the items that went and those that
    came, with `between` behind each; of all else words, of long passages that are the same only the
    ends. `time` tells a moment (ms)."""
    if isinstance(before, list | tuple) or isinstance(after, list | tuple):
        runs: list[tuple[Change, str]] = []
        runs += [("removed", str(item)) for item in before or () if item not in (after or ())]
        runs += [("added", str(entry)) for entry in after or () if entry not in (before or ())]
        if not runs:
            runs = [("same", _("in another order"))]
        return [part for pair in runs for part in (pair, ("same", between))]
    old, new = _told(name, before, time), _told(name, after, time)
    return [(kind, _shortened(kind, text)) for kind, text in word_diff(old, new)]


def _told(name: str, value: Any, time: Callable[[int], str]) -> str:
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if name.endswith("_at") and isinstance(value, int):
        return time(value)
    if name == "kind":
        return _(SHOWN_KINDS.get(value, str(value)))
    if name == "superseded_by" and value:
        # A uid, which tells nobody anything; what was done says by which.
        return _("another fact")
    return "" if value is None else str(value)


def _shortened(kind: str, text: str) -> str:
    if kind != "same" or len(text) <= LONGEST_SAME:
        return text
    half = LONGEST_SAME // 2
    return f"{text[:half]} … {text[-half:]}"


def _tidy(runs: list[tuple[Change, str]]) -> list[tuple[Change, str]]:
    """Join what was removed on both sides of a blank, and what was added: a sentence that is another
    one is no row of single words."""
    joined: list[tuple[Change, str]] = []
    for place, (kind, text) in enumerate(runs):
        is_between = 0 < place < len(runs) - 1 and kind == "same" and text.isspace()
        joined += [("removed", text), ("added", text)] if is_between else [(kind, text)]
    results: list[tuple[Change, str]] = []
    for is_same, some in groupby(joined, key=lambda pair: pair[0] == "same"):
        group = list(some)
        if is_same:
            results.append(("same", "".join(text for _, text in group)))
            continue
        texts: dict[Change, str] = {"removed": "", "added": ""}
        for kind, text in group:
            texts[kind] += text
        results += [(kind, text) for kind, text in texts.items() if text]
    return results
