"""A stored text as HTML: its Markdown rendered, its code coloured, its links checked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from ...links.files import urls_in
from ...text.display import safe
from ...text.markup import INDENT, MOST_RENDERED, UNREAD, code_parts, has_markup, parser, parts, says
from .markup import Markup, element, escaped, joined, opened

if TYPE_CHECKING:
    from markdown_it.token import Token

SCHEMES = frozenset(("http", "https", "mailto"))
LOWEST = 6
HEADING = 3
"""How many levels below its own a text's heading stands on a page, which has some itself."""
TAGS = {
    "paragraph": "p", "blockquote": "blockquote", "bullet_list": "ul", "ordered_list": "ol",
    "list_item": "li", "table": "table", "thead": "thead", "tbody": "tbody", "tr": "tr", "th": "th",
    "td": "td", "strong": "strong", "em": "em", "s": "s",
}  # fmt: skip


def rendered(text: str) -> Markup:
    """Return a text of several lines as blocks; nothing of an empty one."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").strip("\n").rstrip()
    if not text:
        return Markup()
    if not has_markup(text):
        return element("p", _with_links(text))
    cut = len(text) if len(text) <= MOST_RENDERED else text.rfind("\n", 0, MOST_RENDERED) + 1
    blocks = [
        code_block(part, language)
        if language
        else joined(_outermost(block, part.split("\n")) for block in _blocks(parser().parse(part)))
        for part, language in parts(text[:cut])
        if part
    ]
    return joined((*blocks, _stored(text[cut:])))


def rendered_line(text: str) -> Markup:
    """Return a text of one line, such as an item of a list, with what is within it rendered."""
    if not has_markup(text) or "\n" in text:
        return _with_links(text)
    (token,) = parser().parseInline(text)
    said: list[str] = []
    shown = _inline(token, said)
    return shown if says("".join(said), text) else _with_links(text)


def _blocks(tokens: list[Token]) -> Iterator[list[Token]]:
    block: list[Token] = []
    for token in tokens:
        block.append(token)
        if token.level == 0 and token.nesting != 1:
            yield block
            block = []


def _outermost(block: list[Token], lines: list[str]) -> Markup:
    """Return a block; one that would lose a word as it is stored."""
    begin, end = block[0].map or (0, 0)
    stored = "\n".join(lines[begin:end]).rstrip()
    said: list[str] = []
    shown = joined(_rendered(block, said))
    return shown if says("\n".join(said), stored) else _stored(stored)


def _stored(text: str) -> Markup:
    return element("p", escaped(text, newlines=True)) if text else Markup()


def _rendered(tokens: list[Token], said: list[str]) -> Iterator[Markup]:
    for token in tokens:
        name, _, end = token.type.rpartition("_")
        if token.type in ("inline", UNREAD):
            yield _inline(token, said)
        elif token.type in ("fence", "code_block"):
            info = token.info.strip()
            language = info.split()[0].strip("{}.") if info else ""
            said += info, token.content
            yield code_block(token.content.removesuffix("\n"), language)
            if info and info != language:
                yield element("p", info, class_="language")
        elif token.type == "hr":
            yield element("hr")
        elif name == "heading":
            level = f"h{min(LOWEST, int(token.tag[1:]) + HEADING)}"
            yield opened(level) if end == "open" else Markup(f"</{level}>")
        elif name in TAGS and not token.hidden:
            yield _tag(token, TAGS[name], said) if end == "open" else Markup(f"</{TAGS[name]}>")


def _tag(token: Token, tag: str, said: list[str]) -> Markup:
    if tag == "li" and token.info:
        said.append(token.info)
    start = token.attrGet("start") if tag == "ol" else None
    right = tag in ("td", "th") and "right" in str(token.attrGet("style") or "")
    return opened(tag, start=int(start) if start else None, class_="right" if right else None)


def _inline(token: Token, said: list[str]) -> Markup:
    """Return what stands on a line, or on several of one paragraph."""
    if token.type == UNREAD:
        text = token.content.replace(INDENT, " ")
        said.append(text)
        return escaped(text, newlines=True)
    pieces: list[Markup] = []
    links: list[tuple[str, bool, int]] = []
    for item in token.children or ():
        name, _, end = item.type.rpartition("_")
        text = item.content.replace(INDENT, " ")
        if item.type == "link_open":
            target = str(item.attrGet("href") or "")
            links.append((_title(item, target), is_web_address(target), len(said)))
            pieces.append(_link(target) if links[-1][1] else opened("span", class_="address"))
        elif item.type == "link_close" and links:
            target, is_link, since = links.pop()
            pieces.append(Markup("</a>" if is_link else "</span>"))
            if target.strip() not in ("".join(said[since:]), ""):
                said.append(target)
                pieces.append(element("span", f" ({target})", class_="address"))
        elif item.type == "image":
            # Nothing is loaded: a page asks nobody for anything.
            source = _title(item, str(item.attrGet("src") or ""))
            said += text, source
            pieces.append(element("span", f"{text} ({source})".lstrip(), class_="address"))
        elif item.type in ("softbreak", "hardbreak"):
            said.append("\n")
            pieces.append(Markup("\n"))
        elif item.type == "code_inline":
            said.append(text)
            pieces.append(element("code", escaped(text, newlines=True)))
        elif name in TAGS:
            pieces.append(Markup(f"<{TAGS[name]}>" if end == "open" else f"</{TAGS[name]}>"))
        else:
            said.append(text)
            pieces.append(escaped(text, newlines=True) if links else _with_links(text))
    return joined(pieces)


def is_web_address(target: str) -> bool:
    """Whether a link may lead there: to a page of the web or to a mailbox, by an address that shows all
    of itself."""
    try:
        scheme = urlsplit(target).scheme
    except ValueError:
        return False
    return scheme in SCHEMES and target.isprintable() and safe(target) == target


def _link(target: str) -> Markup:
    return opened("a", href=target, rel="noopener noreferrer nofollow")


def _title(token: Token, target: str) -> str:
    title = token.attrGet("title")
    return f'{target} "{title}"' if title else target


def _with_links(text: str) -> Markup:
    """Return words with links where they name pages of the web."""
    if "://" not in text:
        return escaped(text, newlines=True)
    named = [link.address for link in urls_in([text]) if is_web_address(link.address)]
    if not named:
        return escaped(text, newlines=True)
    pattern = "|".join(re.escape(name) for name in sorted(named, key=len, reverse=True))
    pieces, at = [], 0
    for match in re.finditer(pattern, text):
        pieces.append(escaped(text[at : match.start()], newlines=True))
        pieces.append(Markup(f"{_link(match[0])}{escaped(match[0])}</a>"))
        at = match.end()
    return joined((*pieces, escaped(text[at:], newlines=True)))


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
