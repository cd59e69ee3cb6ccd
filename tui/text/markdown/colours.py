"""The colours of code."""

from __future__ import annotations

from functools import cache

from ..content import DIM

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
