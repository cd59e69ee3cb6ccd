"""The sections of a Markdown text and the bullets in them, by the lines they stand on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*\Z")
_BULLET = re.compile(r"([ \t]*)(?:[-*+]|\d{1,9}[.)])[ \t]+(\S.*)\Z")
_FENCE = re.compile(r" {0,3}(?P<mark>`{3,}(?=[^`]*\Z)|~{3,})")
_COMMENT, _COMMENT_END = "<!--", "-->"


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


def sections(text: str) -> list[Section]:
    """The sections of a note, in order. Code blocks and comments hold neither headings nor bullets."""
    found = [Section("", 0, 1)]
    bullets: list[Bullet] = []
    for number, line in prose(text):
        if heading := _HEADING.match(line):
            found[-1] = _with(found[-1], bullets)
            bullets = []
            found.append(Section(heading[2] or "", len(heading[1]), number))
        elif bullet := _BULLET.match(line):
            depth = len(bullet[1].expandtabs(4)) // 2
            bullets.append(Bullet(bullet[2].rstrip(), number, depth))
    found[-1] = _with(found[-1], bullets)
    return found if found[0].bullets else found[1:]


def prose(text: str) -> Iterator[tuple[int, str]]:
    """The lines outside of fenced code and comments, each with its number (from 1)."""
    fence = ""
    in_comment = False
    for number, line in enumerate(text.split("\n"), start=1):
        line = line.rstrip("\r")
        if in_comment:
            in_comment = _COMMENT_END not in line
            continue
        found = _FENCE.match(line)
        if fence:
            if found and found["mark"].startswith(fence) and not line[found.end() :].strip():
                fence = ""
            continue
        if found:
            fence = found["mark"]
            continue
        if line.lstrip().startswith(_COMMENT):
            in_comment = _COMMENT_END not in line
            continue
        yield number, line


def _with(section: Section, bullets: list[Bullet]) -> Section:
    return Section(section.title, section.level, section.line, tuple(bullets))
