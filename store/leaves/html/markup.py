"""HTML whose every text is escaped, since nothing becomes markup but what `element` builds; what pages call
a memory; and what each page has around its own part: its head and policy, the way to the others, its end.

Pages are built by a function rather than by a template with holes in it: what is forgotten to be escaped in
a template is markup, what is forgotten here is text. Each page holds its style and its script, so that one
that is sent alone looks as it does here; and since a browser knows no "self" for files, the policy names
both by their hashes.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import BinaryIO
from urllib.parse import quote

from ...records import fields
from ...records.dataclasses import dataclass
from ...records.kinds import KINDS, LETTERS, OBSERVATION_TYPES, kind_of
from ...records.rows import SHOWN_KINDS, Fact, Note, Observation, Prompt, Summary
from ...text.display import safe
from ...text.times import iso

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


AnyMemory = Observation | Prompt | Summary | Fact | Note

TITLE = 200
"""Characters of a title that is cut from a longer text."""
UNTITLED = "Untitled"


def anchor(record: AnyMemory) -> str:
    """Return the id of a record's place on its page: its kind's letter and its number."""
    kind = kind_of(record)
    return f"{LETTERS.get(kind, kind[0])}{record.id}"


def type_of(record: AnyMemory) -> str:
    """Return the type by which a record is filtered and coloured."""
    return record.type if isinstance(record, Observation) else kind_of(record)


def title_of(record: AnyMemory) -> str:
    """Return what a record is called, in a line."""
    if isinstance(record, Note):
        return record.path
    return _first_line(fields.title_of(record)) or UNTITLED


def words_of(record: AnyMemory) -> list[str]:
    """Return the texts of all that a record says beside its title, for whoever searches it."""
    texts: list[str] = []
    for field, value in fields.filled_fields(record):
        if field.form == "kind":
            texts.append(SHOWN_KINDS.get(value, ""))
        elif field.is_list and not field.is_further:
            texts += value
        elif field.form == "text" or field.says:
            texts.append(value)
    title = title_of(record)
    return [rest for text in texts if text and (rest := _beyond(title, text.strip()))]


def at_of(record: AnyMemory) -> int:
    """Return when a record was made, a note when it was changed, in ms."""
    return record.updated_at if isinstance(record, Note) else record.created_at


def day(at: int) -> str:
    """Return the day of a moment in ms, UTC; `` where the time isn't known."""
    return iso(at)[:10] if at > 0 else ""


def clock(at: int) -> str:
    """Return the hour and minute of a moment in ms, UTC; `` where the time isn't known."""
    return iso(at)[11:16] if at > 0 else ""


def _beyond(title: str, text: str) -> str:
    """Return what a text says after its title, if that is its first line or the beginning of it."""
    if _first_line(text) != title:
        return text
    line, _, rest = text.partition("\n")
    if len(line.strip()) <= TITLE:
        return rest.strip()
    # From the word on that the title is cut in, so that a search finds it whole.
    return text[text.rfind(" ", 0, TITLE + 1) + 1 :]


def _first_line(text: str) -> str:
    line = text.strip().split("\n", 1)[0].strip()
    return line if len(line) <= TITLE else f"{line[:TITLE].rstrip()}…"


TYPES = (*OBSERVATION_TYPES, *KINDS.values())
"""The types that have a colour of their own; all others share one."""


def type_class(type: str) -> str:
    """Return the class that colours a type."""
    return f"t-{type}" if type in TYPES and type != "observation" else "t-other"


_FOLDER = Path(__file__).parent
STYLE, SCRIPT, INDEX_SCRIPT = "page.css", "page.js", "index.js"


@dataclass(frozen=True, slots=True)
class Site:
    """What the pages of an export have in common: their name, which of them there are, and when and by
    what they were made."""

    name: str
    pages: tuple[tuple[str, str], ...]
    made: str


@cache
def resource(name: str) -> str:
    """Return a style sheet or a script."""
    return (_FOLDER / name).read_text("utf-8")


@contextmanager
def framed(file: BinaryIO, site: Site, title: str, *, here: str = "", depth: int = 0) -> Iterator[None]:
    """Write the head and the end of a page around what the block writes. `here` is the page's file if it
    is one of the site's own, `depth` how many folders it lies below the index."""
    root = "../" * depth
    put(file, _head(site, title))
    put(file, opened("body", data_root=root or "./"))
    put(file, element("a", "Skip to the content", class_="skip", href="#main"))
    links = (
        element("a", name, href=root + path, aria_current="page" if path == here else None)
        for path, name in site.pages
    )
    theme = element("button", "Dark", id="theme", type="button", hidden=True, title="Light or dark (T)")
    brand = element("a", site.name, class_="brand", href=f"{root}index.html")
    put(file, element("header", brand, element("nav", joined(links)), theme, class_="site"))
    put(file, opened("main", id="main"))
    yield
    keys = element(
        "span",
        element("kbd", "/"), " search  ", element("kbd", "j"), " ", element("kbd", "k"),
        " next and previous  ", element("kbd", "t"), " light or dark", class_="keys",
    )  # fmt: skip
    put(file, Markup("</main>"))
    put(file, element("footer", element("span", f"{site.made} Times are UTC."), keys))
    put(file, Markup("</body></html>\n"))


def put(file: BinaryIO, *parts: Markup) -> None:
    """Write some HTML."""
    for part in parts:
        file.write(part.encode())


def inline_script(name: str) -> Markup:
    """Return a script of ours as an element."""
    return element("script", Markup(resource(name)))


def _head(site: Site, title: str) -> Markup:
    full = title if title == site.name else f"{title} · {site.name}"
    meta = (
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=_policy()),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("meta", name="referrer", content="no-referrer"),
        element("meta", name="robots", content="noindex, nofollow"),
        element("title", full),
        element("style", Markup(resource(STYLE))),
        inline_script(SCRIPT),
    )
    head = element("head", joined(meta, "\n"))
    return Markup(f'<!DOCTYPE html>\n<html lang="en">{head}\n')


@cache
def _policy() -> str:
    scripts = " ".join(_hash(resource(name)) for name in (SCRIPT, INDEX_SCRIPT))
    return (
        f"default-src 'none'; script-src {scripts}; style-src {_hash(resource(STYLE))}; "
        "base-uri 'none'; form-action 'none'; trusted-types 'none'; "
        "require-trusted-types-for 'script'"
    )


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
