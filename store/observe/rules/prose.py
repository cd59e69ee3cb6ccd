"""Split Markdown prose into sentences and bullets with their headings, without code, quotes and
tables.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...records.dataclasses import dataclass

LONGEST = 40_000
"""Characters of a text that are read."""

FENCE = re.compile(r"^[ \t]*(```|~~~).*?(?:^[ \t]*\1[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
HEADING = re.compile(
    r"^[ \t]{0,3}(?:#{1,6}[ \t]+(.{1,120}?)[ \t#]*|\*\*(.{1,100}?)\*\*[ \t]*[:：]?"
    r"|(\S.{0,60}?)[:：])[ \t]*$"
)
LED = re.compile(r"^[ \t]{0,3}\*\*(.{1,60}?)[:：]?\*\*[:：]?[ \t]+(\S.*)$")
BULLET = re.compile(
    r"^[ \t]*(?:[-*+•–][ \t]+|\d{1,3}[.)](?=[ \t])|\d{1,2}、|[（(]\d{1,2}[）)])[ \t]*"
    r"(?:\[[ xX✓]\][ \t]*)?(\S.*)$"
)
QUOTE = re.compile(r"^[ \t]{0,3}>")
TABLE = re.compile(r"^[ \t]*\|")
RULE = re.compile(r"^[ \t]*(?:[-*_=][ \t]*){3,}$")
ENDING = re.compile(
    r"(?<=[.!?])[ \t]+(?=[A-Z\"'`(\[“\u2e80-\uffff])|(?<=[。！？；])[ \t]*|[ \t]*\n[ \t]*"
)
SHORTENED = re.compile(r"\b(?:e\.g|i\.e|etc|vs|cf|approx|Mr|Dr|No|v\d+)\.$")
MARKS = re.compile(r"\*\*(.+?)\*\*|__(.+?)__")
LINK = re.compile(r"\[([^\]\n]{1,200})\]\((?:[^()\s]|\([^()\s]*\))+\)")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence or a bullet, and the heading above it ("" for none)."""

    text: str
    heading: str = ""
    is_bullet: bool = False


def sentences_of(text: str) -> Iterator[Sentence]:
    """Yield the sentences and bullets of a Markdown text, in order, but of code, quotes and tables."""
    heading, paragraph = "", list[str]()
    for line in [*FENCE.sub("\n", text[:LONGEST]).splitlines(), ""]:
        bullet, titled, led = BULLET.match(line), HEADING.match(line), LED.match(line)
        if (
            bullet
            or titled
            or led
            or not line.strip()
            or QUOTE.match(line)
            or TABLE.match(line)
            or RULE.match(line)
        ):
            yield from (Sentence(one, heading) for one in split_sentences(" ".join(paragraph)))
            paragraph = []
        else:
            paragraph.append(line.strip())
        if RULE.match(line) or QUOTE.match(line) or TABLE.match(line):
            continue
        if titled and not bullet:
            heading = next(filter(None, titled.groups())).strip()
            if titled[3] and len(heading.split()) > 3:
                # A sentence that leads to a list may state itself what was done.
                yield Sentence(plain(heading))
        elif led and not bullet:
            heading = led[1].strip()
            yield from (Sentence(one, heading) for one in split_sentences(led[2]))
        elif bullet:
            yield Sentence(plain(bullet[1]), heading, is_bullet=True)


def split_sentences(text: str) -> list[str]:
    """Return the sentences of a paragraph."""
    found: list[str] = []
    for part in ENDING.split(text):
        if found and SHORTENED.search(found[-1]):
            found[-1] = f"{found[-1]} {part.strip()}"
        elif part.strip():
            found.append(part.strip())
    return [plain(one) for one in found]


def plain(text: str) -> str:
    """Return a text on one line without Markdown's emphasis and links; code keeps its backticks."""
    text = MARKS.sub(lambda found: found[1] or found[2], LINK.sub(r"\1", text))
    return " ".join(text.split())


def shortened(text: str, size: int) -> str:
    """Return a text of at most `size` characters, cut at a word where that costs little."""
    if len(text) <= size:
        return text
    cut = text[: size - 1]
    space = cut.rfind(" ")
    return (cut[:space] if space > size * 3 // 4 else cut).rstrip(" ,;:，；：") + "…"
