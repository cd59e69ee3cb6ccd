"""HTML whose every text is escaped, since nothing becomes markup but what `element` builds.

Pages are built by a function rather than by a template with holes in it: what is forgotten to be
escaped in a template is markup, what is forgotten here is text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from html import escape
from urllib.parse import quote

from ...text.display import safe

_IN_A_SCRIPT = str.maketrans({char: f"\\u{ord(char):04x}" for char in ("<", ">", "&", "\u2028", "\u2029")})
_PLAIN = re.compile(r"[A-Za-z0-9_ .,:;/#?=()%+@!*-]*")
"""Nearly all that we write ourselves: nothing in it is to be escaped."""
VOID = frozenset(("meta", "link", "br", "hr", "input"))


class Markup(str):
    """HTML that is safe already."""

    __slots__ = ()


def escaped(text: str, *, newlines: bool = False) -> Markup:
    """Return stored text as HTML: what is invisible or turns the reading direction is shown, and no
    character is markup, within quotation marks either."""
    if isinstance(text, Markup):
        return text
    if _PLAIN.fullmatch(text) and "  " not in text:
        return Markup(text)
    return Markup(escape(safe(text, newlines=newlines)))


def element(name: str, /, *children: str | None, **attributes: str | int | bool | None) -> Markup:
    """Return an element. Children that are no Markup are escaped, and so is the value of each attribute;
    one that is None or False is left out. A name's `_` is a hyphen, and one at its end nothing."""
    opened = f"<{name}{_attributes(attributes)}>"
    if name in VOID:
        return Markup(opened)
    inside = "".join(escaped(child) for child in children if child is not None)
    return Markup(f"{opened}{inside}</{name}>")


def opened(name: str, /, **attributes: str | int | bool | None) -> Markup:
    """Return the first tag of an element that is written piece by piece."""
    return Markup(f"<{name}{_attributes(attributes)}>")


def joined(parts: Iterable[Markup], between: str = "") -> Markup:
    """Return some Markup as one, with white space between."""
    return Markup(between.join(parts))


def address(*names: str, anchor: str = "") -> str:
    """Return a relative address of a file, as the parts of its path, and of a place in it."""
    path = "/".join(quote(name) for name in names)
    return f"{path}#{quote(anchor)}" if anchor else path


def script_json(value: object) -> Markup:
    """Return a value as JSON that may stand in a script element: no text in it ends the element."""
    result = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return Markup(result.translate(_IN_A_SCRIPT))


def _attributes(attributes: dict[str, str | int | bool | None]) -> str:
    parts = []
    for name, value in attributes.items():
        if value is None or value is False:
            continue
        name = name.removesuffix("_").replace("_", "-")
        if value is True:
            parts.append(f" {name}")
        else:
            parts.append(f' {name}="{escaped(value) if isinstance(value, str) else value}"')
    return "".join(parts)
