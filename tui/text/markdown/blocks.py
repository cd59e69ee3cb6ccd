"""The blocks of a text and what is within their lines: headings, paragraphs, lists, code, tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, zip_longest
from typing import TYPE_CHECKING

from textual.content import Content

from memtui.store import Query, highlight
from memtui.store.platform.translation import _
from memtui.store.text.markup import (
    INDENT,
    LONGEST_LINE,
    MOST_RENDERED,
    UNREAD,
    has_markup,
    parser,
    parts,
    says,
)

from ...protocol import ReadingMode
from ..content import DIM, EMPTY, GAP, Passage, Wrapped, highlighted, plain, wrap_text
from .code import BACKGROUND, REST, Find, Styled, code, lit

if TYPE_CHECKING:
    from markdown_it.token import Token


HEADINGS = {"h1": "bold underline $text-primary", "h2": "bold $text-primary"}
OTHER_HEADING = "bold"
BULLET = Content.styled("• ", DIM)
BAR = Content.styled("▌ ", DIM)
RULE = Content.styled("─" * 8, DIM)
_BLANK = re.compile(r"[>\s]*")


def document(
    text: str, query: Query, reading: ReadingMode, label: str | None = None, *, path: str = ""
) -> list[Passage]:
    """Return a text as passages, what `query` matches in it lit. `label` stands beside all of it, and
    `path` is the file that a diff in it is of."""
    text = text.strip("\n").rstrip()
    if not text.strip():
        return []

    def find(part: str) -> Sequence[tuple[int, int]]:
        return highlight(part, query).spans

    shown = text[: reading.most]
    cut = 0 if reading.raw else len(shown)
    if cut > MOST_RENDERED:
        cut = shown.rfind("\n", 0, MOST_RENDERED) + 1
    blocks = list(_blocks(shown[:cut], find, reading, path)) if cut else []
    if cut < len(shown):
        blocks.append(Passage(lit(shown[cut:], (), find)))
    blocks[:1] = [replace(passage, space=0) for passage in blocks[:1]]
    if label is not None:
        blocks = [replace(item, label="" if at else label) for at, item in enumerate(blocks)]
    if len(text) > reading.most:
        blocks.append(_more(len(text), reading, label))
    return blocks


def line(text: str, query: Query) -> Content:
    """Return a text of one line, such as an item of a list, with what is within it rendered."""
    if not has_markup(text) or len(text) > LONGEST_LINE or "\n" in text:
        return highlighted(highlight(text, query))
    (token,) = parser().parseInline(text)
    words, styles = inline(token.children or [])
    if token.type == UNREAD or not says(words, text):
        return highlighted(highlight(text, query))
    return lit(words, styles, lambda part: highlight(part, query).spans)


def _more(length: int, reading: ReadingMode, label: str | None) -> Passage:
    beside = None if label is None else ""
    if reading.most < ReadingMode().most:
        return Passage(REST, beside)
    more = _("… {count} more characters; y copies all of it.", count=f"{length - reading.most:,}")
    return Passage(plain(more, DIM), beside, space=1)


def _blocks(text: str, find: Find, reading: ReadingMode, path: str) -> Iterator[Passage]:
    if not has_markup(text):
        yield Passage(lit(text, (), find))
        return
    for part, language in parts(text):
        passages = (
            _code(part, language, find, reading, path)
            if language
            else _Renderer(part, find, reading).passages()
        )
        yield from passages


def _code(text: str, language: str, find: Find, reading: ReadingMode, path: str) -> Iterator[Passage]:
    shown = code(text, language, find, unfolded=reading.unfolded, path=path)
    yield Passage(shown, space=1, background=BACKGROUND)


class _Renderer:
    """Renders one Markdown text."""

    def __init__(self, text: str, find: Find, reading: ReadingMode) -> None:
        # Only a line feed ends a line for whoever stored it.
        self._text = text.replace("\r\n", "\n").replace("\r", "\n")
        self._lines = self._text.split("\n")
        self._find = find
        self._reading = reading
        # The bullets and bars that a line stands behind: that of its first line, once, and that of others.
        self._marks: list[tuple[Content | None, Content]] = []
        # The words that are shown, or folded.
        self._said: list[str] = []

    def passages(self) -> Iterator[Passage]:
        """Yield the blocks; one that would lose a word is yielded as it is stored."""
        block: list[Token] = []
        for token in parser().parse(self._text):
            block.append(token)
            if token.level == 0 and token.nesting != 1:
                yield from self._outermost(block)
                block = []

    def _outermost(self, block: list[Token]) -> Iterator[Passage]:
        begin, end = block[0].map or (0, 0)
        stored = "\n".join(self._lines[begin:end]).rstrip()
        self._marks.clear()
        self._said.clear()
        shown = list(self._rendered(block))
        if not says("\n".join(self._said), stored):
            shown = [Passage(lit(stored, (), self._find), space=self._space(block[0]))]
        yield from shown

    def _rendered(self, tokens: list[Token]) -> Iterator[Passage]:
        at = 0
        while at < len(tokens):
            token = tokens[at]
            match token.type:
                case "blockquote_open":
                    self._marks.append((None, BAR))
                case "list_item_open":
                    number = f"{token.info}{token.markup} " if token.info else ""
                    mark = Content.styled(number, DIM) if number else BULLET
                    self._said.append(number)
                    self._marks.append((mark, Content(" " * mark.cell_length)))
                case "list_item_close" if self._marks[-1][0] is not None:
                    # There is nothing in it.
                    yield self._passage(Content())
                    self._marks.pop()
                case "list_item_close" | "blockquote_close":
                    self._marks.pop()
                case "heading_open":
                    yield from self._words(tokens[at + 1], token, HEADINGS.get(token.tag, OTHER_HEADING))
                case "paragraph_open":
                    yield from self._words(tokens[at + 1], token)
                case "fence" | "code_block":
                    yield from self._code(token)
                case "hr":
                    yield from self._spaced(RULE, token)
                case "table_open":
                    end = at + 1
                    while tokens[end].type != "table_close":
                        end += 1
                    yield from self._spaced(self._table(tokens[at:end]), token)
                    at = end
            at += 1

    def _words(self, words: Token, block: Token, style: str = "") -> Iterator[Passage]:
        yield from self._spaced(self._lit(words, style), block)

    def _lit(self, token: Token, style: str = "") -> Content:
        if token.type == UNREAD:
            words, styles = token.content.replace(INDENT, " "), list[Styled]()
        else:
            words, styles = inline(token.children or [])
        self._said.append(words)
        return lit(words, [*([(0, len(words), style)] if style else []), *styles], self._find)

    def _code(self, token: Token) -> Iterator[Passage]:
        info, text = token.info.strip(), token.content.removesuffix("\n")
        language = info.split()[0].strip("{}.") if info else ""
        self._said += info, text
        shown = code(text, language, self._find, unfolded=self._reading.unfolded)
        if info and language != "diff":
            named = lit(info, [(0, len(info), DIM)], self._find)
            yield from self._spaced(named, token, BACKGROUND)
            yield self._passage(shown, BACKGROUND)
        else:
            yield from self._spaced(shown, token, BACKGROUND)

    def _table(self, tokens: list[Token]) -> Table:
        rows: list[list[Content]] = []
        right: set[int] = set()
        for before, token in pairwise(tokens):
            if before.type == "tr_open":
                rows.append([])
            if token.type == "inline":
                if "right" in str(before.attrGet("style") or ""):
                    right.add(len(rows[-1]))
                rows[-1].append(self._lit(token))
        return Table(rows, frozenset(right))

    def _spaced(self, content: Wrapped, block: Token, background: str = "") -> Iterator[Passage]:
        """A block below as much space as it has in the text."""
        space = self._space(block)
        if space and block.map and ">" in self._lines[block.map[0] - 1]:
            # The bar of a quotation goes on.
            yield Passage(Content(), None, Content("").join(rest for _, rest in self._marks))
            space = 0
        yield replace(self._passage(content, background), space=space)

    def _passage(self, content: Wrapped, background: str = "") -> Passage:
        marks = [rest if first is None else first for first, rest in self._marks]
        leads = [rest for _, rest in self._marks]
        # A bullet stands before the first line of its item only.
        self._marks = [(None, rest) for rest in leads]
        mark, lead = (Content("").join(some) for some in (marks, leads))
        return Passage(content, None, mark, 0, lead, background)

    def _space(self, token: Token) -> int:
        """One blank line where the text has some, and above headings."""
        begin = token.map[0] if token.map else 0
        if not begin:
            return 0
        is_blank = _BLANK.fullmatch(self._lines[begin - 1]) is not None
        return int(is_blank or token.type == "heading_open")


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


NARROWEST = 8
"""Cells a column is cut down to, before the table is shown a cell a line."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells; the first is the head. `right` has the columns that are flush right."""

    rows: Sequence[Sequence[Content]]
    right: frozenset[int] = frozenset()

    def wrap(self, width: int) -> list[Content]:
        """Return the lines of the table in `width` cells: cells wrapped, or, where columns would be too
        narrow to read, each cell on a line behind the head of its column."""
        natural = [
            max(max((line.cell_length for line in cell.split("\n")), default=0) for cell in column)
            for column in zip_longest(*self.rows, fillvalue=EMPTY)
        ]
        widths = _fitted(natural, width - len(GAP) * (len(natural) - 1))
        return list(self._columns(widths) if widths else self._stacked(width))

    def _columns(self, widths: list[int]) -> Iterator[Content]:
        for number, row in enumerate(self.rows):
            style = "" if number else "bold"
            wrapped = [
                wrap_text(cell.stylize_before(style), max(1, room))
                for cell, room in zip(row, widths, strict=False)
            ]
            for pieces in zip_longest(*wrapped, fillvalue=EMPTY):
                cells = (
                    self._padded(part, column, room)
                    for column, (part, room) in enumerate(zip(pieces, widths, strict=False))
                )
                yield GAP.join(cells).rstrip()
            if not number:
                yield GAP.join(Content.styled("─" * room, DIM) for room in widths)

    def _padded(self, part: Content, column: int, room: int) -> Content:
        spaces = max(0, room - part.cell_length)
        return part.pad_left(spaces) if column in self.right else part.pad_right(spaces)

    def _stacked(self, width: int) -> Iterator[Content]:
        head, *rows = self.rows
        if not rows:
            yield from wrap_text(Content(" ").join(head), width)
        for number, row in enumerate(rows):
            if number:
                yield Content.styled("─" * min(width, NARROWEST), DIM)
            for name, cell in zip(head, row, strict=False):
                if name or cell:
                    yield from wrap_text(name.stylize_before("bold") + "  " + cell, width)


def _fitted(natural: list[int], room: int) -> list[int]:
    """Return widths of columns that together fit into `room`, the widest cut first; [] where none do."""
    least = sum(min(number, NARROWEST) for number in natural)
    if least > room:
        return []
    most = max(natural, default=0)
    low, high = NARROWEST, max(most, NARROWEST)
    while low < high:
        middle = (low + high + 1) // 2
        if sum(min(value, middle) for value in natural) <= room:
            low = middle
        else:
            high = middle - 1
    widths = [min(item, low) for item in natural]
    left = room - sum(widths)
    for column, entry in enumerate(natural):
        if left and widths[column] < entry:
            widths[column] += 1
            left -= 1
    return widths
