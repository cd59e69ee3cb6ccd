"""What the parts of a rendered text have in common, and the colours of code."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache

from textual.content import Content, Span

from memtui.store.text.display import safe_spans

from ...protocol import ReadingMode
from ..content import DIM, MATCH, Passage

FIRST = 4_000
"""Characters of a text that are rendered at once, more than any screen shows of it; the rest follows."""
REST = Content.styled("…", DIM)
"""What stands, by identity, for the rest of a text that is still to be rendered."""

Styled = tuple[int, int, str]
"""The start and end of a part of a text, and its style."""
Find = Callable[[str], Iterable[tuple[int, int]]]
"""Returns where a text holds what was searched for, as [start, end)."""


RENDERED = ReadingMode()


def is_whole(passages: Iterable[Passage]) -> bool:
    """Whether no text among these was cut to be rendered further later."""
    return all(passage.content is not REST for passage in passages)


def lit(text: str, styles: Iterable[Styled], find: Find) -> Content:
    """Return a text fit for the screen in its styles, with what was searched for in it lit."""
    wanted = [*styles, *((start, end, MATCH) for start, end in find(text))]
    shown, places = safe_spans(text, [(start, end) for start, end, _ in wanted], newlines=True)
    spans = [Span(start, end, style) for (start, end), (_, _, style) in zip(places, wanted, strict=True)]
    return Content(shown, spans)


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


@cache
def colour_of(kind: object) -> str:
    """Return the style of a type of token (pygments'), `` where it has none of its own."""
    name = str(kind)
    while name not in COLOURS and "." in name:
        name = name.rpartition(".")[0]
    return COLOURS.get(name, "")
