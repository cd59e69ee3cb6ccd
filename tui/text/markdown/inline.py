"""What is within a line: emphasis, code, links."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memtui.store.text.markup import INDENT

from ..content import DIM
from .reading import Styled

if TYPE_CHECKING:
    from markdown_it.token import Token

CODE = "$text-accent on $surface"
LINK = "underline"
STYLES = {"strong": "bold", "em": "italic", "s": "strike", "link": LINK}


def inline(tokens: Sequence[Token]) -> tuple[str, list[Styled]]:
    """Return the text of a line's tokens without their markup, and its styles.

    Line breaks stay as they are stored. Behind a link stands where it leads, unless its text says so.
    """
    parts: list[str] = []
    styles: list[Styled] = []
    opened: list[tuple[int, str, str]] = []
    length = 0

    def add(text: str, style: str = "") -> None:
        nonlocal length
        parts.append(text)
        if style and text:
            styles.append((length, length + len(text), style))
        length += len(text)

    for token in tokens:
        name = token.type.rpartition("_")[0]
        if token.nesting == 1:
            opened.append((length, STYLES.get(name, ""), _target(token, "href")))
        elif token.nesting == -1 and opened:
            start, style, target = opened.pop()
            if style:
                styles.append((start, length, style))
            if target and target.strip() not in ("".join(parts)[start:], ""):
                add(f" ({target})", DIM)
        elif token.type in ("softbreak", "hardbreak"):
            add("\n")
        elif token.type == "code_inline":
            add(token.content, CODE)
        elif token.type == "image":
            add(f"{token.content} ({_target(token, 'src')})".lstrip(), DIM)
        else:
            add(token.content)
    return "".join(parts).replace(INDENT, " "), styles


def _target(token: Token, attribute: str) -> str:
    title = token.attrGet("title")
    target = str(token.attrGet(attribute) or "")
    # An address within angle brackets is its own text.
    return "" if token.info == "auto" else f'{target} "{title}"' if title else target
