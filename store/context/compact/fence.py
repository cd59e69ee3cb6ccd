"""The fence around what agents read: what stands in it is data, and can neither leave it nor pose as a
turn.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

from ...records.conforming import as_text
from ...text.display import safe
from ...text.tokens import estimate_tokens, token_weight
from ...text.truncation import shortened
from ..wrapper import random_nonce, sanitize, without_escaped_brackets, without_markers

if TYPE_CHECKING:
    from .plain import Json

TAG = "memtui-data"
CHARACTERS_A_TOKEN = 5
"""So many of a token at most: no more of a text is looked at."""
AN_ELLIPSIS = 0.7
NAME = 24
"""Characters of what may be a type or a project."""

BRACKETS = str.maketrans(
    {"＜": "<", "＞": ">", "﹤": "<", "﹥": ">", "\u200d": None, "\ufe0e": None, "\ufe0f": None}
)
TAGS = re.compile(r"<(?=\s*[/!?|]|[^\W\d]|\s+[\w-]+\s*>|\s*$)")
"""A bracket that may open a tag; in code, `2>&1`, `a < b` and `->` stay as they are."""


def fenced(lines: Iterable[str], closing: str = "", nonce: str | None = None) -> str:
    """Return lines, made of texts that `one_line` or `whole` has passed, as a block whose tag carries a
    nonce that no memory can know; under it the `closing` line, which is no data."""
    block = [f'<{TAG} id="{nonce or random_nonce()}">', *lines, f"</{TAG}>"]
    return "\n".join([*block, closing] if closing else block)


class Answer:
    """An answer to an agent: `lines` in a fence with its `nonce`, and under it `closing`, which says what
    was left out and how to get it."""

    __slots__ = ()

    @property
    def text(self) -> str:
        """The lines in a fence, and what is said under it."""
        lines = [*self.lines()]
        return fenced(lines, self.closing, self.nonce) if lines else self.closing

    @property
    def tokens(self) -> int:
        """About how many tokens the text is."""
        return estimate_tokens(self.text)

    if TYPE_CHECKING:

        @property
        def nonce(self) -> str: ...
        @property
        def closing(self) -> str: ...
        def lines(self) -> Iterable[str]: ...
        def as_dict(self) -> Json: ...


def one_line(text: str, tokens: float) -> str:
    """Return a stored text as one line of at most so many tokens, without any tag or marker of a turn,
    cut at a word where that costs little."""
    text = as_text(text)
    return _name_line(text, tokens) if len(text) <= NAME else _one_line(text, tokens)


def _one_line(text: str, tokens: float) -> str:
    line = sanitize(text, round(2 * tokens * CHARACTERS_A_TOKEN) + 1)
    # What was on two lines may be a marker on one.
    return within(without_markers(line), tokens)


_name_line = lru_cache(maxsize=256)(_one_line)
"""A page of hits has the same few types and projects again and again."""


def within(line: str, tokens: float) -> str:
    """Return as much of a line as takes at most so many tokens, with an ellipsis where it is cut."""
    if token_weight(line) <= tokens:
        return line
    size = characters_within(line, tokens - AN_ELLIPSIS)
    # The ellipsis takes the place of one character at least, also where it weighs less than the ellipsis.
    return shortened(line, min(size + 1, len(line) - 1)) if size else ""


def characters_within(text: str, tokens: float) -> int:
    """Return how many of a text's first characters take at most so many tokens."""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if token_weight(text[:middle]) <= tokens:
            low = middle
        else:
            high = middle - 1
    return low


def whole(text: str) -> str:
    """Return a stored text with its line breaks, each line without a tag, anything invisible or the marker
    of a turn. Only a bracket that may open a tag is changed, so that code stays readable."""
    shown = safe(without_escaped_brackets(as_text(text)), newlines=True).translate(BRACKETS)
    return "\n".join(map(_untagged, shown.split("\n")))


def flat(text: str) -> str:
    """Return the same on one line."""
    return _untagged(" ".join(filter(None, map(str.strip, whole(text).split("\n")))))


def _untagged(line: str) -> str:
    indent = line[: len(line) - len(line.lstrip())]
    return indent + without_markers(TAGS.sub("‹", line[len(indent) :]))
