"""basic-memory: a folder of Markdown pages, with front matter, observations and relations to other
pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from ...formats.scheme_c.directory import files_below
from ...formats.scheme_c.lines import BadLine
from ...platform.regular_file import read_regular
from ...platform.translation import _
from ...text.front_matter import FRONT, read_yaml
from ...text.times import iso
from .json_lines import FACTS, ITEMS, LOOKED_AT, WRITTEN, Line, line, name_of, text_of, texts_of

LARGEST = 4 << 20
"""Bytes of a page."""

KEYS = {"title", "type", "permalink"}

_FENCED = re.compile(r"^(```|~~~).*?(?:^\1|\Z)", re.DOTALL | re.MULTILINE)
_OBSERVATION = re.compile(r"^\s*[-*] \[(?P<category>[^\[\]()\n]{2,60})\] (?P<text>\S.*)$", re.MULTILINE)
_RELATION = re.compile(
    r"^\s*[-*] (?:\"(?P<quoted>[^\"\n]+)\"|(?P<word>[\w-]+)) \[\[(?P<target>[^\]\n]+)\]\]",
    re.MULTILINE,
)
_TAG = re.compile(r"(?<=\s)#([\w/-]+)")


def place_of(path: Path) -> Path | None:
    """Return a folder in which some page is one of basic-memory's; None for any other. Raises OSError."""
    if not path.is_dir():
        return None
    first = islice(_pages(path), LOOKED_AT)
    return path if any(_is_own(_page(path, name)[0]) for name in first) else None


def _is_own(front: dict[str, Any]) -> bool:
    """Return whether front matter is of a page: those of web sites name an address, with a slash."""
    return front.keys() >= KEYS and not str(front["permalink"]).startswith("/")


def lines(path: Path) -> Iterator[Line]:
    """Yield each page as an observation, what it observes and its relations as facts. Raises OSError."""
    for name in _pages(path):
        try:
            front, text = _page(path, name)
            written = (path / name).stat().st_mtime
        except OSError as error:
            yield BadLine(name, 1, b"", _("can't be read ({error})", error=error.strerror))
            continue
        yield from _lines_of(name, front, text, int(written * 1_000))


def _lines_of(name: str, front: dict[str, Any], text: str, written: int) -> Iterator[Line]:
    title = text_of(front.get("title")) or Path(name).stem
    tags = front.get("tags")
    tags = tags.split(",") if isinstance(tags, str) else tags
    known = {key: str(front[key]) for key in ("created", "modified") if front.get(key)}
    time = {WRITTEN: known.get("created") or iso(written)}
    yield line(
        ITEMS, 1, text_of(front.get("permalink")) or name,
        type=text_of(front.get("type")) or "note",
        content=f"{title}\n\n{text.strip()}",
        entities=texts_of(tags),
        page=name,
        **time,
    )  # fmt: skip
    said = _FENCED.sub("", text)
    for observed in _OBSERVATION.finditer(said):
        category, content = observed["category"].strip(), observed["text"].strip()
        yield line(
            FACTS, 1, name_of(title, category, content),
            content=f"{title}: {content}",
            entities=[title, category, *_TAG.findall(content)],
            **time,
        )  # fmt: skip
    for relation in _RELATION.finditer(said):
        kind, target = relation["quoted"] or relation["word"], relation["target"].strip()
        yield line(
            FACTS, 1, name_of(title, kind, target),
            content=f"{title} {kind} {target}",
            entities=[title, target],
            **time,
        )  # fmt: skip


def _pages(path: Path) -> Iterator[str]:
    for name in files_below(path, ""):
        parts = name.split("/")
        if name.endswith(".md") and not any(part.startswith(".") for part in parts):
            yield name


def _page(path: Path, name: str) -> tuple[dict[str, Any], str]:
    """Return a page's front matter and its text."""
    text = read_regular(path / name, LARGEST).decode("utf-8-sig", "replace").replace("\r\n", "\n")
    front = FRONT.match(text)
    if front is None:
        return {}, text
    try:
        values = read_yaml(front["front"] or "", typed=False)
    except ValueError:
        values = None
    return (values if isinstance(values, dict) else {}), text[front.end() :]
