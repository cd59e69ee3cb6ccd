"""What every page has around its own part: the head with its policy, the way to the others, the end.

Each page holds its style and its script, so that one that is sent alone looks as it does here; and
since a browser knows no "self" for files, the policy names both by their hashes.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO

from ...records.dataclasses import dataclass
from .markup import Markup, element, joined, opened

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
