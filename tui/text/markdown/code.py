"""Code as it is shown: coloured by its language, diffs too, and folded where it is long."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING

from textual.content import Content

from store.text.plural import count_noun

from ..content import DIM, plain
from .reading import Find, Styled, lit

if TYPE_CHECKING:
    from pygments.lexer import Lexer

BACKGROUND = "on $surface"
FOLDED = 20
"""Lines of code that are shown whole; of more, the first ones."""
HEAD = 12
UNFOLD = "+"
"""The key that unfolds."""
MOST = 20_000
"""Characters that are coloured."""
WIDEST = 1_000
"""Characters of a line, beyond which code is data that nobody reads by its colours, and slow."""

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
DIFF_START = re.compile(r"diff --git |--- \S[^\n]*\n\+\+\+ \S|@@ -\d+(,\d+)? \+\d+(,\d+)? @@")


def code(text: str, language: str, find: Find, *, unfolded: bool = False) -> Content:
    """Return code fit for the screen, in colours where the language is known. Of long code only the
    first lines, unless `unfolded`, and how many more there are with how many matches in them."""
    if not language and DIFF_START.match(text):
        language = "diff"
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
    text = text[:MOST]
    lexer = _lexer(language.casefold())
    if lexer is None or any(len(line) > WIDEST for line in text.split("\n")):
        return
    try:
        for start, kind, part in lexer.get_tokens_unprocessed(text + "\n"):
            if style := _colour(kind):
                yield start, min(len(text), start + len(part)), style
    except Exception:
        # Lexers are written for code that is right; whatever else one trips over stays plain.
        return


@cache
def _lexer(language: str) -> Lexer | None:
    """Return what reads a language, None where it isn't known."""
    if not language:
        return None
    # Imported with the first code that names its language.
    from pygments.lexers import get_lexer_by_name

    return get_lexer_by_name(language) if language in _languages() else None


@cache
def _languages() -> frozenset[str]:
    from pygments.lexers import get_all_lexers

    # Without plug-ins: a stored word never makes other people's packages run.
    return frozenset(alias for _, names, _, _ in get_all_lexers(plugins=False) for alias in names)


@cache
def _colour(kind: object) -> str:
    name = str(kind)
    while name not in COLOURS and "." in name:
        name = name.rpartition(".")[0]
    return COLOURS.get(name, "")
