"""Code as it is shown: coloured by its language, diffs too, and folded where it is long."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from textual.content import Content

from memtui.store.platform.translation import _
from memtui.store.text.markup import code_parts, is_diff_of
from memtui.store.text.plural import count_noun

from ..content import DIM, plain
from .diff import Diff, diff
from .reading import Find, Styled, colour_of, lit

BACKGROUND = "on $surface"
FOLDED = 20
"""Lines of code that are shown whole; of more, the first ones."""
HEAD = 12
UNFOLD = "+"
"""The key that unfolds."""


def code(text: str, language: str, find: Find, *, unfolded: bool = False, path: str = "") -> Content | Diff:
    """Return code fit for the screen, in colours where the language is known; a diff, where it names no
    file, as one of `path`. Of long code only the first lines, unless `unfolded`, and how many more there
    are with how many matches in them."""
    lines = text.count("\n") + 1
    is_diff = is_diff_of(text, language)
    if unfolded or lines <= FOLDED:
        return diff(text, find, path) if is_diff else lit(text, _colours(text, language), find)
    head = "\n".join(islice(text.split("\n"), HEAD))
    matches = sum(1 for start, _ in find(text) if start >= len(head))
    many, found = f"{lines - HEAD:,}", count_noun(matches, "matches")
    remark = _("… {count} more lines, {key} unfolds", count=many, key=UNFOLD)
    if matches:
        remark = _(
            "… {count} more lines with {matches}, {key} unfolds",
            count=many, matches=found, key=UNFOLD,
        )  # fmt: skip
    more = plain(f"\n{remark}", f"italic {DIM}", newlines=True)
    if is_diff:
        return replace(diff(head, find, path), more=more[1:])
    return lit(head, _colours(head, language), find) + more


def _colours(text: str, language: str) -> Iterator[Styled]:
    for start, end, kind in code_parts(text, language):
        if style := colour_of(kind):
            yield start, end, style
