"""Code as HTML: spans with the classes of pygments' short names, so that a style sheet colours them."""

from __future__ import annotations

from functools import cache
from typing import Any

from ...text.markup.code import code_parts
from .markup import Markup, element, escaped, joined

SHOWN = frozenset(
    ("c", "k", "kc", "kd", "kn", "kr", "kt", "nb", "nc", "nf", "nd", "nt", "na", "m", "mi", "mf", "mh",
     "s", "s1", "s2", "sd", "sb", "se", "si", "ow", "gh", "gu", "gi", "gd", "gp", "ch", "cm", "c1",
     "cp", "cs", "l", "ne", "bp", "o")
)  # fmt: skip
"""The classes that the style sheet knows."""


def code_block(text: str, language: str = "") -> Markup:
    """Return code in a block, in colours where the language is known."""
    pieces: list[Markup] = []
    at = 0
    run, name = "", ""
    for start, end, kind in code_parts(text, language):
        if start > at:
            run, name = _flush(pieces, run, name), ""
            pieces.append(escaped(text[at:start], newlines=True))
        if (result := _class(kind)) != name:
            run, name = _flush(pieces, run, name), result
        run += text[start:end]
        at = max(at, end)
    _flush(pieces, run, name)
    pieces.append(escaped(text[at:], newlines=True))
    named = element("span", language, class_="language") if language else None
    return element("pre", named, element("code", joined(pieces)), tabindex=0)


def _flush(pieces: list[Markup], run: str, name: str) -> str:
    """Add a run of one class, and return an empty one."""
    if run:
        shown = escaped(run, newlines=True)
        pieces.append(element("span", shown, class_=name) if name else shown)
    return ""


@cache
def _class(kind: Any) -> str:
    """Return the class of a type of token, or of the nearest above it that has a colour."""
    from pygments.token import STANDARD_TYPES

    while kind is not None:
        if (name := STANDARD_TYPES.get(kind, "")) in SHOWN:
            return str(name)
        kind = kind.parent
    return ""
