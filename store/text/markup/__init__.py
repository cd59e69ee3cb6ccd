"""What a stored text is made of: Markdown, JSON, a diff, or plain words; and the parser that reads it.

Whoever shows texts, on a screen or on a page, takes them apart by this.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from .code import DIFF_START
from .code import code_parts as code_parts
from .code import is_diff_of as is_diff_of
from .diff import DiffLine as DiffLine
from .diff import diff_lines as diff_lines

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

DEEPEST = 40
"""Levels that are parsed; what lies deeper is shown as it is stored."""
LONGEST_LINE = 10_000
"""Characters of one paragraph that are looked at for markup."""
MOST_BRACKETS = 100
"""Brackets in a paragraph that are looked at for links, which takes the square of their number."""
MOST_RENDERED = 50_000
"""Characters of a text that are rendered; what follows is shown as it is stored."""
LONGEST_JSON = 50_000
UNREAD = "unread"
"""The type of a token whose text isn't looked at for markup."""
INDENT = "\xa0"
"""Stands for a space that begins a line, since a parser drops those."""

_MARKUP = re.compile(r"[*_`~\[\\|<]|^[ \t]*([#>+=-]|\d+[.)])|^( {4}|\t)|^@@|^[{]", re.MULTILINE)
_WORD = re.compile(r"[^\W_]+")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_FRONT_MATTER = re.compile(r"---[ \t]*\n(?:[^\n]*\n){1,50}?---[ \t]*(?:\n|\Z)")
_DIFF_LINE = re.compile(
    r"[ +-]|@@|\\ No newline|diff --git|index [0-9a-f]+\.\.|(new|deleted) file|old mode|new mode"
    r"|similarity |rename |Binary files|\*\*\* |…"
)
_SIGNS = ("+", "-")
_SIGNED = ("+ ", "- ", "+", "-")
_DIFF_SIGN = re.compile(r"^(@@|\+|diff --git |\*\*\* )", re.MULTILINE)


def has_markup(text: str) -> bool:
    """Whether anything in a text may be markup; most texts end here."""
    return _MARKUP.search(text) is not None


def parts(text: str) -> Iterator[tuple[str, str]]:
    """Yield the parts of a text, each with its language: all of it as JSON, what stands before a Markdown
    text as YAML, diffs that stand in no code block, and Markdown, ``."""
    if _is_json(text):
        yield text, "json"
        return
    if front := _FRONT_MATTER.match(text):
        yield front[0].rstrip(), "yaml"
        text = text[front.end() :]
    if not _DIFF_SIGN.search(text):
        yield text, ""
        return
    lines = text.split("\n")
    begins, fence, at = 0, "", 0
    while at < len(lines):
        if match := _FENCE.match(lines[at]):
            fence = "" if fence and match[1].startswith(fence) else fence or match[1]
        if fence or not DIFF_START.match("\n".join(lines[at : at + 2])):
            at += 1
            continue
        end = at + 1
        while at > begins and lines[at][:1] in _SIGNS and lines[at - 1][:2] in _SIGNED:
            at -= 1
        while end < len(lines) and _DIFF_LINE.match(lines[end]):
            end += 1
        if at > begins:
            yield "\n".join(lines[begins:at]), ""
        yield "\n".join(lines[at:end]), "diff"
        begins = at = end
    if begins < len(lines):
        yield "\n".join(lines[begins:]), ""


def says(shown: str, stored: str) -> bool:
    """Whether every word that is stored is shown."""
    words = set(_WORD.findall(shown))
    return all(word in words or word in shown for word in set(_WORD.findall(stored)) - words)


@cache
def parser() -> MarkdownIt:
    """Return the parser of texts that are shown. HTML, references to links and entities are words to it,
    lest one be lost, and addresses are whatever is stored: who shows them judges them."""
    # Only a text with markup needs it, and to import it takes longer than to paint.
    from markdown_it import MarkdownIt
    from markdown_it.rules_core import StateCore

    def keep_indents(state: StateCore) -> None:
        for token in state.tokens:
            if token.type == "inline":
                text = token.content
                if len(text) > LONGEST_LINE or text.count("[") > MOST_BRACKETS:
                    token.type = UNREAD
                token.content = re.sub(
                    r"(?<=\n)[ \t]+",
                    lambda match: INDENT * len(match[0].expandtabs(4)),
                    token.content,
                )

    made = MarkdownIt("commonmark", {"html": False, "maxNesting": DEEPEST})
    made.enable(["table", "strikethrough"]).disable(["reference", "entity"])
    made.core.ruler.after("block", "keep_indents", keep_indents)
    # Addresses as they are stored, not encoded.
    made.normalizeLink = lambda url: url  # type: ignore[method-assign]
    made.validateLink = lambda url: True  # type: ignore[method-assign]  # noqa: ARG005
    return made


def _is_json(text: str) -> bool:
    if text[:1] not in ("{", "[") or text[-1] not in "}]" or len(text) > LONGEST_JSON:
        return False
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
