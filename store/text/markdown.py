"""The sections of a Markdown text and the bullets in them, by the lines they stand on."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from ..records.dataclasses import dataclass, field

if TYPE_CHECKING:
    from markdown_it import MarkdownIt


@dataclass(frozen=True, slots=True)
class Bullet:
    """An item of a list: its text, the line it stands on (from 1), and how deep it lies (from 0)."""

    text: str
    line: int
    depth: int = 0


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, its level (1 to 6), its line (from 1), and the bullets up to the next heading.
    What stands before the first heading is a section of level 0 without a title, on line 1."""

    title: str
    level: int
    line: int
    bullets: tuple[Bullet, ...] = ()


@dataclass(slots=True)
class _Heading:
    """A section that is still read."""

    title: str = ""
    level: int = 0
    line: int = 1
    bullets: list[Bullet] = field(default_factory=list)


def sections(text: str) -> list[Section]:
    """Return the sections of a text, in order.

    Headings and bullets are CommonMark's, so code blocks and comments hold neither. A heading in a
    list or a quotation begins no section; of a bullet only its first line counts.
    """
    results = [_Heading()]
    depth = -1
    begins = ""
    # A carriage return alone is no line end to whoever opens the text at a line.
    for token in _parser().parse(re.sub(r"\r(?!\n)", " ", text)):
        line = token.map[0] + 1 if token.map else 0
        if token.type in ("bullet_list_open", "ordered_list_open"):
            depth += 1
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            depth -= 1
        elif token.type == "heading_open" and token.level == 0:
            results.append(_Heading(level=int(token.tag[1:]), line=line))
        elif token.type == "inline" and begins == "heading_open" and token.level == 1:
            results[-1].title = token.content
        elif token.type == "inline" and begins == "list_item_open" and token.content:
            results[-1].bullets.append(Bullet(token.content.split("\n", 1)[0].rstrip(), line, depth))
        if token.type != "paragraph_open":
            begins = token.type
    read = [
        Section(heading.title, heading.level, heading.line, tuple(heading.bullets)) for heading in results
    ]
    return read if read[0].bullets else read[1:]


@cache
def _parser() -> MarkdownIt:
    """Return a parser of blocks alone: what is within a line isn't looked at."""
    # Only a note's view needs it, and to import it takes longer than to start Python.
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark")
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser
