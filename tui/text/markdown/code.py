"""Code as it is shown: coloured by its language, diffs too, and folded where it is long."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import islice

from textual.content import Content

from memtui.store.text.markup import code_parts
from memtui.store.text.plural import count_noun

from ..content import DIM, plain
from .reading import Find, Styled, lit

BACKGROUND = "on $surface"
FOLDED = 20
"""Lines of code that are shown whole; of more, the first ones."""
HEAD = 12
UNFOLD = "+"
"""The key that unfolds."""

# Colours of the theme only, so that each theme's contrast holds.
COLOURS = {
    "Token.Comment": f"italic {DIM}",
    "Token.Keyword": "$text-accent",
    "Token.Name.Builtin": "$text-accent",
    "Token.Name.Class": "bold $text-primary",
    "Token.Name.Function": "$text-primary",
    "Token.Name.Decorator": "$text-primary",
    "Token.Name.Tag": "$text-primary",
    "Token.Name.Attribute": "$text-warning",
    "Token.Literal.Number": "$text-warning",
    "Token.Literal.String": "$text-success",
    "Token.Operator.Word": "$text-accent",
    "Token.Generic.Heading": "bold",
    "Token.Generic.Subheading": "$text-accent",
    "Token.Generic.Inserted": "$text-success",
    "Token.Generic.Deleted": "$text-error",
    "Token.Generic.Prompt": DIM,
}


def code(text: str, language: str, find: Find, *, unfolded: bool = False) -> Content:
    """Return code fit for the screen, in colours where the language is known. Of long code only the
    first lines, unless `unfolded`, and how many more there are with how many matches in them."""
    lines = text.count("\n") + 1
    if unfolded or lines <= FOLDED:
        return lit(text, _colours(text, language), find)
    head = "\n".join(islice(text.split("\n"), HEAD))
    matches = sum(1 for start, _ in find(text) if start >= len(head))
    within = f" with {count_noun(matches, 'matches')}" if matches else ""
    more = plain(
        f"\n… {lines - HEAD:,} more lines{within}, {UNFOLD} unfolds", f"italic {DIM}", newlines=True
    )
    return lit(head, _colours(head, language), find) + more


def _colours(text: str, language: str) -> Iterator[Styled]:
    for start, end, kind in code_parts(text, language):
        if style := _colour(kind):
            yield start, end, style


@cache
def _colour(kind: object) -> str:
    name = str(kind)
    while name not in COLOURS and "." in name:
        name = name.rpartition(".")[0]
    return COLOURS.get(name, "")
